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

// The mark of an old version of a symbol, which only programs linked long ago are given.
#define CFFI_VERSION_HIDDEN 0x8000

typedef struct {
  // The dynamic section of the one object to visit, or NULL for all.
  const void *only;
  cffi_symbol_visitor visitor;
  void *context;
} cffi_walk;

// The bytes of the loadable segment from `address` on; 0 when the object has no readable segment there.
static size_t cffi_readable(const struct dl_phdr_info *object, uintptr_t address) {
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R)) continue;
    const uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
    if (address >= start && address - start < segment->p_memsz) return segment->p_memsz - (address - start);
  }
  return 0;
}

// glibc replaces the addresses in a dynamic section by relocated ones, musl and read-only sections keep the file's.
// The one that lies within the object is right.
static const void *cffi_resolve(const struct dl_phdr_info *object, ElfW(Addr) value) {
  if (value == 0) return NULL;
  if (cffi_readable(object, (uintptr_t)value)) return (const void *)(uintptr_t)value;
  const uintptr_t moved = (uintptr_t)(object->dlpi_addr + value);
  return cffi_readable(object, moved) ? (const void *)moved : NULL;
}

// The number of symbols that a GNU hash table speaks of: one more than the last symbol of the last chain.
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
  // The lowest bit of a chain's word marks the end of the chain.
  while (last - first_symbol < chain_count) {
    if (chains[last - first_symbol] & 1) return (size_t)(last + 1);
    last += 1;
  }
  return 0;
}

static size_t cffi_hash_count(const struct dl_phdr_info *object, const uint32_t *table) {
  return cffi_readable(object, (uintptr_t)table) < 2 * sizeof(uint32_t) ? 0 : table[1];
}

static bool cffi_is_exported(const ElfW(Sym) *symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_name == 0) return false;
  // The linker describes each symbol version by an absolute symbol without a value.
  if (symbol->st_shndx == SHN_ABS && symbol->st_value == 0) return false;
  const int binding = CFFI_SYMBOL_BINDING(symbol->st_info);
  if (binding != STB_GLOBAL && binding != STB_WEAK) return false;
  const int type = CFFI_SYMBOL_TYPE(symbol->st_info);
  return type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC;
}

static void cffi_visit_object(const struct dl_phdr_info *object, const ElfW(Dyn) *dynamic, const cffi_walk *walk) {
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  size_t names_size = 0;
  const uint32_t *gnu_hash = NULL;
  const uint32_t *hash = NULL;
  const uint16_t *versions = NULL;
  for (; dynamic->d_tag != DT_NULL; dynamic += 1) {
    switch (dynamic->d_tag) {
    case DT_SYMTAB: symbols = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_STRTAB: names = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_STRSZ: names_size = dynamic->d_un.d_val; break;
    case DT_GNU_HASH: gnu_hash = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_VERSYM: versions = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    case DT_HASH: hash = cffi_resolve(object, dynamic->d_un.d_ptr); break;
    default: break;
    }
  }
  if (!symbols || !names) return;
  size_t count = gnu_hash ? cffi_gnu_hash_count(object, gnu_hash) : 0;
  if (count == 0 && hash) count = cffi_hash_count(object, hash);
  const size_t symbol_room = cffi_readable(object, (uintptr_t)symbols) / sizeof(ElfW(Sym));
  if (count > symbol_room) count = symbol_room;
  const size_t version_count = versions ? cffi_readable(object, (uintptr_t)versions) / sizeof(uint16_t) : 0;
  const size_t name_room = cffi_readable(object, (uintptr_t)names);
  if (names_size > name_room) names_size = name_room;

  for (size_t index = 0; index < count; index += 1) {
    const ElfW(Sym) *symbol = &symbols[index];
    if (!cffi_is_exported(symbol) || symbol->st_name >= names_size) continue;
    if (index < version_count && (versions[index] & CFFI_VERSION_HIDDEN)) continue;
    const char *name = names + symbol->st_name;
    if (memchr(name, 0, names_size - symbol->st_name)) walk->visitor(name, walk->context);
  }
}

static int cffi_visit_loaded(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const cffi_walk *walk = context;
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    if (object->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *dynamic = (const ElfW(Dyn) *)(uintptr_t)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
    if (walk->only && walk->only != dynamic) return 0;
    cffi_visit_object(object, dynamic, walk);
    return walk->only != NULL;
  }
  return 0;
}

void cffi_visit_symbols(void *handle, cffi_symbol_visitor visitor, void *context) {
#ifdef __ANDROID__
  // Android's linker does not tell which object a handle stands for.
  (void)handle, (void)visitor, (void)context;
#else
  struct link_map *map = NULL;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_ld) return;
  cffi_walk walk = {map->l_ld, visitor, context};
  dl_iterate_phdr(cffi_visit_loaded, &walk);
#endif
}

void cffi_visit_process_symbols(cffi_symbol_visitor visitor, void *context) {
  cffi_walk walk = {NULL, visitor, context};
  dl_iterate_phdr(cffi_visit_loaded, &walk);
}

#else

void cffi_visit_symbols(void *handle, cffi_symbol_visitor visitor, void *context) {
  (void)handle, (void)visitor, (void)context;
}

void cffi_visit_process_symbols(cffi_symbol_visitor visitor, void *context) { (void)visitor, (void)context; }

#endif
