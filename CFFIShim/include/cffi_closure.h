#ifndef CFFI_CLOSURE_H
#define CFFI_CLOSURE_H

#include <stdbool.h>

#include "cffi_frame.h"
#include "cffi_kernel.h"

// Closures: code pointers that C can call, which call a Swift function with a context.
//
// The code is a bank of stubs that is compiled ahead of time; no page is ever writable and executable. Each stub
// belongs to a slot in writable memory, which specifies what the stub jumps to. The stubs are written in assembly,
// because C cannot express a function that preserves all argument registers.

/// Returns the slots of the bank that is part of the program, or NULL if there are no entries for the processor.
cffi_closure_slot *_Nullable cffi_closure_first_bank(void);

/// Maps another copy of the stubs with its own slots.
///
/// Returns NULL if the system does not allow it.
///
/// The code is mapped from the file that the program was loaded from, or from a file in memory; it is never writable.
cffi_closure_slot *_Nullable cffi_closure_map_bank(void);

/// Returns the entry that stores the registers to a frame in the layout that a kernel reads, or NULL if there is no
/// such entry.
///
/// It stores at least `vector_count` vector registers. Stack words stay in the caller's frame.
const void *_Nullable cffi_closure_entry(cffi_kernel _Nonnull kernel, int vector_count);

/// Opens a free slot for calls.
void cffi_closure_open(
    cffi_closure_slot *_Nonnull slot, const void *_Nonnull entry, const void *_Nonnull function, void *_Nullable context,
    void *_Nonnull body);

/// Closes a slot, so that later calls trap with a message.
///
/// Returns whether no call is running and the slot is therefore free.
bool cffi_closure_close(cffi_closure_slot *_Nonnull slot);

/// Returns true once for a closed slot when no call is running any more and the slot is therefore free.
bool cffi_closure_is_free(cffi_closure_slot *_Nonnull slot);

/// Sets the function that the last running call of a closed slot calls.
void cffi_closure_on_last_exit(void (*_Nonnull handler)(cffi_closure_slot *_Nonnull slot));

#endif
