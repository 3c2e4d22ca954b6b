#include "tracegen/run/group/collective_values.h"

#include <math.h>
#include <string.h>

#include "workload/half.h"
#include "workload/workload.h"

/* Numbers of any type. An integer of fewer than 64 bits is extended by its sign or by zeros. */
union number {
  uint64_t integer;
  double real;
};

static bool is_signed(uint8_t type) {
  return type == SCALAR_CHAR || type == SCALAR_SHORT || type == SCALAR_INT || type == SCALAR_LONG;
}

static union number read_number(uint8_t type, const void *place) {
  union number n = {0};
  float single;
  uint16_t half;
  if (type == SCALAR_HALF) {
    memcpy(&half, place, sizeof half);
    n.real = half_to_double(half);
  } else if (type == SCALAR_FLOAT) {
    memcpy(&single, place, sizeof single);
    n.real = (double)single;
  } else {
    const size_t bytes = scalar_type_bytes(type);
    memcpy(&n.integer, place, bytes); /* little endian, as the emulator's hosts are */
    if (is_signed(type) && bytes < 8 && n.integer >> (8 * bytes - 1))
      n.integer |= ~UINT64_C(0) << 8 * bytes;
  }
  return n;
}

static void write_number(uint8_t type, union number n, void *place) {
  const float single = (float)n.real;
  const uint16_t half = type == SCALAR_HALF ? half_from_double(n.real) : 0;
  if (type == SCALAR_HALF)
    memcpy(place, &half, sizeof half);
  else if (type == SCALAR_FLOAT)
    memcpy(place, &single, sizeof single);
  else
    memcpy(place, &n.integer, scalar_type_bytes(type));
}

/* Returns the number as its type holds it. */
static union number rounded(uint8_t type, union number n) {
  unsigned char bytes[8];
  write_number(type, n, bytes);
  return read_number(type, bytes);
}

/* Sums and products of two floats or halves are exact in double, or lose nothing that the second rounding keeps. */
static union number combine_reals(uint8_t operation, double a, double b) {
  switch ((enum collective_operation)operation) {
  case OPERATION_ADD:
    return (union number){.real = a + b};
  case OPERATION_MUL:
    return (union number){.real = a * b};
  case OPERATION_MIN:
    return (union number){.real = fmin(a, b)};
  default:
    return (union number){.real = fmax(a, b)};
  }
}

static union number combine_integers(uint8_t operation, bool with_sign, uint64_t a, uint64_t b) {
  const bool less = with_sign ? (int64_t)a < (int64_t)b : a < b;
  switch ((enum collective_operation)operation) {
  case OPERATION_ADD:
    return (union number){.integer = a + b};
  case OPERATION_MUL:
    return (union number){.integer = a * b};
  case OPERATION_MIN:
    return (union number){.integer = less ? a : b};
  case OPERATION_MAX:
    return (union number){.integer = less ? b : a};
  case OPERATION_AND:
    return (union number){.integer = a & b};
  case OPERATION_OR:
    return (union number){.integer = a | b};
  case OPERATION_XOR:
    return (union number){.integer = a ^ b};
  case OPERATION_LOGICAL_AND:
    return (union number){.integer = a && b};
  case OPERATION_LOGICAL_OR:
    return (union number){.integer = a || b};
  default:
    return (union number){.integer = !a != !b};
  }
}

static union number combine(const struct collective *c, union number a, union number b) {
  const union number n = scalar_type_is_float(c->type)
                             ? combine_reals(c->operation, a.real, b.real)
                             : combine_integers(c->operation, is_signed(c->type), a.integer, b.integer);
  return rounded(c->type, n);
}

static union number least(uint8_t type) {
  const unsigned bits = 8 * (unsigned)scalar_type_bytes(type);
  if (scalar_type_is_float(type))
    return (union number){.real = -INFINITY};
  return (union number){.integer = is_signed(type) ? ~UINT64_C(0) << (bits - 1) : 0};
}

static union number greatest(uint8_t type) {
  const unsigned bits = 8 * (unsigned)scalar_type_bytes(type);
  if (scalar_type_is_float(type))
    return (union number){.real = INFINITY};
  return (union number){.integer = ~UINT64_C(0) >> (64 - bits + is_signed(type))};
}

