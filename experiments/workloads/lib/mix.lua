-- A user's own transactions, drawn by weight. `mix` is a file of Lua data that advisor/bench/load/mix.py writes:
-- {{weight = …, values = {{kind = …}, …}, statements = {{text or number of a value, …}, …}}, …}
local generator = require "generator"
local connection = require "connection"
local rows = require "rows"

sysbench.cmdline.options = generator.options {
   keys = {"disjoint|shared: which rows {id} is drawn from, the writer's own or those of all", "disjoint"},
   hot_rows = {"rows of each table that {id} is drawn from; 0 is all", 0},
   mix = {"file with the transactions", ""},
}

local mix, total
local thread

local kinds = {
   id = function() return rows.id() end,
   table = function() return sysbench.rand.uniform(1, sysbench.opt.tables) end,
   int = function(value) return sysbench.rand[value.distribution](value.low, value.high) end,
   row = function(value) return value.column[sysbench.rand.uniform(1, #value.column)] end,
   string = function(value) return "'" .. sysbench.rand.string(string.rep("@", value.length)) .. "'" end,
   thread = function() return thread end,
   writer = function() return sysbench.opt.writer end,
}

function thread_init(number)
   thread = number
   rows.choose(sysbench.opt.keys, sysbench.opt.hot_rows)
   mix = dofile(sysbench.opt.mix)
   total = 0
   for _, transaction in ipairs(mix) do
      total = total + transaction.weight
   end
   connection.open()
end

local function draw()
   local left = sysbench.rand.uniform_double() * total
   for _, transaction in ipairs(mix) do
      left = left - transaction.weight
      if left < 0 then
         return transaction
      end
   end
   return mix[#mix]
end

local chosen, values
local again = false

local function body()
   for _, pieces in ipairs(chosen.statements) do
      local text = {}
      for place, piece in ipairs(pieces) do
         text[place] = type(piece) == "number" and values[piece] or piece
      end
      connection.say(table.concat(text))
   end
end

-- A retried transaction stays the same: the weights are those of the transactions that succeed.
local roll_back = sysbench.hooks.before_restart_event
function sysbench.hooks.before_restart_event(failed)
   again = true
   roll_back(failed)
end

function event()
   if not again then
      chosen, values = draw(), {}
      for place, value in ipairs(chosen.values) do
         values[place] = kinds[value.kind](value)
      end
   end
   again = false
   if #chosen.statements == 1 then
      body()
   else
      connection.transaction(body)
   end
end
