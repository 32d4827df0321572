#if defined(__linux__)
#define _GNU_SOURCE
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "CFunctionReplacement.h"

#include <stddef.h>
#include <string.h>

static _Thread_local bool creplace_is_inside = false;

bool creplace_go_inside(void) {
  const bool is_first = !creplace_is_inside;
  creplace_is_inside = true;
  return is_first;
}

void creplace_go_outside(void) { creplace_is_inside = false; }

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#if defined(__x86_64__)
#define CREPLACE_IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#define CREPLACE_IS_WORD(type) ((type) == R_X86_64_64)
#else
#define CREPLACE_IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#define CREPLACE_IS_WORD(type) ((type) == R_AARCH64_ABS64)
#endif

// Returns the segment of a kind that contains an address, or NULL.
static const ElfW(Phdr) *creplace_segment(const struct dl_phdr_info *image, ElfW(Word) type, uintptr_t address) {
  for (unsigned index = 0; index < image->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    const uintptr_t start = (uintptr_t)(image->dlpi_addr + segment->p_vaddr);
    if (segment->p_type == type && address >= start && address - start < segment->p_memsz) return segment;
  }
  return NULL;
}

// Whether the dynamic linker has made the page of an address read-only after it wrote the addresses there.
static bool creplace_is_sealed(const struct dl_phdr_info *image, uintptr_t address) {
  const uintptr_t size = (uintptr_t)getpagesize();
  const uintptr_t page = address & ~(size - 1);
  for (unsigned index = 0; index < image->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    if (segment->p_type != PT_GNU_RELRO) continue;
    const uintptr_t start = (uintptr_t)(image->dlpi_addr + segment->p_vaddr);
    const uintptr_t end = (start + segment->p_memsz) & ~(size - 1);
    if (page >= (start & ~(size - 1)) && page < end) return true;
  }
  return false;
}

