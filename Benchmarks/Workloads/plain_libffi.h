#ifndef PLAIN_LIBFFI_H
#define PLAIN_LIBFFI_H

// libffi as a program without this package uses it, in a build with the trait LibFFI.
#if CFFI_LIBFFI
#if __has_include(<ffi.h>)
#include <ffi.h>
#else
#include <ffi/ffi.h>
#endif
#endif

#endif
