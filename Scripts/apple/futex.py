# Gives Apple's platforms the functions that a header of the toolchain has for Linux only: _SynchronizationShims.h. Nothing calls them here.
import sys

path = sys.argv[1]
text = open(path).read()
end = text.rindex("#endif")
names = "futex_lock", "futex_trylock", "futex_unlock"
functions = "".join(f"static inline __swift_uint32_t _swift_stdlib_{name}(__swift_uint32_t *lock) {{ return 0; }}\n" for name in names)
thread = "static inline __swift_uint32_t _swift_stdlib_gettid(void) { return 1; }\n"
open(path, "w").write(text[:end] + "#if defined(__APPLE__)\n" + thread + functions + "#endif\n" + text[end:])
