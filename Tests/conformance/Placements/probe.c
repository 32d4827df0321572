// Tells from where a compiled function reads each byte of its arguments, and where it leaves each byte of its result.
//
// Each byte of the argument registers and the stack words has a number. The functions are called twice with memory and
// registers that contain the low and the high half of the numbers. A function that reads through one of them is stopped
// by a signal; it is then called with addresses of areas whose bytes have numbers, too.
//
//   general registers   8 * register + byte      x8 of AArch64 is the register 8
//   vector registers    128 + 16 * register + byte
//   stack words         256 + byte
//   behind an address   2048 + 128 * word + byte, the words being the general registers and, from 16, the stack words
//
// Bytes of a result: 16 bytes of general registers, 64 of vector registers, and 28 bytes before the x87 stack;
// or behind the address for the result.
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { STACK = 768, FIRST = 0x4100, AREAS = 2048, UNKNOWN = 0xFFFF };
struct image { unsigned char general[72], pad[56], vector[128], stack[STACK]; };
struct results { unsigned char general[16], vector[64], x87[108], pad[4]; };
extern void probe_call(void *code, const struct image *image, struct results *results);

#if defined(__x86_64__)
__asm__(
  ".text\n.globl probe_call\nprobe_call:\n"
  "pushq %rbp\nmovq %rsp,%rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\npushq %rdx\n"
  "andq $-128,%rsp\nsubq $768,%rsp\nmovq %rdi,%rax\nmovq %rsi,%r10\n"
  "leaq 256(%r10),%rsi\nmovq %rsp,%rdi\nmovl $96,%ecx\ncld\nrep movsq\nfninit\n"
  "movups 128(%r10),%xmm0\nmovups 144(%r10),%xmm1\nmovups 160(%r10),%xmm2\nmovups 176(%r10),%xmm3\n"
  "movups 192(%r10),%xmm4\nmovups 208(%r10),%xmm5\nmovups 224(%r10),%xmm6\nmovups 240(%r10),%xmm7\n"
  "movq 0(%r10),%rdi\nmovq 8(%r10),%rsi\nmovq 16(%r10),%rdx\nmovq 24(%r10),%rcx\nmovq 32(%r10),%r8\nmovq 40(%r10),%r9\n"
  "movq %rax,%r11\nmovl $8,%eax\ncall *%r11\n"
  "movq -48(%rbp),%r10\nmovq %rax,0(%r10)\nmovq %rdx,8(%r10)\nmovups %xmm0,16(%r10)\nmovups %xmm1,32(%r10)\nfnsave 80(%r10)\n"
  "leaq -40(%rbp),%rsp\npopq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");
#elif defined(__aarch64__)
__asm__(
  ".text\n.globl probe_call\n.type probe_call,%function\nprobe_call:\n"
  "stp x29,x30,[sp,#-112]!\nmov x29,sp\nstp x19,x20,[sp,#16]\n"
  "stp d8,d9,[sp,#32]\nstp d10,d11,[sp,#48]\nstp d12,d13,[sp,#64]\nstp d14,d15,[sp,#80]\n"
  "mov x19,x2\nmov x9,x0\nmov x10,x1\nsub x11,sp,#768\nand sp,x11,#-128\n"
  "add x12,x10,#256\nmov x13,sp\nmov x14,#96\n1: ldr x15,[x12],#8\nstr x15,[x13],#8\nsubs x14,x14,#1\nb.ne 1b\n"
  "ldp q0,q1,[x10,#128]\nldp q2,q3,[x10,#160]\nldp q4,q5,[x10,#192]\nldp q6,q7,[x10,#224]\n"
  "ldp x0,x1,[x10]\nldp x2,x3,[x10,#16]\nldp x4,x5,[x10,#32]\nldp x6,x7,[x10,#48]\nldr x8,[x10,#64]\nblr x9\n"
  "stp x0,x1,[x19]\nstp q0,q1,[x19,#16]\nstp q2,q3,[x19,#48]\n"
  "mov sp,x29\nldp x19,x20,[sp,#16]\nldp d8,d9,[sp,#32]\nldp d10,d11,[sp,#48]\nldp d12,d13,[sp,#64]\nldp d14,d15,[sp,#80]\n"
  "ldp x29,x30,[sp],#112\nret\n");
#endif

static unsigned char areas[128][128] __attribute__((aligned(128)));
static unsigned char taken[256];
static int taken_size, is_high;
static sigjmp_buf escape;

