#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cffi_symbols.h"

#if defined(__ELF__) && defined(__has_include)
#if __has_include(<link.h>)
#define CFFI_HAS_ELF_SYMBOLS 1
#endif
#endif

#ifdef CFFI_HAS_ELF_SYMBOLS

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The low four bits of st_info are the type and the rest the binding, in 32-bit and 64-bit objects alike.
#define CFFI_SYMBOL_TYPE(info) ((info) & 15)
#define CFFI_SYMBOL_BINDING(info) ((unsigned char)(info) >> 4)

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif
#ifndef DT_VERSYM
#define DT_VERSYM 0x6ffffff0
#endif
#ifndef DT_VERDEF
#define DT_VERDEF 0x6ffffffc
#define DT_VERDEFNUM 0x6ffffffd
#endif

// A symbol that is unique in a process even if several objects define it: a static variable of a C++ inline function.
#define CFFI_BINDING_UNIQUE 10

// The flag of an old version of a symbol, which is visible only to programs linked against that version.
#define CFFI_VERSION_HIDDEN 0x8000

typedef struct {
  // The dynamic section of the one object to visit, or NULL for all.
  const void *only;
  // The symbol whose versions are visited, or NULL for all symbols.
  const char *versioned;
  cffi_name_visitor visitor;
  void *context;
} cffi_walk;

// Returns the number of bytes in the loadable segment from `address` on, or 0 if the object has no readable segment
// there.
static size_t cffi_readable(const struct dl_phdr_info *object, uintptr_t address) {
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R)) continue;
    const uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
    if (address >= start && address - start < segment->p_memsz) return segment->p_memsz - (address - start);
  }
  return 0;
}

// glibc replaces the addresses in a dynamic section by relocated addresses. With musl and in read-only sections they
// are the addresses in the file. The address that is inside the object is the correct one.
static const void *cffi_resolve(const struct dl_phdr_info *object, ElfW(Addr) value) {
  if (value == 0) return NULL;
  if (cffi_readable(object, (uintptr_t)value)) return (const void *)(uintptr_t)value;
  const uintptr_t moved = (uintptr_t)(object->dlpi_addr + value);
  return cffi_readable(object, moved) ? (const void *)moved : NULL;
}

// Returns the number of symbols according to a GNU hash table: the index of the last symbol of the last chain plus one.
static size_t cffi_gnu_hash_count(const struct dl_phdr_info *object, const uint32_t *table) {
  const size_t readable = cffi_readable(object, (uintptr_t)table);
  if (readable < 4 * sizeof(uint32_t)) return 0;
  const uint64_t bucket_count = table[0];
  const uint64_t first_symbol = table[1];
  const uint64_t filter_words = table[2];
  const uint64_t buckets_offset = 4 * sizeof(uint32_t) + filter_words * sizeof(ElfW(Addr));
  const uint64_t chains_offset = buckets_offset + bucket_count * sizeof(uint32_t);
  if (chains_offset > readable) return 0;
  const uint32_t *buckets = (const uint32_t *)((const char *)table + buckets_offset);
  const uint32_t *chains = (const uint32_t *)((const char *)table + chains_offset);

  uint64_t last = 0;
  for (uint64_t index = 0; index < bucket_count; index += 1) {
    if (buckets[index] > last) last = buckets[index];
  }
  if (last < first_symbol || last == 0) return 0;
  const uint64_t chain_count = (readable - chains_offset) / sizeof(uint32_t);
  // The lowest bit of a word marks the end of its chain.
  while (last - first_symbol < chain_count) {
    if (chains[last - first_symbol] & 1) return (size_t)(last + 1);
    last += 1;
  }
  return 0;
}

static size_t cffi_hash_count(const struct dl_phdr_info *object, const uint32_t *table) {
  return cffi_readable(object, (uintptr_t)table) < 2 * sizeof(uint32_t) ? 0 : table[1];
}

static bool cffi_is_defined(const ElfW(Sym) *symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_name == 0) return false;
  // The linker defines an absolute symbol without a value for each symbol version.
  if (symbol->st_shndx == SHN_ABS && symbol->st_value == 0) return false;
  const int binding = CFFI_SYMBOL_BINDING(symbol->st_info);
  return binding == STB_GLOBAL || binding == STB_WEAK || binding == CFFI_BINDING_UNIQUE;
}

