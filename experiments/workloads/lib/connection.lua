-- A thread's connection: statements prepared once, and transactions.
local connection = {}

connection.longest = 255 -- bytes of a text value
local driver, session
local prepared = {}

function connection.open()
   driver = sysbench.sql.driver()
   session = driver:connect()
   session:query("SET NAMES utf8mb4")
end

local function prepare(statement, values)
   local ready = {text = session:prepare(statement), values = {}}
   for place, value in ipairs(values) do
      local kind = type(value) == "number" and sysbench.sql.type.BIGINT or sysbench.sql.type.VARCHAR
      ready.values[place] = ready.text:bind_create(kind, connection.longest)
   end
   if #values > 0 then
      ready.text:bind_param(unpack(ready.values))
   end
   prepared[statement] = ready
   return ready
end

-- Run a statement; each ? in it stands for one value, always of the same type.
function connection.run(statement, ...)
   local values = {...}
   local ready = prepared[statement] or prepare(statement, values)
   for place, value in ipairs(values) do
      ready.values[place]:set(value)
   end
   ready.text:execute()
end

-- Run a statement without preparing it.
function connection.say(text)
   session:query(text)
end

function connection.transaction(body)
   session:query("BEGIN")
   body()
   session:query("COMMIT")
end

return connection
