#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cffi_libraries.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <link.h>
#endif

void cffi_visit_library_folders(void *handle, cffi_name_visitor visitor, void *context) {
#if defined(__GLIBC__)
  Dl_serinfo size;
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) != 0) return;
  Dl_serinfo *folders = malloc(size.dls_size);
  if (folders == NULL) return;
  // The size is asked for once more, into the memory itself: the names are written behind the list.
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(handle, RTLD_DI_SERINFO, folders) == 0) {
    for (unsigned int i = 0; i < folders->dls_cnt; i++) visitor(folders->dls_serpath[i].dls_name, context);
  }
  free(folders);
#else
  (void)handle, (void)visitor, (void)context;
#endif
}

void cffi_visit_entries(const char *folder, cffi_name_visitor visitor, void *context) {
  DIR *entries = opendir(folder);
  if (entries == NULL) return;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) visitor(entry->d_name, context);
  closedir(entries);
}
