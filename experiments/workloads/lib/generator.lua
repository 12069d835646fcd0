-- Ties a sysbench process to the advisor that started it: its lifetime, its login, and a line for every second.
local ffi = require "ffi"

ffi.cdef [[
   int prctl(int option, unsigned long signal, unsigned long, unsigned long, unsigned long);
   int getppid(void);
   void *set_option(const char *name, const char *value, int type);
   typedef struct {
      uint64_t *counts, events, *of_interval, **slots;
      size_t bins;
      double lowest_ms, highest_ms, deducted, factor;
   } latency_histogram;
   extern latency_histogram sb_latency_histogram;
]]

local generator = {}

-- Options that every workload has in addition to its own.
local given = {
   parent = {"process that started this one and must be alive", 0},
   login = {"file with the user and the password on separate lines", ""},
   tables = {"tables of the data set", 1},
   rows_per_table = {"rows in each table", 1},
   writer = {"number of this writer, from 1", 1},
   writers = {"number of writers", 1},
}

function generator.options(own)
   for name, option in pairs(given) do
      own[name] = option
   end
   return own
end

-- Die with the parent (1 is PR_SET_PDEATHSIG, 9 is SIGKILL), and write every line at once.
ffi.C.prctl(1, 9, 0, 0, 0)
io.stdout:setvbuf("line")

-- sysbench calls this once, before its threads start. An option file would corrupt a password with blanks or quotes;
-- 5 is sysbench's number for a text option.
function init()
   if sysbench.opt.parent ~= 0 and ffi.C.getppid() ~= sysbench.opt.parent then
      error("the advisor that started it is gone")
   end
   local file = assert(io.open(sysbench.opt.login, "rb"))
   local user, password = file:read("*a"):match("^([^\n]*)\n(.*)$")
   file:close()
   ffi.C.set_option("mysql-user", user, 5)
   ffi.C.set_option("mysql-password", password, 5)
end

-- sysbench's own latency histogram, if its layout is that of 1.0.20: no pointer is followed before its four numbers
-- agree with each other.
local function histogram()
   local found, own = pcall(function() return ffi.C.sb_latency_histogram end)
   if not found or own.bins ~= 1024 or own.lowest_ms ~= 0.001 or own.highest_ms ~= 100000 then
      return nil
   end
   local factor = 1023 / (math.log(100000) - math.log(0.001))
   if math.abs(own.factor - factor) > 1e-9 or math.abs(own.deducted - math.log(0.001)) > 1e-9 then
      return nil
   end
   return own
end

local before = {}

-- Transactions of this interval by latency: "bin:count,…".
local function bins()
   local own, changed = histogram(), {}
   if own == nil then
      return "unknown"
   end
   for bin = 0, 1023 do
      local now = tonumber(own.counts[bin])
      if now ~= (before[bin] or 0) then
         changed[#changed + 1] = string.format("%d:%d", bin, now - (before[bin] or 0))
         before[bin] = now
      end
   end
   return table.concat(changed, ",")
end

function sysbench.hooks.report_intermediate(stat)
   print(string.format(
      "second interval=%.6f events=%d errors=%d reconnects=%d queued=%d latency_ms=%.3f bins=%s",
      stat.time_interval, stat.events, stat.errors, stat.reconnects, stat.queue_length or 0,
      stat.latency_pct * 1000, bins()))
end

-- A lock wait timeout rolls back one statement only; the next BEGIN would commit those before it.
function sysbench.hooks.before_restart_event(failed)
   failed.connection:query("ROLLBACK")
end

return generator
