-- One autocommitted update of an indexed column of one row.
require "row_workload"
local changes = require "changes"

function event()
   changes.update_index()
end
