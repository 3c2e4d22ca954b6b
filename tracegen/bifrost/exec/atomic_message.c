/* Atomic operations: exchanges, and read-modify-write operations that take both units of a tuple (ATOM_C in the FMA
 * unit says what is done, ATOM_CX in the ADD unit does it). The lanes of a warp do theirs one after another. */
#include <string.h>

#include "tracegen/bifrost/exec/warp.h"

/* An operation on numbers of 32 or 64 bits. */
struct atomic {
  uint8_t opcode; /* V_* */
  bool is_long;
  uint64_t operand;
};

static int64_t as_signed(uint64_t value, bool is_long) {
  return is_long ? (int64_t)value : (int32_t)(uint32_t)value;
}

static uint64_t new_value(uint64_t old, const struct atomic *atomic) {
  uint64_t operand = atomic->operand;
  bool less = as_signed(old, atomic->is_long) < as_signed(operand, atomic->is_long);
  switch (atomic->opcode) {
  case V_AADD:
  case V_AADDS:
  case V_AADDU:
  case V_AINC:
  case V_ADEC:
    return old + operand;
  case V_ASMIN:
    return less ? old : operand;
  case V_ASMAX:
  case V_ASMAX1:
    return less ? operand : old;
  case V_AUMIN:
    return old < operand ? old : operand;
  case V_AUMAX:
  case V_AUMAX1:
    return old < operand ? operand : old;
  case V_AAND:
    return old & operand;
  case V_AOR:
  case V_AOR1:
    return old | operand;
  case V_AXOR:
    return old ^ operand;
  default:
    return operand; /* exchange */
  }
}

/* The second number of a result: with it, ATOM_POST gives the first one again. */
static uint32_t neutral(uint8_t opcode) {
  switch (opcode) {
  case V_AAND:
  case V_AUMIN:
    return UINT32_MAX;
  case V_ASMIN:
    return INT32_MAX;
  case V_ASMAX:
  case V_ASMAX1:
    return (uint32_t)INT32_MIN;
  default:
    return 0;
  }
}

static uint64_t read_modify_write(uint8_t *memory, const struct atomic *atomic) {
  uint64_t *wide = (uint64_t *)(void *)memory;
  uint32_t *word = (uint32_t *)(void *)memory;
  uint64_t old64 = 0;
  uint32_t old32 = 0;
  if (atomic->is_long) {
    old64 = __atomic_load_n(wide, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(wide, &old64, new_value(old64, atomic), true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      ;
    return old64;
  }
  old32 = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old32, (uint32_t)new_value(old32, atomic), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    ;
  return old32;
}

static uint64_t compare_exchange(uint8_t *memory, uint64_t wanted, uint64_t value, bool is_long) {
  uint64_t *wide = (uint64_t *)(void *)memory;
  uint32_t *word = (uint32_t *)(void *)memory, expected = (uint32_t)wanted;
  if (is_long) {
    __atomic_compare_exchange_n(wide, &wanted, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return wanted;
  }
  __atomic_compare_exchange_n(word, &expected, (uint32_t)value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}

/* The staging registers of a lane. */
struct staging {
  struct warp *warp;
  unsigned first, lane;
};

static uint64_t staged(const struct staging *s, unsigned at, bool is_long) {
  uint64_t low = s->warp->values[(s->first + at) & 63].at[s->lane];
  return is_long ? low | (uint64_t)s->warp->values[(s->first + at + 1) & 63].at[s->lane] << 32 : low;
}

static void set_staged(const struct staging *s, unsigned at, uint64_t value, bool is_long) {
  s->warp->values[(s->first + at) & 63].at[s->lane] = (uint32_t)value;
  if (is_long)
    s->warp->values[(s->first + at + 1) & 63].at[s->lane] = (uint32_t)(value >> 32);
}

static uint64_t implied_operand(uint8_t opcode) {
  return opcode == V_ADEC ? UINT64_MAX : 1;
}

/* ATOM_C: `name` is that of the FMA half, "ATOM_C1_RETURN.i32". */
static void run_combined(const struct staging *s, const struct instruction *fma, uint8_t *memory) {
  const char *name = fma->operation->name;
  bool is_one = strncmp(name, "ATOM_C1", 7) == 0, returns = strstr(name, "RETURN") != NULL;
  struct atomic atomic = {.opcode = fma->modifier[T_ATOM_OPC], .is_long = strstr(name, "i64") != NULL};
  uint64_t old;
  atomic.operand = is_one ? implied_operand(atomic.opcode) : staged(s, 0, atomic.is_long);
  old = read_modify_write(memory, &atomic);
  if (!returns)
    return;
  set_staged(s, 0, old, atomic.is_long);
  if (!atomic.is_long)
    set_staged(s, 1, neutral(atomic.opcode), false);
}

/* ACMPXCHG and ACMPSTORE stage the new value, then the one that memory has to hold. AXCHG stages the new value. */
static void run_exchange(const struct staging *s, const struct instruction *in, uint8_t *memory) {
  const char *name = in->operation->name;
  bool is_long = strstr(name, "i64") != NULL, compares = strncmp(name, "ACMP", 4) == 0;
  const struct atomic exchange = {.opcode = V_NO_VALUE, .is_long = is_long, .operand = staged(s, 0, is_long)};
  uint64_t old = compares ? compare_exchange(memory, staged(s, is_long ? 2 : 1, is_long), exchange.operand, is_long)
                          : read_modify_write(memory, &exchange);
  if (in->operation->staging != STAGING_READ)
    set_staged(s, 0, old, is_long);
}

int atomic_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_tuple *tuple,
               uint8_t *const *memory) {
  const struct instruction *add = &tuple->slots[UNIT_ADD].instruction;
  bool combined = strcmp(add->operation->name, "ATOM_CX") == 0;
  struct staging s = {.warp = warp, .first = runner->shader->clauses[runner->at.clause].header.staging_register};
  for (s.lane = 0; s.lane < WARP_LANES; s.lane++) {
    if (!(runner->at.lanes >> s.lane & 1))
      continue;
    if ((uintptr_t)memory[s.lane] % tuple->slots[UNIT_ADD].bytes)
      return lane_error(runner, s.lane, "%s at an address that is not a multiple of %u", add->operation->name,
                        tuple->slots[UNIT_ADD].bytes);
    if (combined)
      run_combined(&s, &tuple->slots[UNIT_FMA].instruction, memory[s.lane]);
    else
      run_exchange(&s, add, memory[s.lane]);
  }
  return 0;
}
