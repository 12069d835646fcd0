-- One of eight equally likely short transactions: five kinds of reads (62.5 %), two updates, a delete with an insert.
require "row_workload"
local connection = require "connection"
local changes = require "changes"

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

function event()
   kinds[sysbench.rand.uniform(1, #kinds)]()
end
