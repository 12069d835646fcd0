-- One inserted row, autocommitted, or several in a transaction; the tables grow and are emptied before the next run.
local generator = require "generator"
local connection = require "connection"
local rows = require "rows"

sysbench.cmdline.options = generator.options {
   rows_per_transaction = {"from 1: rows each transaction inserts, one statement each", 1},
}

local count

function thread_init()
   rows.choose("shared", 0)
   count = sysbench.opt.rows_per_transaction
   connection.open()
end

local function body()
   local name = "inserted_" .. rows.table()
   for _ = 1, count do
      connection.run("INSERT INTO " .. name .. " (k, body, pad) VALUES (?, ?, ?)", rows.k(), rows.body(), rows.pad())
   end
end

function event()
   if count == 1 then
      body()
   else
      connection.transaction(body)
   end
end
