-- The statements that the workloads combine: reads and changes of rows.
local connection = require "connection"
local rows = require "rows"

local changes = {}

function changes.read_row()
   connection.run("SELECT body FROM " .. rows.table() .. " WHERE id = ?", rows.id())
end

function changes.read_range()
   connection.run("SELECT body FROM " .. rows.table() .. " WHERE id BETWEEN ? AND ?", rows.range())
end

function changes.read_sum()
   connection.run("SELECT SUM(k) FROM " .. rows.table() .. " WHERE id BETWEEN ? AND ?", rows.range())
end

function changes.read_ordered()
   connection.run("SELECT body FROM " .. rows.table() .. " WHERE id BETWEEN ? AND ? ORDER BY body", rows.range())
end

function changes.read_distinct()
   connection.run(
      "SELECT DISTINCT body FROM " .. rows.table() .. " WHERE id BETWEEN ? AND ? ORDER BY body", rows.range())
end

function changes.update_index()
   connection.run("UPDATE " .. rows.table() .. " SET k = ? WHERE id = ?", rows.k(), rows.id())
end

function changes.update_non_index()
   connection.run("UPDATE " .. rows.table() .. " SET body = ? WHERE id = ?", rows.body(), rows.id())
end

-- Call it inside a transaction: it deletes a row and inserts it again.
function changes.replace_row()
   local name, id = rows.table(), rows.id()
   connection.run("DELETE FROM " .. name .. " WHERE id = ?", id)
   connection.run(
      "INSERT INTO " .. name .. " (id, k, body, pad) VALUES (?, ?, ?, ?)", id, rows.k(), rows.body(), rows.pad())
end

return changes
