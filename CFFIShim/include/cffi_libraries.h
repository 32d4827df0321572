#ifndef CFFI_LIBRARIES_H
#define CFFI_LIBRARIES_H

/// Is called with a name, which is good for the time of the call.
typedef void (*cffi_name_visitor)(const char *_Nonnull name, void *_Nullable context);

/// Calls the visitor with each folder in which the dynamic linker looks for libraries, in that order; with none where it does not tell.
///
/// - handle: What dlopen returned for the process.
void cffi_visit_library_folders(void *_Nonnull handle, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

/// Calls the visitor with the name of each entry of a folder; with none where it cannot be read.
void cffi_visit_entries(const char *_Nonnull folder, cffi_name_visitor _Nonnull visitor, void *_Nullable context);

#endif
