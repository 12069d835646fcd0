-- Required by the workloads that read and change rows of the data set: their options, and a connection per thread.
local generator = require "generator"
local connection = require "connection"
local rows = require "rows"

sysbench.cmdline.options = generator.options {
   keys = {"disjoint|shared: which rows a writer uses, its own or those of all", "disjoint"},
   hot_rows = {"rows used in each table; 0 is all", 0},
}

function thread_init()
   rows.choose(sysbench.opt.keys, sysbench.opt.hot_rows)
   connection.open()
end
