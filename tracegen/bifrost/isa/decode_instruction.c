#include <assert.h>
#include <pthread.h>

#include "tracegen/bifrost/isa/operations.h"

static uint32_t bits_at(uint32_t word, unsigned at, unsigned count) {
  return word >> at & ((1u << count) - 1);
}

/* Returns where the values of a field of an instruction stand in its list. */
static const uint8_t *chosen(const struct operation_field *field, uint32_t bits, const struct instruction *in) {
  const struct field_choices *choices = field->choices;
  uint32_t index = bits_at(bits, field->at, choices->bits);
  if (choices->second_bits)
    index |= bits_at(bits, field->at2, choices->second_bits) << choices->bits;
  if (choices->by_order && in->source[0] > in->source[1])
    index += 1u << (choices->bits + choices->second_bits);
  return choices->values + index * choices->count;
}

/* A field of one modifier in two parts names the modifier in its list. */
static uint8_t target_of(const struct operation_field *field, unsigned i) {
  const struct field_choices *choices = field->choices;
  return choices->count == 1 && !choices->second_bits && !choices->by_order ? field->target : choices->targets[i];
}

static bool set_modifiers(const struct operation_field *field, uint32_t bits, struct instruction *out) {
  const uint8_t *values = chosen(field, bits, out);
  if (values[0] == V_RESERVED)
    return false;
  for (unsigned i = 0; i < field->choices->count; i++)
    out->modifier[target_of(field, i)] = values[i];
  return true;
}

static bool set_field(const struct operation_field *field, uint32_t bits, struct instruction *out) {
  if (field->kind == FIELD_ALWAYS)
    out->modifier[field->target] = field->value;
  else if (field->kind == FIELD_NUMBER)
    out->number[field->target] = bits_at(bits, field->at, field->value);
  else
    return set_modifiers(field, bits, out);
  return true;
}

static bool decode_as(const struct operation *operation, uint32_t bits, struct instruction *out) {
  *out = (struct instruction){.operation = operation};
  for (const char *source = operation->sources; *source; source++)
    out->source[out->source_count++] = (uint8_t)bits_at(bits, (unsigned)(*source - '0'), 3);
  for (const struct operation_field *field = operation->fields;
       field < operation->fields + OPERATION_MAX_FIELDS && field->kind != FIELD_NONE; field++)
    if (!set_field(field, bits, out))
      return false;
  return true;
}

/* The rows that an instruction can have, by unit and its highest bits: those with the highest masks first, which the
 * instruction is where it can be, and of equal ones in the order of the table. */
#define INDEX_BITS 8
#define BUCKETS    (1u << INDEX_BITS)
#define MAX_CHOSEN 64 /* rows that share their highest bits */

struct bucket {
  uint16_t rows[MAX_CHOSEN];
  uint16_t count;
};

static struct bucket index_of_rows[2][BUCKETS];
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

/* An instruction has 23 or 20 bits. */
static unsigned index_shift(enum bifrost_unit unit) {
  return (unit == UNIT_FMA ? 23 : 20) - INDEX_BITS;
}

static void insert_row(struct bucket *bucket, size_t row) {
  unsigned at = bucket->count++;
  assert(at < MAX_CHOSEN);
  for (; at > 0 && bifrost_operations[bucket->rows[at - 1]].mask < bifrost_operations[row].mask; at--)
    bucket->rows[at] = bucket->rows[at - 1];
  bucket->rows[at] = (uint16_t)row;
}

static void index_row(size_t row) {
  const struct operation *operation = &bifrost_operations[row];
  const unsigned shift = index_shift(operation->unit);
  for (uint32_t high = 0; high < BUCKETS; high++)
    if ((high & operation->mask >> shift) == operation->bits >> shift)
      insert_row(&index_of_rows[operation->unit][high], row);
}

static void index_rows(void) {
  for (size_t row = 0; row < bifrost_operation_count; row++)
    index_row(row);
}

bool instruction_decode(enum bifrost_unit unit, uint32_t bits, struct instruction *out) {
  pthread_once(&index_once, index_rows);
  const struct bucket *bucket = &index_of_rows[unit][bits >> index_shift(unit) & (BUCKETS - 1)];
  for (unsigned i = 0; i < bucket->count; i++) {
    const struct operation *row = &bifrost_operations[bucket->rows[i]];
    if ((bits & row->mask) == row->bits && decode_as(row, bits, out))
      return true;
  }
  *out = (struct instruction){0};
  return false;
}
