#ifndef CFFI_SYMBOLS_H
#define CFFI_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// These functions are in C because the tables of a loaded object are ELF structures whose names and widths are macros
// of the system's headers.

/// A function that receives a name, which is valid for the duration of the call.
///
/// The function must neither load nor unload a library.
typedef void (*cffi_name_visitor)(const char *_Nonnull name, void *_Nullable context);

/// Visits the functions, the variables and the symbols without a type that the object of a `dlopen` handle exports, without
/// its dependencies.
///
/// Symbol versions that are visible only to programs linked against old versions are skipped. Does nothing on platforms
/// that do not use ELF.
void cffi_visit_symbols(void *_Nonnull handle, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Visits the same symbols of each object that is loaded into the process.
///
/// A name is visited once for each object that exports it. Does nothing on platforms that do not use ELF.
void cffi_visit_process_symbols(cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Visits the names of the versions of a symbol that the object of a `dlopen` handle defines, or for NULL any object that is
/// loaded.
///
/// Does nothing on platforms that do not use ELF.
void cffi_visit_versions(
  void *_Nullable handle, const char *_Nonnull name, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Returns the address of a version of a symbol, or NULL if there is none or if the system has no versions of symbols.
const void *_Nullable cffi_find_version(void *_Nonnull handle, const char *_Nonnull name, const char *_Nonnull version);

/// The kind of a symbol, according to a symbol table.
typedef enum {
  /// Unknown: objects are not ELF, or the table states no type for the symbol.
  CFFI_SYMBOL_UNKNOWN = 0,
  CFFI_SYMBOL_FUNCTION = 1,
  CFFI_SYMBOL_DATA = 2,
} cffi_symbol_kind;

/// Returns the kind of the symbol that `dlsym` found at an address, from the symbol table of the loaded object that
/// contains the address.
///
/// The address of a thread-local variable is not in an object, and an indirect function may be in another object.
/// Their symbols are searched for in the tables of all objects.
/// `size` receives the size in bytes that the table states, or 0 if it states no size.
cffi_symbol_kind cffi_describe_symbol(const char *_Nonnull name, const void *_Nonnull address, size_t *_Nonnull size);

/// Finds the loaded object that contains an address: the address at which it begins, and its path.
///
/// Returns 0 if no object contains the address. The path is valid while the object is loaded.
int cffi_find_object(const void *_Nonnull address, const void *_Nullable *_Nonnull start, const char *_Nullable *_Nonnull path);

// The directories of libraries.

/// Calls the visitor with each directory that the dynamic linker searches for libraries, in search order.
///
/// Does nothing if the dynamic linker does not report them.
///
/// - Parameter handle: The handle that dlopen returned for the process.
void cffi_visit_library_folders(void *_Nonnull handle, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

// Loaded libraries.

/// Where an object is loaded.
typedef struct {
  /// The difference between an address in memory and the address in the file.
  uintptr_t base;
  /// The program headers in memory.
  const void *_Nullable program_headers;
  size_t program_header_bytes;
} cffi_library_image;

/// Describes the object of a `dlopen` handle and calls the visitor with its path, which is empty for the program.
///
/// Returns false, without calling the visitor, on platforms that do not use ELF.
bool cffi_find_image(
  void *_Nonnull handle, cffi_library_image *_Nonnull image, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Calls the visitor with each name that a loaded object exports and that contains several texts.
///
/// - Parameter texts: The texts, each with a zero byte at its end; an empty one is the last.
void cffi_visit_exported_names(const char *_Nonnull texts, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Calls the visitor with each name of a defined symbol that contains several texts.
///
/// The symbols and the names are the two sections of an ELF file of this processor.
void cffi_visit_table_names(
  const void *_Nonnull symbols, size_t size, const char *_Nonnull names, size_t names_size, const char *_Nonnull texts,
  cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Returns the number of bytes that are readable from an address on, in the object loaded at a base; 0 for none.
size_t cffi_readable_bytes(uintptr_t base, const void *_Nullable address);

/// Returns whether a type conforms to a protocol, given the type's metadata and the protocol's descriptor.
bool cffi_swift_conforms(const void *_Nonnull type, const void *_Nonnull protocol);

/// Returns whether the deinitializer of an object has begun: code that retains the object then has one that is gone.
bool cffi_is_deallocating(const void *_Nonnull object);

/// Calls the visitor with the name of each entry of a directory.
///
/// Does nothing if the directory cannot be read.
void cffi_visit_entries(const char *_Nonnull folder, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

#endif
