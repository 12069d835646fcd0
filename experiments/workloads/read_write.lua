-- One transaction: ten single-row reads, four range reads of 100 rows, two updates, a delete and an insert.
local generator = require "generator"
local connection = require "connection"
local rows = require "rows"
local changes = require "changes"

sysbench.cmdline.options = generator.options {
   keys = {"disjoint|shared: whose rows a writer works on", "disjoint"},
   hot_rows = {"rows of each table that are worked on; 0 is all", 0},
}

function thread_init()
   rows.choose(sysbench.opt.keys, sysbench.opt.hot_rows)
   connection.open()
end

local function body()
   for _ = 1, 10 do
      changes.read_row()
   end
   changes.read_range()
   changes.read_sum()
   changes.read_ordered()
   changes.read_distinct()
   changes.update_index()
   changes.update_non_index()
   changes.replace_row()
end

function event()
   connection.transaction(body)
end
