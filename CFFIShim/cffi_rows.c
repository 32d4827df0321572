#include "cffi_rows.h"

#include "cffi_error.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

// The general loop: a frame, and the kernel of the plan.

static uint64_t load_word(cffi_move_kind kind, const char *bytes, size_t size) {
  switch (kind) {
  case CFFI_MOVE_UNSIGNED_1: return *(const uint8_t *)bytes;
  case CFFI_MOVE_SIGNED_1: return (uint64_t)(int64_t) * (const int8_t *)bytes;
#define LOAD(kind, type, word) \
  case kind: { \
    type value; \
    memcpy(&value, bytes, sizeof value); \
    return (uint64_t)(word)value; \
  }
    LOAD(CFFI_MOVE_UNSIGNED_2, uint16_t, uint64_t)
    LOAD(CFFI_MOVE_UNSIGNED_4, uint32_t, uint64_t)
    LOAD(CFFI_MOVE_SIGNED_2, int16_t, int64_t)
    LOAD(CFFI_MOVE_SIGNED_4, int32_t, int64_t)
    LOAD(CFFI_MOVE_WORD, uint64_t, uint64_t)
#undef LOAD
  case CFFI_MOVE_PART:
  case CFFI_MOVE_BYTES: break;
  }
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  return word;
}

static void store_argument(const cffi_move *move, char *target, const char *bytes) {
  if (move->kind == CFFI_MOVE_BYTES) {
    memcpy(target, bytes, move->size);
  } else {
    const uint64_t word = load_word(move->kind, bytes, move->size);
    memcpy(target, &word, sizeof word);
  }
}

// Stores the first bytes of a word, which are its low bytes: the processors are little-endian.
static void store_result(size_t size, char *target, const char *bytes) {
  switch (size) {
  case 1: memcpy(target, bytes, 1); break;
  case 2: memcpy(target, bytes, 2); break;
  case 4: memcpy(target, bytes, 4); break;
  case 8: memcpy(target, bytes, 8); break;
  default: memcpy(target, bytes, size); break;
  }
}

static bool is_null(const cffi_batch *batch, const char *frame) {
  for (size_t each = 0; each < batch->result_count; each += 1) {
    const cffi_move *move = &batch->results[each];
    for (uint32_t byte = 0; byte < move->size; byte += 1) {
      if (frame[move->offset + byte]) return false;
    }
  }
  return true;
}

static size_t run_in_frame(const cffi_batch *batch, char *frame, size_t first, size_t count) {
  for (size_t row = first; row < first + count; row += 1) {
    for (size_t each = 0; each < batch->argument_count; each += 1) {
      const cffi_move *move = &batch->arguments[each];
      store_argument(move, frame + move->offset, move->address + (ptrdiff_t)row * move->stride);
    }
    if (batch->error) cffi_set_error_place(batch->error);
    batch->kernel(frame, batch->implementation, batch->context);
    if (batch->error && *batch->error) return row - first;
    if (batch->stops_at_null && is_null(batch, frame)) return row - first;
    for (size_t each = 0; each < batch->result_count; each += 1) {
      const cffi_move *move = &batch->results[each];
      store_result(move->size, move->address + (ptrdiff_t)row * move->stride, frame + move->offset);
    }
  }
  return count;
}

#if defined(__x86_64__)

// The loops in assembly read each register from a block of words, which the values of rows are converted to. Columns that
// are words already are copied: that takes less than the address of a column of its own in each row. A loop of one register
// has one address only, and reads such a column where it is.

enum { BLOCK = CFFI_ROWS_BLOCK, LARGEST_STACK = 128, GENERAL = 6, VECTOR = 8, RESULTS = 4 };

extern const int32_t cffi_row_loops[] __attribute__((visibility("hidden")));

typedef void (*row_loop)(cffi_row_registers *registers, const void *implementation, size_t rows, ptrdiff_t distance);