static bool creplace_write(const struct dl_phdr_info *image, void *place, const void *word) {
  const uintptr_t size = (uintptr_t)getpagesize();
  const uintptr_t page = (uintptr_t)place & ~(size - 1);
  const bool is_sealed = creplace_is_sealed(image, (uintptr_t)place);
  if (is_sealed && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return false;
  creplace_store(place, word);
  if (is_sealed) mprotect((void *)page, size, PROT_READ);
  return true;
}

// The relocations of an image, with what they refer to.
typedef struct {
  const ElfW(Sym) *symbols;
  const char *names;
  const ElfW(Rela) *tables[2];
  size_t counts[2];
} creplace_relocations;

static creplace_relocations creplace_read(const struct dl_phdr_info *image) {
  creplace_relocations found = {NULL, NULL, {NULL, NULL}, {0, 0}};
  const ElfW(Dyn) *entry = NULL;
  for (unsigned index = 0; index < image->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    if (segment->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(uintptr_t)(image->dlpi_addr + segment->p_vaddr);
  }
  for (; entry && entry->d_tag != DT_NULL; entry += 1) {
    // glibc has relocated the addresses; musl has not, and in read-only sections they are the file's as well.
    uintptr_t address = (uintptr_t)entry->d_un.d_ptr;
    if (!creplace_segment(image, PT_LOAD, address)) address += (uintptr_t)image->dlpi_addr;
    switch (entry->d_tag) {
    case DT_SYMTAB: found.symbols = (const ElfW(Sym) *)address; break;
    case DT_STRTAB: found.names = (const char *)address; break;
    case DT_RELA: found.tables[0] = (const ElfW(Rela) *)address; break;
    case DT_RELASZ: found.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
    case DT_JMPREL: found.tables[1] = (const ElfW(Rela) *)address; break;
    case DT_PLTRELSZ: found.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
    default: break;
    }
  }
  return found;
}

// A visit of the places with the address of a symbol.
typedef struct {
  const char *symbol;
  // The address that a word of data has if nobody has changed it, or NULL: then only words count that the dynamic linker has sealed.
  const void *original;
  // Writes a word if it is not NULL, in the image with the base.
  const void *word;
  uintptr_t base;
  // Or visits each image that has a place.
  creplace_image_visitor visitor;
  void *context;
  // The folder of the program, with a slash at its end.
  const char *folder;
} creplace_visit;

// Whether the file of an image is in the folder of the program or in a folder there.
static bool creplace_is_near(const char *path, const char *folder) {
  char resolved[PATH_MAX];
  if (!*path) return true;
  // Everything is below the root.
  return strlen(folder) > 1 && realpath(path, resolved) && strncmp(resolved, folder, strlen(folder)) == 0;
}

static int creplace_visit_image(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  const creplace_visit *visit = context;
  if (visit->word && (uintptr_t)image->dlpi_addr != visit->base) return 0;
  const creplace_relocations found = creplace_read(image);
  if (!found.symbols || !found.names) return 0;
  bool is_caller = false;
  const void *bound = NULL;
  for (int table = 0; table < 2; table += 1) {
    for (size_t index = 0; found.tables[table] && index < found.counts[table]; index += 1) {
      const ElfW(Rela) *each = &found.tables[table][index];
      const unsigned type = (unsigned)ELF64_R_TYPE(each->r_info);
      if (!CREPLACE_IS_SLOT(type) && !(CREPLACE_IS_WORD(type) && each->r_addend == 0)) continue;
      if (strcmp(found.names + found.symbols[ELF64_R_SYM(each->r_info)].st_name, visit->symbol) != 0) continue;
      const uintptr_t place = (uintptr_t)(image->dlpi_addr + each->r_offset);
      const ElfW(Phdr) *segment = creplace_segment(image, PT_LOAD, place);
      if (!segment || !(segment->p_flags & PF_W)) continue;
      const void *current = __atomic_load_n((const void **)place, __ATOMIC_ACQUIRE);
      // A weak symbol that nobody defined when the image was loaded.
      if (!current) continue;
      // A variable of the program, which it may have changed since, is not a place to call from.
      if (!CREPLACE_IS_SLOT(type) && !creplace_is_sealed(image, place) && current != visit->original) continue;
      is_caller = true;
      if (visit->word) {
        if (current != visit->word) creplace_write(image, (void *)place, visit->word);
      } else if (!creplace_segment(image, PT_LOAD, (uintptr_t)current)) {
        // Otherwise the entry is not bound yet: it has code of the image that looks the function up.
        bound = current;
      }
    }
  }
  if (is_caller && !visit->word) {
    const bool is_near = creplace_is_near(image->dlpi_name, visit->folder);
    visit->visitor((uintptr_t)image->dlpi_addr, image->dlpi_name, is_near, bound, visit->context);
  }
  return 0;
}

void creplace_visit_callers(const char *symbol, const void *original, creplace_image_visitor visitor, void *context) {
  char folder[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[length > 0 ? length : 0] = 0;
  char *last = strrchr(folder, '/');
  if (last) last[1] = 0;
  creplace_visit visit = {symbol, original, NULL, 0, visitor, context, folder};
  dl_iterate_phdr(creplace_visit_image, &visit);
}

void creplace_exchange_slots(const char *symbol, const void *original, uintptr_t base, const void *word) {
  creplace_visit visit = {symbol, original, word, base, NULL, NULL, ""};
  dl_iterate_phdr(creplace_visit_image, &visit);
}

// A word to write in any image.
typedef struct {
  void *place;
  const void *word;
} creplace_word;

static int creplace_write_word(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  const creplace_word *word = context;
  if (!creplace_segment(image, PT_LOAD, (uintptr_t)word->place)) return 0;
  creplace_write(image, word->place, word->word);
  return 1;
}

void creplace_exchange_word(void *place, const void *word) {
  creplace_word written = {place, word};
  // Outside of all images it is in memory that the runtime has allocated.
  if (dl_iterate_phdr(creplace_write_word, &written) == 0) creplace_store(place, word);
}

#else

void creplace_visit_callers(const char *symbol, const void *original, creplace_image_visitor visitor, void *context) {
  (void)symbol, (void)original, (void)visitor, (void)context;
}
void creplace_exchange_slots(const char *symbol, const void *original, uintptr_t base, const void *word) {
  (void)symbol, (void)original, (void)base, (void)word;
}
void creplace_exchange_word(void *place, const void *word) { (void)place, (void)word; }

#endif
