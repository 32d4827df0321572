"""Python's ctypes: function objects with argument types and a result type. Run as: python3 calls.py LIBRARY"""
import ctypes
import sys
from ctypes import c_byte, c_char_p, c_double, c_float, c_int, c_int16, c_int32, c_int64, c_size_t, c_uint64, c_void_p


class Point(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double)]


class Rect(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double)]


class Range(ctypes.Structure):
    _fields_ = [("location", c_uint64), ("length", c_uint64)]


class Pair(ctypes.Structure):
    _fields_ = [("a", c_int32), ("b", c_int32)]


library = ctypes.CDLL(sys.argv[1])
W0, W2, W4, WR = range(4)
TYPES = {
    W0: (None, c_void_p, c_void_p),
    W2: (c_int64, c_void_p, c_void_p, c_int64, c_int64),
    W4: (c_double, c_void_p, c_void_p, c_int32, c_double, c_float, c_byte, c_void_p, c_int16, Pair, c_double),
    WR: (Rect, c_void_p, c_void_p, Rect, Point, Range),
}
CALLEES = {W0: library.workload_w0, W2: library.workload_w2, W4: library.workload_w4, WR: library.workload_wr}
for suite, callee in CALLEES.items():
    callee.restype, *callee.argtypes = TYPES[suite]
ADDRESSES = {suite: ctypes.cast(callee, c_void_p).value for suite, callee in CALLEES.items()}

# Arguments are converted in every call: there is no invoke apart from set.


def w0_set(suite, count):
    callee = CALLEES[suite]
    for _ in range(count):
        callee(None, None)
    return 0


def w2_set(suite, count):
    callee = CALLEES[suite]
    for index in range(count):
        last = callee(None, None, index, 2)
    return last


def w4_set(suite, count):
    callee, pair = CALLEES[suite], Pair(3, 4)
    for index in range(count):
        last = callee(None, None, index, 2, 3, 4, None, 5, pair, 6)
    return last


def wr_set(suite, count):
    callee, rect, point, extent = CALLEES[suite], Rect(1, 2, 3, 4), Point(1, 2), Range(1, 2)
    for index in range(count):
        rect.x = index
        last = callee(None, None, rect, point, extent).x
    return last


# A function object made of its types and an address, for each call. (ctypes keeps the function types it has made.)


def w0_create(suite, count):
    types, address = TYPES[suite], ADDRESSES[suite]
    for _ in range(count):
        ctypes.CFUNCTYPE(*types)(address)(None, None)
    return 0


def w2_create(suite, count):
    types, address = TYPES[suite], ADDRESSES[suite]
    for index in range(count):
        last = ctypes.CFUNCTYPE(*types)(address)(None, None, index, 2)
    return last


def w4_create(suite, count):
    types, address, pair = TYPES[suite], ADDRESSES[suite], Pair(3, 4)
    for index in range(count):
        last = ctypes.CFUNCTYPE(*types)(address)(None, None, index, 2, 3, 4, None, 5, pair, 6)
    return last


def wr_create(suite, count):
    types, address = TYPES[suite], ADDRESSES[suite]
    rect, point, extent = Rect(1, 2, 3, 4), Point(1, 2), Range(1, 2)
    for index in range(count):
        rect.x = index
        last = ctypes.CFUNCTYPE(*types)(address)(None, None, rect, point, extent).x
    return last


LOOP = ctypes.CFUNCTYPE(c_double, c_int, c_size_t)
ROWS = [
    (W0, b"set", LOOP(w0_set)),
    (W0, b"create", LOOP(w0_create)),
    (W2, b"set", LOOP(w2_set)),
    (W2, b"create", LOOP(w2_create)),
    (W4, b"set", LOOP(w4_set)),
    (W4, b"create", LOOP(w4_create)),
    (WR, b"set", LOOP(wr_set)),
    (WR, b"create", LOOP(wr_create)),
]
library.peer_add.argtypes = [c_int, c_char_p, LOOP]
library.peer_add.restype = None
library.peer_report.argtypes = [c_char_p]
for row in ROWS:
    library.peer_add(*row)
sys.exit(library.peer_report(b"ctypes"))