// Functions, variables, also thread-local ones, and symbols without a type: a function in assembly may have none.
static bool cffi_is_exported(const ElfW(Sym) *symbol) {
  if (!cffi_is_defined(symbol)) return false;
  switch (CFFI_SYMBOL_TYPE(symbol->st_info)) {
  case STT_FUNC:
  case STT_OBJECT:
  case STT_GNU_IFUNC:
  case STT_TLS:
  case STT_NOTYPE: return true;
  default: return false;
  }
}

// The symbol table of a loaded object. Loads are limited to the segments of the object.
typedef struct {
  const ElfW(Sym) *symbols;
  size_t count;
  const char *names;
  size_t names_size;
  const uint16_t *versions;
  size_t version_count;
  // The definitions of versions, a list of ElfW(Verdef).
  const char *definitions;
  size_t definitions_size;
  size_t definition_count;
} cffi_symbol_table;

static cffi_symbol_table cffi_table(const struct dl_phdr_info *object, const ElfW(Dyn) *dynamic) {
  cffi_symbol_table table = {0};
  const uint32_t *gnu_hash = NULL;
  const uint32_t *hash = NULL;
  for (; dynamic->d_tag != DT_NULL; dynamic += 1) {
    switch (dynamic->d_tag) {
    case DT_SYMTAB: table.symbols = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_STRTAB: table.names = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_STRSZ: table.names_size = dynamic->d_un.d_val; break;
    case DT_GNU_HASH: gnu_hash = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_VERSYM: table.versions = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_VERDEF: table.definitions = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_VERDEFNUM: table.definition_count = dynamic->d_un.d_val; break;
    case DT_HASH: hash = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    default: break;
    }
  }
  if (!table.symbols || !table.names) return table;
  table.count = gnu_hash ? cffi_gnu_hash_count(object, gnu_hash) : 0;
  if (table.count == 0 && hash) table.count = cffi_hash_count(object, hash);
  const size_t symbol_room = cffi_readable(object, (uintptr_t)table.symbols) / sizeof(ElfW(Sym));
  if (table.count > symbol_room) table.count = symbol_room;
  table.version_count = table.versions ? cffi_readable(object, (uintptr_t)table.versions) / sizeof(uint16_t) : 0;
  table.definitions_size = table.definitions ? cffi_readable(object, (uintptr_t)table.definitions) : 0;
  const size_t name_room = cffi_readable(object, (uintptr_t)table.names);
  if (table.names_size > name_room) table.names_size = name_room;
  return table;
}

// Returns the name at an offset, or NULL if the table does not contain all of it.
static const char *cffi_text(const cffi_symbol_table *table, size_t offset) {
  if (offset >= table->names_size) return NULL;
  const char *name = table->names + offset;
  return memchr(name, 0, table->names_size - offset) ? name : NULL;
}

static const char *cffi_name(const cffi_symbol_table *table, const ElfW(Sym) *symbol) { return cffi_text(table, symbol->st_name); }

// Returns the name of the version of a symbol, or NULL if it has none.
static const char *cffi_version(const cffi_symbol_table *table, size_t index) {
  if (index >= table->version_count) return NULL;
  const unsigned wanted = table->versions[index] & ~CFFI_VERSION_HIDDEN;
  size_t offset = 0;
  for (size_t number = 0; number < table->definition_count; number += 1) {
    if (offset + sizeof(ElfW(Verdef)) > table->definitions_size) return NULL;
    const ElfW(Verdef) *definition = (const void *)(table->definitions + offset);
    if (definition->vd_ndx == wanted) {
      const size_t first = offset + definition->vd_aux;
      // The base version is the name of the library, not a version of a symbol.
      if ((definition->vd_flags & VER_FLG_BASE) || first + sizeof(ElfW(Verdaux)) > table->definitions_size) return NULL;
      return cffi_text(table, ((const ElfW(Verdaux) *)(const void *)(table->definitions + first))->vda_name);
    }
    if (definition->vd_next == 0) return NULL;
    offset += definition->vd_next;
  }
  return NULL;
}