/* Returns the value that changes no other one. */
static union number identity(const struct collective *c) {
  switch ((enum collective_operation)c->operation) {
  case OPERATION_MIN:
    return greatest(c->type);
  case OPERATION_MAX:
    return least(c->type);
  case OPERATION_MUL:
    return scalar_type_is_float(c->type) ? (union number){.real = 1} : (union number){.integer = 1};
  case OPERATION_AND:
    return rounded(c->type, (union number){.integer = ~UINT64_C(0)});
  case OPERATION_LOGICAL_AND:
    return (union number){.integer = 1};
  default:
    return scalar_type_is_float(c->type) ? (union number){.real = 0} : (union number){.integer = 0};
  }
}

/* Reductions and scans of the work-items [first, end). */
static void accumulate(const struct collective *c, struct collective_operands *const *operands, uint32_t first,
                       uint32_t end) {
  union number sum = identity(c);
  bool empty = true;
  for (uint32_t i = first; i < end; i++) {
    if (!operands[i])
      continue;
    const union number value = read_number(c->type, operands[i]->value);
    const union number with = empty ? value : combine(c, sum, value); /* -0 stays itself, and a NaN alone */
    write_number(c->type, c->kind == COLLECTIVE_SCAN_EXCLUSIVE ? sum : with, operands[i]->result);
    sum = with;
    empty = false;
  }
  for (uint32_t i = first; i < end && c->kind == COLLECTIVE_REDUCE; i++)
    if (operands[i])
      write_number(c->type, sum, operands[i]->result);
}

static void accumulate_clusters(const struct collective *c, struct collective_operands *const *operands,
                                uint32_t size) {
  uint64_t cluster = size;
  for (uint32_t i = 0; i < size && c->clustered; i++)
    if (operands[i] && operands[i]->numbers[0] > 0 && operands[i]->numbers[0] < cluster)
      cluster = operands[i]->numbers[0];
  for (uint64_t first = 0; first < size; first += cluster)
    accumulate(c, operands, (uint32_t)first, (uint32_t)(first + cluster < size ? first + cluster : size));
}

/* Votes. */

static bool is_set(const struct collective_operands *o) {
  return read_number(SCALAR_INT, o->value).integer != 0;
}

static bool are_all_equal(const struct collective *c, struct collective_operands *const *operands, uint32_t size) {
  const struct collective_operands *first = NULL;
  for (uint32_t i = 0; i < size; i++) {
    if (operands[i] && first) {
      const union number a = read_number(c->type, first->value), b = read_number(c->type, operands[i]->value);
      if (scalar_type_is_float(c->type) ? a.real != b.real : a.integer != b.integer)
        return false;
    }
    if (operands[i] && !first)
      first = operands[i];
  }
  return true;
}

static bool vote(const struct collective *c, struct collective_operands *const *operands, uint32_t size) {
  const bool all = c->kind == COLLECTIVE_ALL;
  if (c->kind == COLLECTIVE_ALL_EQUAL)
    return are_all_equal(c, operands, size);
  for (uint32_t i = 0; i < size; i++)
    if (operands[i] && is_set(operands[i]) != all)
      return !all;
  return all;
}

/* Ballots: one bit for each work-item. */

static bool bit_of(const uint32_t *words, uint64_t bit) {
  return bit < WORKLOAD_MAX_SUB_GROUP && words[bit / 32] >> bit % 32 & 1;
}

static uint32_t count_bits(const uint32_t *words, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < end; i++)
    count += bit_of(words, i);
  return count;
}

static uint32_t find_bit(const uint32_t *words, uint32_t size, bool first) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < size; i++)
    if (bit_of(words, i)) {
      found = i;
      if (first)
        break;
    }
  return found;
}

/* Writes the bits of [first, end). */
static void write_mask(uint32_t first, uint32_t end, void *place) {
  uint32_t words[4] = {0};
  for (uint32_t i = first; i < end && i < WORKLOAD_MAX_SUB_GROUP; i++)
    words[i / 32] |= UINT32_C(1) << i % 32;
  memcpy(place, words, sizeof words);
}

static void write_ballot(struct collective_operands *const *operands, uint32_t size, void *place) {
  uint32_t words[4] = {0};
  for (uint32_t i = 0; i < size && i < WORKLOAD_MAX_SUB_GROUP; i++)
    if (operands[i] && is_set(operands[i]))
      words[i / 32] |= UINT32_C(1) << i % 32;
  memcpy(place, words, sizeof words);
}

