-- One transaction: an update of an indexed column, one of another column, a delete and an insert.
require "row_workload"
local connection = require "connection"
local changes = require "changes"

local function body()
   changes.update_index()
   changes.update_non_index()
   changes.replace_row()
end

function event()
   connection.transaction(body)
end