static bool cffi_is_old_version(const cffi_symbol_table *table, size_t index) {
  return index < table->version_count && (table->versions[index] & CFFI_VERSION_HIDDEN);
}

static void cffi_visit_object(const struct dl_phdr_info *object, const ElfW(Dyn) *dynamic, const cffi_walk *walk) {
  const cffi_symbol_table table = cffi_table(object, dynamic);
  for (size_t index = 0; index < table.count; index += 1) {
    if (walk->versioned ? !cffi_is_defined(&table.symbols[index]) : !cffi_is_exported(&table.symbols[index])) continue;
    if (!walk->versioned && cffi_is_old_version(&table, index)) continue;
    const char *name = cffi_name(&table, &table.symbols[index]);
    if (name && walk->versioned) name = strcmp(name, walk->versioned) == 0 ? cffi_version(&table, index) : NULL;
    if (name) walk->visitor(name, walk->context);
  }
}

static const ElfW(Dyn) *cffi_dynamic(const struct dl_phdr_info *object) {
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    if (object->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
    return (const ElfW(Dyn) *)(uintptr_t)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
  }
  return NULL;
}

static int cffi_visit_loaded(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const cffi_walk *walk = context;
  const ElfW(Dyn) *dynamic = cffi_dynamic(object);
  if (!dynamic || (walk->only && walk->only != dynamic)) return 0;
  cffi_visit_object(object, dynamic, walk);
  return walk->only != NULL;
}

static void cffi_visit(void *handle, cffi_walk walk) {
  if (handle) {
#ifdef __ANDROID__
    // Android's linker does not report the object of a handle.
    return;
#else
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_ld) return;
    walk.only = map->l_ld;
#endif
  }
  dl_iterate_phdr(cffi_visit_loaded, &walk);
}

void cffi_visit_symbols(void *handle, cffi_name_visitor visitor, void *context) {
  cffi_visit(handle, (cffi_walk){NULL, NULL, visitor, context});
}

void cffi_visit_process_symbols(cffi_name_visitor visitor, void *context) {
  cffi_visit(NULL, (cffi_walk){NULL, NULL, visitor, context});
}

void cffi_visit_versions(void *handle, const char *name, cffi_name_visitor visitor, void *context) {
  cffi_visit(handle, (cffi_walk){NULL, name, visitor, context});
}

// A search for the kind of the symbol at an address.
typedef struct {
  const char *name;
  uintptr_t address;
  // The type of the symbols to search for in all objects, or 0 to search only the object that contains the address.
  int anywhere;
  cffi_symbol_kind kind;
  size_t size;
} cffi_search;

static bool cffi_contains(const struct dl_phdr_info *object, uintptr_t address) {
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    const uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
    if (address >= start && address - start < segment->p_memsz) return true;
  }
  return false;
}

// The results of a search that has ended: the symbol, or an object that contains the address and has no such symbol.
#define CFFI_SEARCH_FOUND 1
#define CFFI_SEARCH_FAILED 2

static int cffi_search_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  cffi_search *search = context;
  if (!search->anywhere && !cffi_contains(object, search->address)) return 0;
  const ElfW(Dyn) *dynamic = cffi_dynamic(object);
  if (!dynamic) return search->anywhere ? 0 : CFFI_SEARCH_FAILED;
  const cffi_symbol_table table = cffi_table(object, dynamic);
  for (size_t index = 0; index < table.count; index += 1) {
    const ElfW(Sym) *symbol = &table.symbols[index];
    if (!cffi_is_defined(symbol)) continue;
    const int type = CFFI_SYMBOL_TYPE(symbol->st_info);
    if (search->anywhere ? type != search->anywhere : type == STT_TLS) continue;
    // `dlsym` returns the resolved address of an indirect function. For other symbols, the version at the address is
    // the one that was found.
    if (type != STT_TLS && type != STT_GNU_IFUNC && (uintptr_t)(object->dlpi_addr + symbol->st_value) != search->address) continue;
    const char *name = cffi_name(&table, symbol);
    if (!name || strcmp(name, search->name) != 0) continue;
    switch (type) {
    case STT_FUNC:
    case STT_GNU_IFUNC: search->kind = CFFI_SYMBOL_FUNCTION; break;
    case STT_OBJECT:
    case STT_COMMON:
    case STT_TLS: search->kind = CFFI_SYMBOL_DATA; break;
    default: search->kind = CFFI_SYMBOL_UNKNOWN; break;
    }
    search->size = symbol->st_size;
    return CFFI_SEARCH_FOUND;
  }
  return search->anywhere ? 0 : CFFI_SEARCH_FAILED;
}

