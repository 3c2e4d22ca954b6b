/* The table of operations: one row for each encoding of an instruction of the FMA or the ADD unit. The rows stand in
 * fma_operations.def, add_operations.def, branch_operations.def and message_operations.def; the decoder, the listing
 * and the executor all read them. An operation with several encodings has several rows of one name.
 *
 * Threads: constant. Source: as clause.h; operations that only graphics needs are left out. */
#ifndef TRACEGEN_BIFROST_OPERATIONS_H
#define TRACEGEN_BIFROST_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/code.h"
#include "tracegen/bifrost/alu/lanes.h"
#include "tracegen/bifrost/isa/clause.h"

enum bifrost_unit { UNIT_FMA, UNIT_ADD };

#define OPERATION_MAX_SOURCES 4
#define OPERATION_MAX_FIELDS  10

/* The meaning of a field's values (field_choices.def). */
struct field_choices {
  uint8_t bits, second_bits; /* of the two parts of the field in an instruction */
  bool by_order;             /* there is a second list, for a larger source 0 than source 1 */
  uint8_t count;             /* modifiers that the field sets; 1: the row says which */
  uint8_t targets[3];        /* enum bifrost_target, where it sets several */
  uint8_t unprinted[3];      /* the values that listings leave out, V_* */
  const uint8_t *values;     /* [lists][1 << bits][count] */
};

enum field_kind { FIELD_NONE, FIELD_CHOICES, FIELD_ALWAYS, FIELD_NUMBER };

/* X(enumerator, "name in listings"). */
#define BIFROST_NUMBERS(X)                                                                                             \
  X(NUMBER_SHIFT, "shift")                                                                                             \
  X(NUMBER_ATTRIBUTE_INDEX, "attribute_index")                                                                         \
  X(NUMBER_TEXTURE_INDEX, "texture_index")                                                                             \
  X(NUMBER_SAMPLER_INDEX, "sampler_index")                                                                             \
  X(NUMBER_FILL, "fill")

enum bifrost_number {
#define X(id, text) id,
  BIFROST_NUMBERS(X)
#undef X
      NUMBER_COUNT
};

struct operation_field {
  uint8_t kind;    /* enum field_kind */
  uint8_t target;  /* the modifier, or enum bifrost_number */
  uint8_t at, at2; /* the lowest bits of the two parts */
  uint8_t value;   /* of FIELD_ALWAYS: V_*; of FIELD_NUMBER: how many bits */
  const struct field_choices *choices;
};

/* The use that an operation makes of the clause's staging registers. */
enum staging_use { STAGING_NONE, STAGING_READ, STAGING_WRITE, STAGING_EXCHANGE };

#define STAGES_BY_FORMAT 0 /* how many registers depends on the format of the data */

struct operation {
  const char *name; /* "FADD.f32" */
  uint32_t mask, bits;
  const char *sources; /* lowest bits of the sources' selectors, a digit each */
  alu_function *alu;   /* NULL: no arithmetic, or none that is documented */
  uint8_t unit;        /* enum bifrost_unit */
  uint8_t type;        /* enum source_type */
  uint8_t op_class;    /* enum trace_op_class */
  uint8_t message;     /* enum bifrost_message */
  uint8_t staging;     /* enum staging_use */
  uint8_t staging_count;
  struct operation_field fields[OPERATION_MAX_FIELDS];
};

extern const struct operation bifrost_operations[];
extern const size_t bifrost_operation_count;

/* An instruction of one unit. */
struct instruction {
  const struct operation *operation;
  uint8_t source_count;
  uint8_t source[OPERATION_MAX_SOURCES]; /* selectors, 0 to 7 (sources.h) */
  uint8_t modifier[T_COUNT];             /* V_* */
  uint32_t number[NUMBER_COUNT];
};

/* Decodes 23 or 20 bits. Returns false if no operation has this encoding; out->operation is then NULL. Cost: a
 * comparison with each row that has the instruction's 8 highest bits, at most 34. */
bool instruction_decode(enum bifrost_unit unit, uint32_t bits, struct instruction *out);
/* Return the texts of a modifier's value and of an immediate number in listings; static. */
const char *bifrost_value_text(uint8_t value);
const char *bifrost_number_text(uint8_t number);
/* Returns the number of the source that a modifier belongs to, or -1: it belongs to the whole instruction. */
int bifrost_target_source(uint8_t target);

#endif
