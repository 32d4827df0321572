#ifndef CFFI_CLOSURE_H
#define CFFI_CLOSURE_H

#include <stdbool.h>

#include "cffi_frame.h"
#include "cffi_kernel.h"

// Closures: code pointers that C can call, which enter a function of Swift with a context.
//
// The code is a bank of stubs, compiled like any other; no page is ever writable and executable. Each stub belongs to a slot in writable
// memory, which says what the stub enters. Assembly: C cannot say a function that keeps all argument registers, whatever their number.

/// The slots of the bank that is part of the program; NULL where there are no entries for the processor.
cffi_closure_slot *_Nullable cffi_closure_first_bank(void);

/// Maps another copy of the stubs, with slots of its own; NULL when the system refuses.
///
/// The code is mapped from the file that the program was loaded from, or from a file in memory; it is never writable.
cffi_closure_slot *_Nullable cffi_closure_map_bank(void);

/// The entry that fills the registers of the frame which a kernel reads, or NULL when there is none. It fills in as many vector registers as a
/// call has, and maybe more. Stack words stay where the caller has them.
const void *_Nullable cffi_closure_entry(cffi_kernel _Nonnull kernel, int vector_count);

/// Opens a free slot for calls.
void cffi_closure_open(
    cffi_closure_slot *_Nonnull slot, const void *_Nonnull entry, const void *_Nonnull function, void *_Nullable context,
    void *_Nonnull body);

/// Closes a slot: from now on a call traps with a message. Returns whether no call is running, so that the slot is free.
bool cffi_closure_close(cffi_closure_slot *_Nonnull slot);

/// Whether a closed slot has become free: no call is running any more, and nobody has asked before.
bool cffi_closure_is_free(cffi_closure_slot *_Nonnull slot);

/// Says what the last running call of a closed slot is to call.
void cffi_closure_on_last_exit(void (*_Nonnull handler)(cffi_closure_slot *_Nonnull slot));

#endif