// A search for the object of a handle.
typedef struct {
  const void *dynamic;
  cffi_library_image *image;
} cffi_image_search;

static int cffi_describe_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const cffi_image_search *search = context;
  if (cffi_dynamic(object) != search->dynamic) return 0;
  search->image->base = (uintptr_t)object->dlpi_addr;
  search->image->program_headers = object->dlpi_phdr;
  search->image->program_header_bytes = object->dlpi_phnum * sizeof(ElfW(Phdr));
  return 1;
}

bool cffi_find_image(void *handle, cffi_library_image *image, cffi_name_visitor visitor, void *context) {
#ifdef __ANDROID__
  (void)handle, (void)image, (void)visitor, (void)context;
  return false;
#else
  struct link_map *map = NULL;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_ld) return false;
  cffi_image_search search = {map->l_ld, image};
  if (dl_iterate_phdr(cffi_describe_object, &search) == 0) return false;
  visitor(map->l_name ? map->l_name : "", context);
  return true;
#endif
}

// A search for the bytes that are readable from an address on.
typedef struct {
  uintptr_t base;
  uintptr_t address;
  size_t readable;
} cffi_readable_search;

static int cffi_measure_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  cffi_readable_search *search = context;
  if ((uintptr_t)object->dlpi_addr != search->base) return 0;
  search->readable = cffi_readable(object, search->address);
  return search->readable != 0;
}

size_t cffi_readable_bytes(uintptr_t base, const void *address) {
  cffi_readable_search search = {base, (uintptr_t)address, 0};
  dl_iterate_phdr(cffi_measure_object, &search);
  return search.readable;
}

// A search for names with several texts in them, which follow each other and end with an empty one.
typedef struct {
  const char *texts;
  cffi_name_visitor visitor;
  void *context;
} cffi_text_search;

static bool cffi_has_texts(const char *name, const char *texts) {
  for (; *texts; texts += strlen(texts) + 1) {
    if (!strstr(name, texts)) return false;
  }
  return true;
}

// Whether a table of names contains all texts somewhere: most tables have no name that is searched for.
static bool cffi_may_have_texts(const char *names, size_t size, const char *texts) {
  for (; *texts; texts += strlen(texts) + 1) {
    if (!memmem(names, size, texts, strlen(texts))) return false;
  }
  return true;
}

static int cffi_search_names(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const cffi_text_search *search = context;
  const ElfW(Dyn) *dynamic = cffi_dynamic(object);
  if (!dynamic) return 0;
  const cffi_symbol_table table = cffi_table(object, dynamic);
  if (table.count == 0 || !cffi_may_have_texts(table.names, table.names_size, search->texts)) return 0;
  for (size_t index = 0; index < table.count; index += 1) {
    const char *name = cffi_is_exported(&table.symbols[index]) ? cffi_name(&table, &table.symbols[index]) : NULL;
    if (name && cffi_has_texts(name, search->texts)) search->visitor(name, search->context);
  }
  return 0;
}

void cffi_visit_exported_names(const char *texts, cffi_name_visitor visitor, void *context) {
  cffi_text_search search = {texts, visitor, context};
  dl_iterate_phdr(cffi_search_names, &search);
}

void cffi_visit_table_names(
  const void *symbols, size_t size, const char *names, size_t names_size, const char *texts, cffi_name_visitor visitor, void *context) {
  // The last name ends within the table.
  if (names_size == 0 || names[names_size - 1] != 0 || !cffi_may_have_texts(names, names_size, texts)) return;
  for (size_t offset = 0; offset + sizeof(ElfW(Sym)) <= size; offset += sizeof(ElfW(Sym))) {
    ElfW(Sym) symbol;
    memcpy(&symbol, (const char *)symbols + offset, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name == 0 || symbol.st_name >= names_size) continue;
    if (cffi_has_texts(names + symbol.st_name, texts)) visitor(names + symbol.st_name, context);
  }
}

