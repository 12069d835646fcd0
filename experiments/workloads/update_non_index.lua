-- One autocommitted update of a column without an index of one row.
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

function event()
   changes.update_non_index()
end
