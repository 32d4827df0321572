#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "libffi_shim.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

ffi_status shim_prep_cif(ffi_cif *cif, ffi_abi abi, unsigned nargs, ffi_type *rtype, ffi_type **atypes) {
  ffi_status (*next)(ffi_cif *, ffi_abi, unsigned, ffi_type *, ffi_type **) = dlsym(RTLD_NEXT, "ffi_prep_cif");
  return next(cif, abi, nargs, rtype, atypes);
}

ffi_status shim_prep_cif_var(
    ffi_cif *cif, ffi_abi abi, unsigned nfixedargs, unsigned ntotalargs, ffi_type *rtype, ffi_type **atypes) {
  ffi_status (*next)(ffi_cif *, ffi_abi, unsigned, unsigned, ffi_type *, ffi_type **) = dlsym(RTLD_NEXT, "ffi_prep_cif_var");
  return next(cif, abi, nfixedargs, ntotalargs, rtype, atypes);
}

void shim_call(ffi_cif *cif, void (*function)(void), void *result, void **arguments) {
  void (*next)(ffi_cif *, void (*)(void), void *, void **) = dlsym(RTLD_NEXT, "ffi_call");
  next(cif, function, result, arguments);
}

// A page of code, and a page of data that contains the address. Larger pages are two of these.
enum { PAGE = 65536 };

#if defined(__x86_64__)
// endbr64; jmp *(PAGE)(%rip), from the end of the instruction at byte 10
static const unsigned char jump[] = {0xF3, 0x0F, 0x1E, 0xFA, 0xFF, 0x25, (PAGE - 10) & 0xFF, (PAGE - 10) >> 8, 0, 0};
#else
// hint #34; adr x16, . + PAGE - 4; ldr x16, [x16]; br x16
static const unsigned jump[] = {0xD503245F, 0x10000010 | ((PAGE - 4) >> 2) << 5, 0xF9400210, 0xD61F0200};
#endif

void *shim_make_jump(void) {
  unsigned char *code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return NULL;
  memcpy(code, jump, sizeof jump);
  __builtin___clear_cache((char *)code, (char *)code + sizeof jump);
  if (mprotect(code, PAGE, PROT_READ | PROT_EXEC) == 0) return code;
  munmap(code, 2 * PAGE);
  return NULL;
}

void shim_set_jump(void *code, const void *target) { memcpy((unsigned char *)code + PAGE, &target, sizeof target); }

void shim_free_jump(void *code) { munmap(code, 2 * PAGE); }
