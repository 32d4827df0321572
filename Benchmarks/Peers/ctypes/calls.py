"""Python's ctypes: function objects with argument types and a result type. Run as: python3 calls.py LIBRARY"""
import ctypes
import sys
from ctypes import c_byte, c_char_p, c_double, c_float, c_int, c_int16, c_int32, c_int64, c_size_t, c_uint64, c_void_p


def struct(**fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields.items())})


Point = struct(x=c_double, y=c_double)
Rect = struct(x=c_double, y=c_double, width=c_double, height=c_double)
Range = struct(location=c_uint64, length=c_uint64)
Pair = struct(a=c_int32, b=c_int32)
pair, rect, point, extent = Pair(3, 4), Rect(1, 2, 3, 4), Point(1, 2), Range(1, 2)

# Of each suite: the callee's result and argument types, what is set before a call, the arguments, the member of the result.
SUITES = [
    ("workload_w0", (None, c_void_p, c_void_p), "pass", "None, None", " or 0"),
    ("workload_w2", (c_int64, c_void_p, c_void_p, c_int64, c_int64), "pass", "None, None, index, 2", ""),
    (
        "workload_w4", (c_double, c_void_p, c_void_p, c_int32, c_double, c_float, c_byte, c_void_p, c_int16, Pair, c_double), "pass",
        "None, None, index, 2, 3, 4, None, 5, pair, 6", "",
    ),
    ("workload_wr", (Rect, c_void_p, c_void_p, Rect, Point, Range), "rect.x = index", "None, None, rect, point, extent", ".x"),
]

# A loop is compiled for each suite, as if written for it. Arguments are converted in every call: there is no invoke apart from set.
# create makes a function object of its types and an address for each call. (ctypes keeps the function types it has made.)
LOOP = """
def loop(suite, count, rect=rect, pair=pair, point=point, extent=extent, callee=callee, types=types, address=address):
    for index in range(count):
        {before}
        last = {function}({arguments})
    return last{member}
"""
PHASES = {b"set": "callee", b"create": "ctypes.CFUNCTYPE(*types)(address)"}

library = ctypes.CDLL(sys.argv[1])
LoopType = ctypes.CFUNCTYPE(c_double, c_int, c_size_t)
library.peer_add.argtypes = [c_int, c_char_p, LoopType]
library.peer_add.restype = None
library.peer_report.argtypes = [c_char_p]
kept = []  # the library stores their addresses
for suite, (name, types, before, arguments, member) in enumerate(SUITES):
    callee = getattr(library, name)
    callee.restype, *callee.argtypes = types
    address = ctypes.cast(callee, c_void_p).value
    for phase, function in PHASES.items():
        exec(LOOP.format(before=before, function=function, arguments=arguments, member=member), globals())
        kept.append(LoopType(loop))
        library.peer_add(suite, phase, kept[-1])
sys.exit(library.peer_report(b"ctypes"))