static void ask_ballot(const struct collective *c, struct collective_operands *o, uint32_t own, uint32_t size) {
  uint32_t words[4], result = 0;
  memcpy(words, o->value, sizeof words);
  switch ((enum collective_kind)c->kind) {
  case COLLECTIVE_INVERSE_BALLOT:
    result = bit_of(words, own);
    break;
  case COLLECTIVE_BIT_EXTRACT:
    result = bit_of(words, o->numbers[0]);
    break;
  case COLLECTIVE_BIT_COUNT:
    result = count_bits(words, size);
    break;
  case COLLECTIVE_BALLOT_INCLUSIVE_SCAN:
    result = count_bits(words, own + 1);
    break;
  case COLLECTIVE_BALLOT_EXCLUSIVE_SCAN:
    result = count_bits(words, own);
    break;
  default:
    result = find_bit(words, size, c->kind == COLLECTIVE_FIND_LSB);
  }
  memcpy(o->result, &result, sizeof result);
}

/* Values of other work-items. */

/* Returns the number of the work-item whose value this one asks for. */
static uint64_t source(const struct collective *c, const struct collective_operands *o, uint64_t own, uint64_t size) {
  const uint64_t number = o->numbers[0];
  switch ((enum collective_kind)c->kind) {
  case COLLECTIVE_SHUFFLE_XOR:
    return own ^ number;
  case COLLECTIVE_SHUFFLE_UP:
    return own - number;
  case COLLECTIVE_SHUFFLE_DOWN:
    return own + number;
  case COLLECTIVE_ROTATE: {
    const uint64_t cluster = c->clustered && o->numbers[1] > 0 && o->numbers[1] < size ? o->numbers[1] : size;
    const int64_t by = (int32_t)number % (int64_t)cluster + (int64_t)cluster;
    return own / cluster * cluster + (own % cluster + (uint64_t)by) % cluster;
  }
  default:
    return number;
  }
}

static uint32_t first_taking_part(struct collective_operands *const *operands, uint32_t size) {
  uint32_t i = 0;
  while (i + 1 < size && !operands[i])
    i++;
  return i;
}

static void move_value(const struct collective *c, struct collective_operands *const *operands, uint32_t own,
                       uint32_t size) {
  const uint64_t from =
      c->kind == COLLECTIVE_BROADCAST_FIRST ? first_taking_part(operands, size) : source(c, operands[own], own, size);
  const struct collective_operands *o = from < size && operands[from] ? operands[from] : operands[own];
  memcpy(operands[own]->result, o->value, sizeof o->value);
}

/* ---- */

static void answer(const struct collective *c, struct collective_operands *const *operands, uint32_t own, uint32_t size,
                   uint32_t voted) {
  struct collective_operands *o = operands[own];
  switch ((enum collective_kind)c->kind) {
  case COLLECTIVE_BARRIER:
    break;
  case COLLECTIVE_ELECT:
    voted = own == first_taking_part(operands, size); /* fall through */
  case COLLECTIVE_ALL:
  case COLLECTIVE_ANY:
  case COLLECTIVE_ALL_EQUAL:
    memcpy(o->result, &voted, sizeof voted);
    break;
  case COLLECTIVE_BALLOT:
    write_ballot(operands, size, o->result);
    break;
  case COLLECTIVE_EQ_MASK:
    write_mask(own, own + 1, o->result);
    break;
  case COLLECTIVE_GE_MASK:
    write_mask(own, size, o->result);
    break;
  case COLLECTIVE_GT_MASK:
    write_mask(own + 1, size, o->result);
    break;
  case COLLECTIVE_LE_MASK:
    write_mask(0, own + 1, o->result);
    break;
  case COLLECTIVE_LT_MASK:
    write_mask(0, own, o->result);
    break;
  default:
    if (c->kind >= COLLECTIVE_INVERSE_BALLOT)
      ask_ballot(c, o, own, size);
    else
      move_value(c, operands, own, size);
  }
}

void collective_compute(const struct collective *c, struct collective_operands *const *operands, uint32_t size) {
  if (c->kind == COLLECTIVE_REDUCE || c->kind == COLLECTIVE_SCAN_INCLUSIVE || c->kind == COLLECTIVE_SCAN_EXCLUSIVE) {
    accumulate_clusters(c, operands, size);
    return;
  }
  const bool votes = c->kind == COLLECTIVE_ALL || c->kind == COLLECTIVE_ANY || c->kind == COLLECTIVE_ALL_EQUAL;
  const uint32_t voted = votes && vote(c, operands, size);
  for (uint32_t i = 0; i < size; i++)
    if (operands[i])
      answer(c, operands, i, size, voted);
}
