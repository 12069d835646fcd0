-- A user's own transactions, drawn by weight. `mix` is a file of Lua data that advisor/bench/load/mix.py writes:
-- {{weight = …, values = {{kind = …}, …}, statements = {{text or number of a value, …}, …}}, …}
-- Statements that are repeated are {texts = {{…}, …}, times = … or drawn = number of a value, again = {numbers of the
-- values to draw for each repetition}, each = {…}}; with `each`, that part is repeated inside one statement, in place
-- of 0.
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

-- A number of a spread: {{most, share up to there}, …}; within a part all are equally probable.
local function spread(parts)
   local drawn, below, floor = sysbench.rand.uniform_double(), 0, 0
   for _, part in ipairs(parts) do
      if drawn < part[2] and part[2] > below then
         return part[1] > floor + 1 and sysbench.rand.uniform(floor + 1, part[1]) or part[1]
      end
      floor, below = part[1], part[2]
   end
   return floor
end

local kinds = {
   spread = function(value) return spread(value.spread) end,
   id = function() return rows.id() end,
   table = function() return sysbench.rand.uniform(1, sysbench.opt.tables) end,
   int = function(value) return sysbench.rand[value.distribution](value.low, value.high) end,
   row = function(value) return value.column[sysbench.rand.uniform(1, #value.column)] end,
   string = function(value)
      local length = value.spread and spread(value.spread) or value.length
      return "'" .. sysbench.rand.string(string.rep("@", length)) .. "'"
   end,
   thread = function() return thread end,
   writer = function() return sysbench.opt.writer end,
}

function thread_init(number)
   thread = number
   rows.choose(sysbench.opt.keys, sysbench.opt.hot_rows)
   mix = dofile(sysbench.opt.mix)
   connection.longest = 4096
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

local chosen, texts
local again = false
local failures = 0
local most_failures = 3 -- of the same values: a key that exists already never becomes free

-- A statement of its pieces. Where statements are prepared, values become ?, but not a number that is part of a name;
-- {row:…} is SQL of its own.
local function join(pieces, values, each, kept)
   local text = {}
   for place, piece in ipairs(pieces) do
      local value = type(piece) == "number" and piece ~= 0 and values[piece]
      local before = text[place - 1]
      if piece == 0 then
         text[place] = each
      elseif not value then
         text[place] = piece
      elseif not kept or chosen.values[piece].kind == "row" or (before and before:find("[%w_`]$")) then
         text[place] = value
      else
         kept[#kept + 1] = type(value) == "string" and value:sub(2, -2) or value
         text[place] = "?"
      end
   end
   return table.concat(text), kept
end

local function is_short(pieces, values)
   for _, piece in ipairs(pieces) do
      local value = type(piece) == "number" and values[piece]
      if type(value) == "string" and #value > connection.longest then
         return false
      end
   end
   return true
end

-- What to execute: its text, and its values where it is prepared.
local function add(pieces, values, each)
   local text, kept = join(pieces, values, each, mix.prepared and not each and is_short(pieces, values) and {} or nil)
   texts[#texts + 1] = {text, kept}
end

local function draw_again(statement, values)
   for _, number in ipairs(statement.again) do
      local value = chosen.values[number]
      values[number] = kinds[value.kind](value)
   end
end

local function repeated(statement, values)
   local parts = {}
   for _ = 1, tonumber(statement.times or values[statement.drawn]) do
      draw_again(statement, values)
      if statement.each then
         parts[#parts + 1] = join(statement.each, values)
      else
         for _, pieces in ipairs(statement.texts) do
            add(pieces, values)
         end
      end
   end
   if #parts > 0 then
      add(statement.texts[1], values, table.concat(parts, ", "))
   end
end

-- Everything is drawn before the transaction begins, so that no lock waits for it.
local function write()
   local values = {}
   for place, value in ipairs(chosen.values) do
      values[place] = kinds[value.kind](value)
   end
   texts = {}
   for _, statement in ipairs(chosen.statements) do
      if statement.texts then
         repeated(statement, values)
      else
         add(statement, values)
      end
   end
end

local function body()
   for _, each in ipairs(texts) do
      if each[2] then
         connection.run(each[1], unpack(each[2]))
      else
         connection.say(each[1])
      end
   end
end

-- A retried transaction is of the same kind: the weights are those of the transactions that succeed.
local roll_back = sysbench.hooks.before_restart_event
function sysbench.hooks.before_restart_event(failed)
   again = true
   failures = failures + 1
   roll_back(failed)
end

function event()
   if not again then
      chosen = draw()
      failures = 0
      write()
   elseif failures % most_failures == 0 then
      write()
   end
   again = false
   if #texts == 1 then
      body()
   else
      connection.transaction(body)
   end
end
