-- One autocommitted update of a column without an index of one row.
require "row_workload"
local changes = require "changes"

function event()
   changes.update_non_index()
end