// Rounds numbers of registers up to those that a loop loads. A loop with four result registers loads all.
static void round_up(unsigned *general, unsigned *vector, unsigned results, size_t stack_size) {
  if (stack_size > 0 || results == 3) {
    *general = GENERAL;
    *vector = *vector > 4 || results == 3 ? VECTOR : (*vector + 1) / 2 * 2;
  } else {
    if (*general > 4) *general = GENERAL;
    if (*vector > 4) *vector = VECTOR;
  }
}

// Returns the loop of numbers that were rounded up. The table has the loops of 0, 1, 2, 3, 4 and 6 general registers for
// each of 0, 1, 2, 3, 4 and 8 vector registers for each result, then the one with all four result registers, then those
// with stack arguments of any size, of 8, 16 and 32 bytes.
static row_loop find_loop(unsigned general, unsigned vector, unsigned results, size_t stack_size) {
  enum { ALL = 3 * 6 * 6, STACK = ALL + 1, OF_STACK = 3 * 4 + 1 };
  unsigned index;
  if (stack_size > 0) {
    const unsigned size = stack_size == 8 ? 1 : stack_size == 16 ? 2 : stack_size == 32 ? 3 : 0;
    index = STACK + size * OF_STACK + (results == 3 ? OF_STACK - 1 : results * 4 + (vector == VECTOR ? 3 : vector / 2));
  } else if (results == 3) {
    index = ALL;
  } else {
    index = (results * 6 + (vector == VECTOR ? 5 : vector)) * 6 + (general == GENERAL ? 5 : general);
  }
  return (row_loop)(void *)((char *)(uintptr_t)cffi_row_loops + cffi_row_loops[index]);
}

bool cffi_batch_has_loop(cffi_kernel kernel, const void *context, uint32_t stack_size) {
  if (stack_size > LARGEST_STACK) return false;
  if (kernel == cffi_kernel_sysv_stack) return (uintptr_t)context >> 32 <= 16;
  return kernel == cffi_kernel_sysv_general || kernel == cffi_kernel_sysv_vector || kernel == cffi_kernel_sysv_stack_2 ||
         kernel == cffi_kernel_sysv_stack_4;
}

// Stores two words that are at some distance from each other: one store takes as long as that of a single word.
static inline void gather_pair(const char *first, const char *second, uint64_t *words) {
  const __m128d pair = _mm_load_sd((const double *)(const void *)first);
  _mm_storeu_pd((double *)(void *)words, _mm_loadh_pd(pair, (const double *)(const void *)second));
}

// Copies words at some distance from each other.
__attribute__((always_inline)) static inline void gather_words(
    const char *bytes, ptrdiff_t stride, size_t count, uint64_t *words
) {
  size_t each = 0;
  for (; each + 8 <= count; each += 8, bytes += 8 * stride) {
    for (size_t pair = 0; pair < 8; pair += 2) {
      gather_pair(bytes + (ptrdiff_t)pair * stride, bytes + (ptrdiff_t)(pair + 1) * stride, &words[each + pair]);
    }
  }
  for (; each < count; each += 1, bytes += stride) memcpy(&words[each], bytes, sizeof *words);
}

// Stores the addresses of rows.
static void store_addresses(char *address, ptrdiff_t stride, size_t count, uint64_t *words) {
  const uint64_t first = (uint64_t)(uintptr_t)address, distance = (uint64_t)stride;
  __m128i pair = _mm_set_epi64x((long long)(first + distance), (long long)first);
  const __m128i step = _mm_set1_epi64x((long long)(2 * distance));
  size_t each = 0;
  for (; each + 8 <= count; each += 8) {
    for (size_t word = each; word < each + 8; word += 2) {
      _mm_storeu_si128((__m128i *)(void *)&words[word], pair);
      pair = _mm_add_epi64(pair, step);
    }
  }
  for (; each < count; each += 1) words[each] = first + each * distance;
}

