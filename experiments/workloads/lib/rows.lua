-- Which rows a transaction works on, and what it writes into them.
local rows = {}

local uniform = sysbench.rand.uniform
local low, high, tables

-- `keys`: "disjoint" gives each writer its own share of every table, "shared" gives every row to all writers.
-- `hot_rows`: only that many rows of it, 0 for all.
function rows.choose(keys, hot_rows)
   local opt = sysbench.opt
   local writer, writers = opt.writer, opt.writers
   if keys == "shared" then
      writer, writers = 1, 1
   end
   low = math.floor(opt.rows_per_table * (writer - 1) / writers) + 1
   high = math.floor(opt.rows_per_table * writer / writers)
   if hot_rows > 0 then
      high = math.min(high, low + hot_rows - 1)
   end
   tables = opt.tables
end

function rows.table()
   return "t" .. uniform(1, tables)
end

function rows.id()
   return uniform(low, high)
end

-- A value for the indexed column, drawn from the whole range, so that changes spread over the index.
function rows.k()
   return uniform(1, sysbench.opt.rows_per_table)
end

-- First id of a range of 100 rows.
function rows.range()
   local first = uniform(low, math.max(low, high - 99))
   return first, first + 99
end

function rows.body()
   return sysbench.rand.string(string.rep("###########-", 10)) -- 120 characters
end

function rows.pad()
   return sysbench.rand.string(string.rep("###########-", 5)) -- 60 characters
end

return rows
