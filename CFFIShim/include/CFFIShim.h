#ifndef CFFISHIM_H
#define CFFISHIM_H

#include "cffi_async.h"
#include "cffi_call.h"
#include "cffi_closure.h"
#include "cffi_fields.h"
#include "cffi_frame.h"
#include "cffi_kernel.h"
#include "cffi_lock.h"
#include "cffi_long_double.h"
#include "cffi_memory.h"
#include "cffi_process.h"
#include "cffi_symbols.h"
#include "cffi_thread.h"

#endif
