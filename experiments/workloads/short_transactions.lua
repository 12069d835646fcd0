-- One of eight short transactions, each as likely: five kinds of reads (62.5 %), two updates, a delete with an insert.
local generator = require "generator"
local connection = require "connection"
local rows = require "rows"
local changes = require "changes"

sysbench.cmdline.options = generator.options {
   keys = {"disjoint|shared: whose rows a writer works on", "disjoint"},
   hot_rows = {"rows of each table that are worked on; 0 is all", 0},
}

local kinds = {
   changes.read_row,
   changes.read_range,
   changes.read_sum,
   changes.read_ordered,
   changes.read_distinct,
   changes.update_index,
   changes.update_non_index,
   function() connection.transaction(changes.replace_row) end,
}

function thread_init()
   rows.choose(sysbench.opt.keys, sysbench.opt.hot_rows)
   connection.open()
end

function event()
   kinds[sysbench.rand.uniform(1, #kinds)]()
end
