#ifndef CFFI_FFI_H
#define CFFI_FFI_H

// The one place that finds libffi's header.
#if defined(__has_include)
#if __has_include(<ffi.h>)
#include <ffi.h>
#elif __has_include(<ffi/ffi.h>)
#include <ffi/ffi.h>
#else
#error "libffi's header ffi.h was not found. Install it: Debian and Ubuntu 'apt-get install libffi-dev', Fedora 'dnf install libffi-devel', Homebrew 'brew install libffi'."
#endif
#else
#include <ffi.h>
#endif

#endif