cffi_symbol_kind cffi_describe_symbol(const char *name, const void *address, size_t *size) {
  cffi_search search = {name, (uintptr_t)address, 0, CFFI_SYMBOL_UNKNOWN, 0};
  int found = dl_iterate_phdr(cffi_search_object, &search);
  if (found == 0) {
    search.anywhere = STT_TLS;
    if (dl_iterate_phdr(cffi_search_object, &search) != 0) found = CFFI_SEARCH_FOUND;
  }
  if (found != CFFI_SEARCH_FOUND) {
    // An indirect function may be in another object than its symbol: gettimeofday of AArch64 is the kernel's.
    search.anywhere = STT_GNU_IFUNC;
    dl_iterate_phdr(cffi_search_object, &search);
  }
  *size = search.size;
  return search.kind;
}

#else

void cffi_visit_exported_names(const char *texts, cffi_name_visitor visitor, void *context) { (void)texts, (void)visitor, (void)context; }

void cffi_visit_table_names(
  const void *symbols, size_t size, const char *names, size_t names_size, const char *texts, cffi_name_visitor visitor, void *context) {
  (void)symbols, (void)size, (void)names, (void)names_size, (void)texts, (void)visitor, (void)context;
}

cffi_symbol_kind cffi_describe_symbol(const char *name, const void *address, size_t *size) {
  (void)name, (void)address;
  *size = 0;
  return CFFI_SYMBOL_UNKNOWN;
}

void cffi_visit_symbols(void *handle, cffi_name_visitor visitor, void *context) {
  (void)handle, (void)visitor, (void)context;
}

void cffi_visit_process_symbols(cffi_name_visitor visitor, void *context) { (void)visitor, (void)context; }

void cffi_visit_versions(void *handle, const char *name, cffi_name_visitor visitor, void *context) {
  (void)handle, (void)name, (void)visitor, (void)context;
}

bool cffi_find_image(void *handle, cffi_library_image *image, cffi_name_visitor visitor, void *context) {
  (void)handle, (void)image, (void)visitor, (void)context;
  return false;
}

size_t cffi_readable_bytes(uintptr_t base, const void *address) {
  (void)base, (void)address;
  return 0;
}

#endif

// The Swift runtime's function, with the C convention. Every program that links this code links the runtime.
extern const void *swift_conformsToProtocol(const void *type, const void *protocol);

bool cffi_swift_conforms(const void *type, const void *protocol) { return swift_conformsToProtocol(type, protocol) != NULL; }

#if defined(__APPLE__)

// Functions of the Objective-C runtime, whose headers are not everywhere where this is compiled.
extern void objc_msgSend(void);
extern const void *sel_registerName(const char *name);

// Objects of Swift and of Objective-C answer it: no weak reference is made to an object that is being deallocated.
bool cffi_is_deallocating(const void *object) {
  bool (*send)(const void *, const void *) = (bool (*)(const void *, const void *))objc_msgSend;
  return !send(object, sel_registerName("allowsWeakReference"));
}

#else

extern bool swift_isDeallocating(const void *object);

bool cffi_is_deallocating(const void *object) { return swift_isDeallocating(object); }

#endif

// The directories of libraries.

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <link.h>
#endif

const void *cffi_find_version(void *handle, const char *name, const char *version) {
#if defined(__GLIBC__) || (defined(__ANDROID__) && __ANDROID_API__ >= 24)
  return dlvsym(handle, name, version);
#else
  (void)handle, (void)name, (void)version;
  return NULL;
#endif
}

int cffi_find_object(const void *address, const void **start, const char **path) {
  Dl_info information;
  if (!dladdr(address, &information)) return 0;
  *start = information.dli_fbase;
  *path = information.dli_fname;
  return 1;
}

void cffi_visit_library_folders(void *handle, cffi_name_visitor visitor, void *context) {
#if defined(__GLIBC__)
  Dl_serinfo size;
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) != 0) return;
  Dl_serinfo *folders = malloc(size.dls_size);
  if (folders == NULL) return;
  // The size is requested again into the allocated memory, as dlinfo requires: the names are written after the list.
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