// What the functions call: with the bytes of the argument and of the two values after it, and to get the result.
void take(const void *value, int size, const int *i, const double *d) {
  memcpy(taken, value, size);
  memcpy(taken + size, i, 4);
  memcpy(taken + size + 4, d, 8);
  taken_size = size + 12;
}

void give(void *value, int size) {
  for (int at = 0; at < size; at++) ((unsigned char *)value)[at] = is_high ? 251 - at : at + 1;
}

static void caught(int signal) { siglongjmp(escape, 1); }

static void fill(struct image *image, int has_addresses, int is_result) {
  unsigned char *bytes = (unsigned char *)image;
  for (unsigned at = 0; at < sizeof *image; at++) bytes[at] = is_high ? (FIRST + at) >> 8 : at;
  if (!has_addresses) return;
#if defined(__x86_64__)
  int first = 0, end = is_result ? 1 : 9;
#else
  int first = is_result ? 8 : 0, end = 9;
#endif
  for (int word = 0; word < 128; word++)
    for (int at = 0; at < 128; at++) {
      int number = AREAS + 128 * word + at;
      areas[word][at] = is_high ? number >> 8 : number;
    }
  for (int word = first; word < end; word++) {
    void *address = areas[word];
    memcpy(bytes + 8 * word, &address, 8);
  }
  for (int word = 16; word < 112 && !is_result; word++) {
    void *address = areas[word];
    memcpy(bytes + 256 + 8 * (word - 16), &address, 8);
  }
}

// The number of a byte that was taken.
static int source(unsigned char got[2][256], int at, int size, int has_addresses) {
  int number = got[0][at] | got[1][at] << 8;
  if (has_addresses && at >= size) {
    // The value after the argument may be read from a word that contains an address.
    int from = at < size + 4 ? size : size + 4;
    unsigned low;
    memcpy(&low, got[0] + from, 4);
    for (int word = 0; word < 112; word++)
      if ((unsigned)(uintptr_t)areas[word] == low) return (word < 16 ? 8 * word : 256 + 8 * (word - 16)) + at - from;
  }
  if (number >= FIRST && number < FIRST + (int)sizeof(struct image)) return number - FIRST;
  return number >= AREAS && number < AREAS + 128 * 128 ? number : UNKNOWN;
}

// A line: the number of the function, D or P, whether an address was needed; the sources of the argument's bytes, of
// the places of an int and of a double; for a result all places of each byte. X: it was stopped in both ways.
void probe(int index, void *code, int size, int is_result) {
  static struct image image;
  static struct results results[2];
  static unsigned char got[2][256], memory[2][128][128];
  volatile int has_addresses = 0;
  if (sigsetjmp(escape, 1)) {
    if (has_addresses) {
      printf("%d X\n", index);
      return;
    }
    has_addresses = 1;
  }
  for (is_high = 0; is_high < 2; is_high++) {
    fill(&image, has_addresses, is_result);
    memset(&results[is_high], 0xEE, sizeof results[0]);
    if (is_result) memset(areas, 0xDD, sizeof areas);
    probe_call(code, &image, &results[is_high]);
    memcpy(got[is_high], taken, sizeof taken);
    memcpy(memory[is_high], areas, sizeof areas);
  }
  printf("%d %c ", index, has_addresses ? 'P' : 'D');
  int taken_of_value = taken_size - 12;
  for (int at = 0; at < taken_size; at++) printf("%s%d", at ? "," : "", source(got, at, taken_of_value, has_addresses && !is_result));
  for (int at = 0; is_result && at < size; at++) {
    const unsigned char *low = (unsigned char *)&results[0], *high = (unsigned char *)&results[1];
    printf(",%d", UNKNOWN);
    for (unsigned place = 0; place < sizeof results[0]; place++)
      if (!has_addresses && low[place] == at + 1 && high[place] == 251 - at) printf("/%d", place);
    for (int word = 0; has_addresses && word < 128; word++)
      for (int place = 0; place < 128; place++)
        if (memory[0][word][place] == at + 1 && memory[1][word][place] == 251 - at) printf("/%d", AREAS + 128 * word + place);
  }
  printf("\n");
}

void probe_start(void) {
  static char stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0);
  struct sigaction action = {.sa_handler = caught, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaction(SIGSEGV, &action, 0);
  sigaction(SIGBUS, &action, 0);
}
