#ifndef CFFI_ASYNC_H
#define CFFI_ASYNC_H

/// Returns the async function pointer of the entry that calls an asynchronous Swift function, or null if there is none for
/// the processor.
///
/// The entry has the type `@concurrent () async -> Void` and takes an object as its context, whose first field is the
/// address of a frame: a wide register image of the Swift convention, in which CFFI_SWIFT_ASYNC_CONTEXT is the address of
/// the async context of the function and CFFI_SWIFT_ASYNC_CODE the address of its code.
const void *_Nullable cffi_async_entry(void);

#endif
