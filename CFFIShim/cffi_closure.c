#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cffi_closure.h"
#include "cffi_memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The processors that have closure entries.
#if defined(__x86_64__) || defined(__aarch64__)
#define HAS_ENTRIES 1
#endif

#if HAS_ENTRIES

enum {
  CODE_SIZE = CFFI_CLOSURE_BANK_SIZE * CFFI_CLOSURE_STUB_SIZE,
  DATA_SIZE = CFFI_CLOSURE_BANK_SIZE * CFFI_CLOSURE_SLOT_SIZE,
};

extern const unsigned char cffi_closure_stubs[] __attribute__((visibility("hidden")));
extern const unsigned char cffi_closure_copied_stubs[] __attribute__((visibility("hidden")));
extern const unsigned char cffi_closure_entry_closed[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define KERNELS CFFI_SYSV_KERNELS
#else
#define KERNELS CFFI_AAPCS64_KERNELS
#endif

#define DECLARE(kernel, entry) extern const unsigned char cffi_closure_entry_##entry[] __attribute__((visibility("hidden")));
KERNELS(DECLARE)
#if defined(__x86_64__)
DECLARE(, sysv_few_vector)
#endif
#undef DECLARE

// The stubs refer to it by name.
__attribute__((visibility("hidden"), aligned(64))) cffi_closure_slot cffi_closure_slots[CFFI_CLOSURE_BANK_SIZE];

static cffi_closure_slot *with_stubs(cffi_closure_slot *slots, const unsigned char *stubs) {
  for (int index = 0; index < CFFI_CLOSURE_BANK_SIZE; index += 1) slots[index].stub = stubs + index * CFFI_CLOSURE_STUB_SIZE;
  return slots;
}

cffi_closure_slot *cffi_closure_first_bank(void) { return with_stubs(cffi_closure_slots, cffi_closure_stubs); }

const void *cffi_closure_entry(cffi_kernel kernel, int vector_count) {
  const unsigned char *entry = NULL;
#define CHOOSE(name, its_entry) \
  if (kernel == cffi_kernel_##name) entry = cffi_closure_entry_##its_entry;
  KERNELS(CHOOSE)
#undef CHOOSE
  // Stack words stay in the caller's frame, so a kernel that copies them may not need vector registers.
#if defined(__x86_64__)
  if (entry == cffi_closure_entry_sysv_vector) {
    if (vector_count == 0) return cffi_closure_entry_sysv_general;
    if (vector_count <= 4) return cffi_closure_entry_sysv_few_vector;
  }
#else
  if (entry == cffi_closure_entry_aapcs64_vector && vector_count == 0) return cffi_closure_entry_aapcs64_general;
#endif
  return entry;
}

#else

cffi_closure_slot *cffi_closure_first_bank(void) { return NULL; }
const void *cffi_closure_entry(cffi_kernel kernel, int vector_count) { return NULL; }

#endif

#if HAS_ENTRIES && defined(__linux__)

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The location of the copied stubs in the file of the program or library that contains them.
typedef struct {
  const char *path;
  off_t offset;
} file_place;

static int find_place(struct dl_phdr_info *object, size_t size, void *context) {
  file_place *place = context;
  const uintptr_t stubs = (uintptr_t)cffi_closure_copied_stubs;
  for (unsigned index = 0; index < object->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    const uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
    if (segment->p_type != PT_LOAD || stubs < start || stubs - start + CODE_SIZE > segment->p_filesz) continue;
    // The program itself has an empty name.
    place->path = object->dlpi_name[0] ? object->dlpi_name : "/proc/self/exe";
    place->offset = (off_t)(segment->p_offset + (stubs - start));
    return 1;
  }
  return 0;
}

// Maps the code of a file at an address if it is the code of the stubs: the file may have been replaced since the
// program was loaded.
static bool map_code(int file, off_t offset, void *address) {
  if (file < 0) return false;
  // A load from a mapped page after the end of the file would raise a signal.
  struct stat status;
  const bool is_long_enough = fstat(file, &status) == 0 && status.st_size >= offset + CODE_SIZE;
  void *code = is_long_enough ? mmap(address, CODE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, offset) : MAP_FAILED;
  close(file);
  return code != MAP_FAILED && memcmp(code, cffi_closure_copied_stubs, CODE_SIZE) == 0;
}

static bool map_own_file(void *address) {
  file_place place = {NULL, 0};
  if (!dl_iterate_phdr(find_place, &place) || place.offset % sysconf(_SC_PAGESIZE) != 0) return false;
  return map_code(open(place.path, O_RDONLY | O_CLOEXEC), place.offset, address);
}

// Used if a sandbox hides the file. A file in memory is written first and then mapped as executable at another address.
static bool map_memory_file(void *address) {
  // The C library of Android has a function only since API level 30. The flag is MFD_CLOEXEC.
  const int file = (int)syscall(SYS_memfd_create, "closures", 1U);
  if (file >= 0 && write(file, cffi_closure_copied_stubs, CODE_SIZE) == CODE_SIZE) return map_code(file, 0, address);
  if (file >= 0) close(file);
  return false;
}

cffi_closure_slot *cffi_closure_map_bank(void) {
  // The slots are directly after the code, in a single mapping.
  if (CODE_SIZE % sysconf(_SC_PAGESIZE) != 0) return NULL;
  unsigned char *bank = mmap(NULL, CODE_SIZE + DATA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bank == MAP_FAILED) return NULL;
  if (!map_own_file(bank) && !map_memory_file(bank)) {
    munmap(bank, CODE_SIZE + DATA_SIZE);
    return NULL;
  }
  cffi_memory_has_roots(bank + CODE_SIZE, DATA_SIZE);  // the slots reference closure bodies and contexts
  return with_stubs((cffi_closure_slot *)(bank + CODE_SIZE), bank);
}

#elif HAS_ENTRIES && defined(__APPLE__)

#include <mach/mach.h>

// Maps the pages of the stubs again, before slots of their own. A page may have 16 KiB.
cffi_closure_slot *cffi_closure_map_bank(void) {
  if (CODE_SIZE % vm_page_size != 0 || (vm_address_t)cffi_closure_copied_stubs % vm_page_size != 0) return NULL;
  const mach_port_t task = mach_task_self();
  vm_address_t bank = 0;
  if (vm_allocate(task, &bank, CODE_SIZE + DATA_SIZE, VM_FLAGS_ANYWHERE) != KERN_SUCCESS) return NULL;
  vm_address_t code = bank;
  vm_prot_t current = VM_PROT_NONE, maximum = VM_PROT_NONE;
  const kern_return_t result = vm_remap(
      task, &code, CODE_SIZE, 0, VM_FLAGS_FIXED | VM_FLAGS_OVERWRITE, task, (vm_address_t)cffi_closure_copied_stubs, FALSE, &current,
      &maximum, VM_INHERIT_SHARE);
  if (result != KERN_SUCCESS || code != bank || !(current & VM_PROT_EXECUTE)) {
    vm_deallocate(task, bank, CODE_SIZE + DATA_SIZE);
    return NULL;
  }
  cffi_memory_has_roots((void *)(bank + CODE_SIZE), DATA_SIZE);  // the slots reference closure bodies and contexts
  return with_stubs((cffi_closure_slot *)(bank + CODE_SIZE), (const unsigned char *)bank);
}

#else

cffi_closure_slot *cffi_closure_map_bank(void) { return NULL; }

#endif

void cffi_closure_open(
    cffi_closure_slot *slot, const void *entry, const void *function, void *context, void *body) {
  slot->function = function;
  slot->context = context;
  slot->body = body;
  slot->owner = NULL;
  __atomic_store_n(&slot->abandoned, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&slot->entry, entry, __ATOMIC_RELEASE);
}

static bool is_idle(const cffi_closure_slot *slot) {
  return __atomic_load_n(&slot->running, __ATOMIC_ACQUIRE) == 0 && __atomic_load_n(&slot->running_elsewhere, __ATOMIC_SEQ_CST) == 0;
}

bool cffi_closure_close(cffi_closure_slot *slot) {
#if HAS_ENTRIES
  __atomic_store_n(&slot->entry, (const void *)cffi_closure_entry_closed, __ATOMIC_SEQ_CST);
#endif
  // Stored before the counts are loaded: either a call that returns concurrently observes the flag, or this thread
  // observes the decremented count.
  __atomic_store_n(&slot->abandoned, 1, __ATOMIC_SEQ_CST);
  return cffi_closure_is_free(slot);
}

bool cffi_closure_is_free(cffi_closure_slot *slot) {
  if (!__atomic_load_n(&slot->abandoned, __ATOMIC_SEQ_CST) || !is_idle(slot)) return false;
  __atomic_store_n(&slot->abandoned, 0, __ATOMIC_SEQ_CST);
  return true;
}

static void (*on_last_exit)(cffi_closure_slot *slot);

void cffi_closure_on_last_exit(void (*handler)(cffi_closure_slot *slot)) {
  __atomic_store_n(&on_last_exit, handler, __ATOMIC_RELEASE);
}

// The functions that the entries call by name.

__attribute__((visibility("hidden"))) void cffi_closure_exited(cffi_closure_slot *slot) {
  if (is_idle(slot)) __atomic_load_n(&on_last_exit, __ATOMIC_ACQUIRE)(slot);
}

__attribute__((visibility("hidden"))) void cffi_closure_called_closed(const cffi_closure_slot *slot) {
  fprintf(stderr, "Fatal error: C called the closure at %p, which was released before\n", slot->stub);
  __builtin_trap();
}
