-- One autocommitted update of one of a few hot rows, the same for all writers.
require "row_workload"
local generator = require "generator"
local changes = require "changes"

-- Other defaults than those of row_workload.
sysbench.cmdline.options = generator.options {
   keys = {"disjoint|shared: which rows a writer uses, its own or those of all", "shared"},
   hot_rows = {"rows used in each table; 0 is all", 10},
}

function event()
   changes.update_non_index()
end