// Converts the values of rows to words.
static void gather(const cffi_move *move, size_t row, size_t count, uint64_t *words) {
  const ptrdiff_t stride = move->stride;
  const char *bytes = move->address + (ptrdiff_t)row * stride;
  switch (move->kind) {
#define GATHER(kind, type, word) \
  case kind: \
    if (stride == sizeof(type)) { \
      for (size_t each = 0; each < count; each += 1) { \
        type value; \
        memcpy(&value, bytes + each * sizeof(type), sizeof value); \
        words[each] = (uint64_t)(word)value; \
      } \
    } else { \
      for (size_t each = 0; each < count; each += 1, bytes += stride) { \
        type value; \
        memcpy(&value, bytes, sizeof value); \
        words[each] = (uint64_t)(word)value; \
      } \
    } \
    break;
    GATHER(CFFI_MOVE_UNSIGNED_1, uint8_t, uint64_t)
    GATHER(CFFI_MOVE_UNSIGNED_2, uint16_t, uint64_t)
    GATHER(CFFI_MOVE_UNSIGNED_4, uint32_t, uint64_t)
    GATHER(CFFI_MOVE_SIGNED_1, int8_t, int64_t)
    GATHER(CFFI_MOVE_SIGNED_2, int16_t, int64_t)
    GATHER(CFFI_MOVE_SIGNED_4, int32_t, int64_t)
#undef GATHER
  case CFFI_MOVE_WORD:
    // A distance that is known when compiling needs no address but one: that of the members of a struct of two words.
    if (stride == 8) {
      memcpy(words, bytes, 8 * count);
    } else if (stride == 16) {
      gather_words(bytes, 16, count, words);
    } else {
      gather_words(bytes, stride, count, words);
    }
    break;
  case CFFI_MOVE_PART:
  case CFFI_MOVE_BYTES:
    for (size_t each = 0; each < count; each += 1, bytes += stride) words[each] = load_word(move->kind, bytes, move->size);
    break;
  }
}

// Stores the words of a result in the rows.
static void scatter(const cffi_move *move, size_t row, size_t count, const uint64_t *words) {
  char *bytes = move->address + (ptrdiff_t)row * move->stride;
  switch (move->size) {
#define SCATTER(type) \
  case sizeof(type): \
    for (size_t each = 0; each < count; each += 1, bytes += move->stride) { \
      const type value = (type)words[each]; \
      memcpy(bytes, &value, sizeof value); \
    } \
    break;
    SCATTER(uint8_t)
    SCATTER(uint16_t)
    SCATTER(uint32_t)
    SCATTER(uint64_t)
#undef SCATTER
  default:
    for (size_t each = 0; each < count; each += 1, bytes += move->stride) memcpy(bytes, &words[each], move->size);
  }
}

// The index of an argument's register: the general registers, then the vector registers, then the stack.
static size_t register_index(const cffi_move *move) { return (move->offset - CFFI_SYSV_GENERAL) / 8; }

_Static_assert(CFFI_SYSV_VECTOR == CFFI_SYSV_GENERAL + 8 * GENERAL, "the vector registers follow the general ones");
_Static_assert(CFFI_SYSV_STACK == CFFI_SYSV_VECTOR + 8 * VECTOR, "the stack words follow the vector registers");

// The memory of converted values. The words of fewer rows than a block has are at its end.
typedef struct {
  cffi_row_registers registers;
  uint64_t results[RESULTS][BLOCK];
  char stack[BLOCK * LARGEST_STACK] __attribute__((aligned(16)));
} blocks;

// The plan of a run.
typedef struct {
  const cffi_batch *batch;
  blocks *blocks;
  row_loop loop;
  // What a loop stores: 0: nothing, 1: rax, 2: xmm0, 3: all four registers.
  unsigned stored;
  bool converts_results, converts_stack;
  // The only register, if its column is read where it is.
  const cffi_move *column;
} run;

