#ifndef CFUNCTION_REPLACEMENT_H
#define CFUNCTION_REPLACEMENT_H

#include <stdint.h>

#include "cffi_frame.h"
#include "creplace.h"

// The entries of functions that are replaced. The compiler lets a function jump to the code in a variable, with all its
// arguments in their registers and on the stack. That code is a stub whose slot has one of these entries.

/// The function of a slot: it gets the frame of a call, and the body of the slot.
///
/// A frame is a wide register image of the Swift convention. For a synchronous function the result is the code that the
/// call goes on to, with the arguments as they were, or null if the results are in the frame. For an asynchronous one it
/// is the async function pointer of what is called, with the arguments in the frame; CREPLACE_ASYNC_CALL is not null if
/// its results are then in the frame too.
typedef const void *_Nullable (*creplace_function)(void *_Nonnull frame, void *_Nonnull body);

/// The entry of synchronous functions, or null if there is none for the processor. The register of stubs has the slot.
const void *_Nullable creplace_entry(void);

/// The entry of asynchronous functions, or null if there is none for the processor.
const void *_Nullable creplace_async_entry(void);

/// Stores a word atomically.
void creplace_store(void *_Nonnull variable, const void *_Nonnull word);

/// Makes the next function that this thread enters run its own code, although the variable of it has other code.
///
/// It must be entered at once, and its variable must not be written to meanwhile.
void creplace_enter_original(void *_Nonnull variable);

/// Returns the metadata of a function type.
const void *_Nonnull creplace_function_type(
    uintptr_t flags, const void *_Nonnull parameters, const uint32_t *_Nullable parameter_flags, const void *_Nonnull result);

/// Frees an object of a class whose stored properties were not set.
void creplace_free_object(void *_Nonnull object, const void *_Nonnull metadata, uintptr_t size, uintptr_t alignment_mask);

/// The number of bytes that this thread has left on its stack; the greatest number if that is not known.
uintptr_t creplace_stack_left(void);

#endif
