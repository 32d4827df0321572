#ifndef CFFI_SYMBOLS_H
#define CFFI_SYMBOLS_H

// This is C because the tables of a loaded object are ELF structures whose names and widths are macros of the system's headers.

/// Receives one symbol name, valid for the time of the call. It must neither load nor unload a library.
typedef void (*cffi_symbol_visitor)(const char *_Nonnull name, void *_Nullable context);

/// Visits the functions and variables that the object behind a `dlopen` handle exports; its dependencies are left out.
///
/// Versions that only old programs are given are left out as well. Nothing is visited where objects are not ELF.
void cffi_visit_symbols(void *_Nonnull handle, cffi_symbol_visitor _Nonnull visitor, void *_Nullable context);

/// Visits the functions and variables that any object loaded into the process exports.
///
/// A name is visited once for each object that has it. Nothing is visited where objects are not ELF.
void cffi_visit_process_symbols(cffi_symbol_visitor _Nonnull visitor, void *_Nullable context);

#endif