// Converts the arguments of rows, either those that all rows share or the others.
static void convert_arguments(run *run, size_t row, size_t count, bool constants) {
  const cffi_batch *batch = run->batch;
  cffi_row_registers *registers = &run->blocks->registers;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    const size_t index = register_index(move);
    if ((move->stride == 0) != constants) continue;
    if (move == run->column) continue;
    if (index < GENERAL + VECTOR) {
      gather(move, row, count, &registers->words[index][BLOCK - count]);
    } else if (run->converts_stack && move->offset < CFFI_SYSV_STACK + batch->stack_size) {
      char *target = run->blocks->stack + (move->offset - CFFI_SYSV_STACK);
      if (move->kind == CFFI_MOVE_BYTES) {
        const char *bytes = move->address + (ptrdiff_t)row * move->stride;
        for (size_t line = 0; line < count; line += 1, target += registers->stack_size, bytes += move->stride) {
          memcpy(target, bytes, move->size);
        }
      } else {
        uint64_t words[BLOCK];
        gather(move, row, count, words);
        for (size_t line = 0; line < count; line += 1, target += registers->stack_size) memcpy(target, &words[line], sizeof *words);
      }
    }
  }
  if (batch->result_memory && (batch->result_stride == 0) == constants) {
    char *address = batch->result_memory + (ptrdiff_t)row * batch->result_stride;
    store_addresses(address, batch->result_stride, count, &registers->words[0][BLOCK - count]);
  }
}

// Plans what the loop reads from the stack, and returns its size for the choice of the loop.
static size_t plan_stack(run *run, size_t first, size_t most) {
  const cffi_batch *batch = run->batch;
  cffi_row_registers *registers = &run->blocks->registers;
  const cffi_move *stack = NULL;
  unsigned moves = 0;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    if (register_index(move) < GENERAL + VECTOR || move->offset >= CFFI_SYSV_STACK + batch->stack_size) continue;
    moves += 1;
    stack = move;
  }
  registers->stack_size = (batch->stack_size + 15) / 16 * 16;
  // One struct that fills the stack words is copied from where it is, and so is one word.
  const bool is_word = moves == 1 && stack->kind == CFFI_MOVE_WORD && batch->stack_size == 8;
  const bool is_whole = moves == 1 && stack->kind == CFFI_MOVE_BYTES && stack->size == registers->stack_size;
  if (is_word || is_whole) {
    registers->stack = stack->address + (ptrdiff_t)first * stack->stride;
    registers->stack_stride = stack->stride;
  } else if (batch->stack_size > 0) {
    run->converts_stack = true;
    registers->stack_stride = (ptrdiff_t)registers->stack_size;
    // The padding between arguments.
    memset(run->blocks->stack, 0, most * registers->stack_size);
  }
  return is_word ? 8 : registers->stack_size;
}

