-- One transaction: ten single-row reads, four range reads of 100 rows, two updates, a delete and an insert.
require "row_workload"
local connection = require "connection"
local changes = require "changes"

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
