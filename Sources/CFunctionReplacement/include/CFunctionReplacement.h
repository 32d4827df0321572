#ifndef CFUNCTION_REPLACEMENT_H
#define CFUNCTION_REPLACEMENT_H

#include <stdbool.h>
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

/// The entry of asynchronous functions, or null if there is none for the processor. The one for functions of other libraries
/// makes a context of its own: callers may have read the size of the context before the code was exchanged.
const void *_Nullable creplace_async_entry(bool is_imported);

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

// The places of loaded images at which there is the address of a function of another library: entries of the global offset
// table, and words of constant data. The images call the function through them.

/// A function that is told of an image: its base; its path, which is empty for the program; whether it is the program or its file is in
/// the program's folder or below; and the address that is in place, or null if the dynamic linker has not looked it up yet.
///
/// It must neither load nor unload a library.
typedef void (*creplace_image_visitor)(
  uintptr_t base, const char *_Nonnull path, bool is_near, const void *_Nullable bound, void *_Nullable context);

/// Visits each image that calls a symbol through such a place. Does nothing on other platforms than Linux.
///
/// Words of data that the program can write count only if they have the address ``original``; with NULL none of them does.
void creplace_visit_callers(
  const char *_Nonnull symbol, const void *_Nullable original, creplace_image_visitor _Nonnull visitor, void *_Nullable context);

/// Writes a word to all such places of the image with a base, each atomically. Pages that are read-only are writable meanwhile, so that
/// one thread at a time may do it.
void creplace_exchange_slots(
  const char *_Nonnull symbol, const void *_Nullable original, uintptr_t base, const void *_Nonnull word);

/// Writes a word of the data of any image, in the same way.
void creplace_exchange_word(void *_Nonnull place, const void *_Nonnull word);

/// Notes that this thread runs code that decides who answers a call; false if it does so already, as that code has made the call.
bool creplace_go_inside(void);

/// Notes that this thread no longer does.
void creplace_go_outside(void);

#endif