// Chooses the loop, and what is converted. `most` is the largest number of rows of a block.
static void plan(run *run, size_t first, size_t most) {
  const cffi_batch *batch = run->batch;
  cffi_row_registers *registers = &run->blocks->registers;
  if (batch->result_count == 1 && batch->results[0].offset == CFFI_SYSV_RESULT_GENERAL) {
    run->stored = 1;
  } else if (batch->result_count == 1 && batch->results[0].offset == CFFI_SYSV_RESULT_VECTOR) {
    run->stored = 2;
  } else {
    run->stored = batch->result_count == 0 ? 0 : 3;
  }
  memset(registers->results, 0, sizeof registers->results);
  run->converts_results = run->stored == 3 || (run->stored != 0 && (batch->results[0].size != 8 || batch->results[0].stride != 8));
  bool is_used[GENERAL + VECTOR] = {batch->result_memory != NULL};
  unsigned general = batch->result_memory ? 1 : 0, vector = 0;
  const cffi_move *last = NULL;
  for (size_t each = 0; each < batch->argument_count; each += 1) {
    const cffi_move *move = &batch->arguments[each];
    const size_t index = register_index(move);
    if (index >= GENERAL + VECTOR) continue;
    is_used[index] = true;
    last = move;
    if (index >= GENERAL) {
      if (index - GENERAL >= vector) vector = (unsigned)(index - GENERAL) + 1;
    } else if (index >= general) {
      general = (unsigned)index + 1;
    }
  }
  const size_t stack_size = plan_stack(run, first, most);
  round_up(&general, &vector, run->stored, stack_size);
  run->loop = find_loop(general, vector, run->stored, stack_size);
  if (general + vector == 1 && last && last->kind == CFFI_MOVE_WORD && last->stride == 8) run->column = last;
  for (size_t index = 0; index < GENERAL + VECTOR; index += 1) {
    if (is_used[index] || (index < GENERAL ? index >= general : index - GENERAL >= vector)) continue;
    memset(&registers->words[index][BLOCK - most], 0, most * sizeof **registers->words);
  }
}

// The column of a result register in a `cffi_row_registers`.
static size_t result_index(const cffi_move *move) {
  switch (move->offset) {
  case CFFI_SYSV_RESULT_GENERAL: return 0;
  case CFFI_SYSV_RESULT_VECTOR: return 1;
  case CFFI_SYSV_RESULT_GENERAL + 8: return 2;
  default: return 3;
  }
}

// Points the columns of results to the end of a block.
static void place(run *run, size_t end, size_t count) {
  const cffi_batch *batch = run->batch;
  cffi_row_registers *registers = &run->blocks->registers;
  if (run->converts_results) {
    for (size_t each = 0; each < RESULTS; each += 1) registers->results[each] = &run->blocks->results[each][count];
  } else if (run->stored != 0) {
    registers->results[run->stored - 1] = batch->results[0].address + (ptrdiff_t)end * 8;
  }
  if (run->converts_stack) registers->stack = run->blocks->stack;
}

// The distance of the column that is read where it is from the block of its register.
static ptrdiff_t column_distance(run *run, size_t end) {
  if (!run->column) return 0;
  const uint64_t *block = run->blocks->registers.words[register_index(run->column)];
  const char *column = run->column->address + (ptrdiff_t)end * 8;
  return (ptrdiff_t)((uintptr_t)column - (uintptr_t)&block[BLOCK]);
}

static size_t run_with_registers(const cffi_batch *batch, size_t first, size_t count) {
  blocks blocks;
  run run = {.batch = batch, .blocks = &blocks};
  const size_t most = count < BLOCK ? count : BLOCK;
  plan(&run, first, most);
  convert_arguments(&run, first, most, true);
  const bool converts = !run.column || run.converts_results;
  const size_t end = first + count;
  for (size_t row = first; row < end;) {
    const size_t rows = converts && end - row > BLOCK ? BLOCK : end - row;
    convert_arguments(&run, row, rows, false);
    place(&run, row + rows, rows);
    run.loop(&blocks.registers, batch->implementation, rows, column_distance(&run, row + rows));
    if (run.converts_results) {
      for (size_t each = 0; each < batch->result_count; each += 1) {
        scatter(&batch->results[each], row, rows, blocks.results[result_index(&batch->results[each])]);
      }
    }
    row += rows;
  }
  return count;
}

#else

bool cffi_batch_has_loop(cffi_kernel kernel, const void *context, uint32_t stack_size) {
  (void)kernel, (void)context, (void)stack_size;
  return false;
}

#endif

size_t cffi_batch_run(const cffi_batch *batch, void *frame, size_t first, size_t count) {
  if (count == 0) return 0;
#if defined(__x86_64__)
  if (batch->uses_registers) return run_with_registers(batch, first, count);
#endif
  return run_in_frame(batch, frame, first, count);
}
