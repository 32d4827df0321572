#ifndef CFFISHIM_H
#define CFFISHIM_H

#include "cffi_call.h"
#include "cffi_closure.h"
#include "cffi_ffi.h"
#include "cffi_forwarding.h"
#include "cffi_frame.h"
#include "cffi_kernel.h"
#include "cffi_libraries.h"
#include "cffi_lock.h"
#include "cffi_long_double.h"
#include "cffi_memory.h"
#include "cffi_object.h"
#include "cffi_pass.h"
#include "cffi_sanitizer.h"
#include "cffi_symbols.h"

#endif
