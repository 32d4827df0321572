#ifndef CFFI_SYMBOLS_H
#define CFFI_SYMBOLS_H

#include <stddef.h>

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

/// What a symbol table says that a symbol stands for.
typedef enum {
  /// No table tells: objects are not ELF, or the table gives the symbol no type.
  CFFI_SYMBOL_UNKNOWN = 0,
  CFFI_SYMBOL_FUNCTION = 1,
  CFFI_SYMBOL_DATA = 2,
} cffi_symbol_kind;

/// Tells what the symbol is that `dlsym` found at an address, from the table of the loaded object that the address lies in.
///
/// The address of a thread-local variable lies in no object; its symbol is then looked for in the tables of all.
/// `size` receives the bytes that the table states, or 0 when it states none.
cffi_symbol_kind cffi_describe_symbol(const char *_Nonnull name, const void *_Nonnull address, size_t *_Nonnull size);

// The folders of libraries.

/// Is called with a name, which is good for the time of the call.
typedef void (*cffi_name_visitor)(const char *_Nonnull name, void *_Nullable context);

/// Calls the visitor with each folder in which the dynamic linker looks for libraries, in that order; with none where it does not tell.
///
/// - handle: What dlopen returned for the process.
void cffi_visit_library_folders(void *_Nonnull handle, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Calls the visitor with the name of each entry of a folder; with none where it cannot be read.
void cffi_visit_entries(const char *_Nonnull folder, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

#endif
