-- LuaJIT's FFI: C declarations read at run time, calls compiled by the JIT where it can, made by its interpreter where not.
-- Run as: luajit [-joff] luajit.lua LIBRARY ENGINE
local ffi = require("ffi")

ffi.cdef [[
typedef struct { double x, y; } workload_point;
typedef struct { double x, y, width, height; } workload_rect;
typedef struct { uint64_t location, length; } workload_range;
typedef struct { int32_t a, b; } workload_pair;

void workload_w0(void *target, const void *selector);
int64_t workload_w2(void *target, const void *selector, int64_t a, int64_t b);
double workload_w4(void *target, const void *selector, int32_t a, double b, float c, signed char d, void *e, int16_t f,
                   workload_pair g, double h);
workload_rect workload_wr(void *target, const void *selector, workload_rect rect, workload_point point, workload_range range);

typedef double (*peer_loop)(int suite, size_t count);
void peer_add(int suite, const char *phase, peer_loop loop);
int peer_report(const char *engine);
]]

local library, engine = ffi.load(arg[1]), arg[2]
local W0, W2, W4, WR = 0, 1, 2, 3

-- Arguments are converted in every call: there is no invoke apart from set. Nor is there create: every C type that LuaJIT reads
-- stays in a table of 65,536 for good. A loop is a function of its own for each callee, so that the JIT compiles it for that one.

local function w0_set(_, count)
  for _ = 0, tonumber(count) - 1 do library.workload_w0(nil, nil) end
  return 0
end

local function w2_set(_, count)
  local last = 0
  for index = 0, tonumber(count) - 1 do last = tonumber(library.workload_w2(nil, nil, index, 2)) end
  return last
end

local pair = ffi.new("workload_pair", 3, 4)
local function w4_set(_, count)
  local last = 0
  for index = 0, tonumber(count) - 1 do
    last = library.workload_w4(nil, nil, index, 2, 3, 4, nil, 5, pair, 6)
  end
  return last
end

local rect = ffi.new("workload_rect", 1, 2, 3, 4)
local point = ffi.new("workload_point", 1, 2)
local range = ffi.new("workload_range", 1, 2)
local function wr_set(_, count)
  local last = 0
  for index = 0, tonumber(count) - 1 do
    rect.x = index
    last = library.workload_wr(nil, nil, rect, point, range).x
  end
  return last
end

-- A callback must not run inside compiled code; this one call is made by the interpreter.
jit.off(true)
for _, row in ipairs {
  { W0, w0_set }, { W2, w2_set }, { W4, w4_set }, { WR, wr_set },
} do
  library.peer_add(row[1], "set", row[2])
end
os.exit(library.peer_report(engine))
