-- One transaction: an update of an indexed column, one of another column, a delete and an insert.
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
   changes.update_index()
   changes.update_non_index()
   changes.replace_row()
end

function event()
   connection.transaction(body)
end
