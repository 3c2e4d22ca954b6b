#include "tracegen/bifrost/isa/operations.h"

#include "tracegen/bifrost/isa/field_choices.h"

#define NO_FIELDS                                                                                                      \
  {                                                                                                                    \
    { FIELD_NONE, 0, 0, 0, 0, NULL }                                                                                   \
  }
#define FIELDS(...)                                                                                                    \
  { __VA_ARGS__ }
#define FIELD(target, list, at)                                                                                        \
  { FIELD_CHOICES, T_##target, at, 0, 0, &field_choices_##list }
#define JOINT(list, at)                                                                                                \
  { FIELD_CHOICES, 0, at, 0, 0, &field_choices_##list }
#define SPLIT(list, at, at2)                                                                                           \
  { FIELD_CHOICES, 0, at, at2, 0, &field_choices_##list }
#define ALWAYS(target, value)                                                                                          \
  { FIELD_ALWAYS, T_##target, 0, 0, V_##value, NULL }
#define NUMBER(name, at, bits)                                                                                         \
  { FIELD_NUMBER, NUMBER_##name, at, 0, bits, NULL }

#define BY_FORMAT        STAGES_BY_FORMAT
#define BY_COUNT         2 /* of ATOM_CX: the old value, and what ATOM_POST adds to it */
#define NO_STAGING       STAGING_NONE, 0
#define READS(count)     STAGING_READ, count
#define WRITES(count)    STAGING_WRITE, count
#define EXCHANGES(count) STAGING_EXCHANGE, count

#define FMA(name, mask, bits, sources, alu, type, op_class, ...)                                                       \
  {name, mask, bits, sources, alu, UNIT_FMA, SOURCE_##type, OP_##op_class, MESSAGE_NONE, NO_STAGING, __VA_ARGS__},
#define ADD(name, mask, bits, sources, alu, type, op_class, ...)                                                       \
  {name, mask, bits, sources, alu, UNIT_ADD, SOURCE_##type, OP_##op_class, MESSAGE_NONE, NO_STAGING, __VA_ARGS__},
#define MESSAGE(message, name, mask, bits, sources, staging, op_class, ...)                                            \
  {name, mask, bits, sources, NULL, UNIT_ADD, SOURCE_U32, OP_##op_class, MESSAGE_##message, staging, __VA_ARGS__},

const struct operation bifrost_operations[] = {
#include "tracegen/bifrost/isa/fma_operations.def"
#include "tracegen/bifrost/isa/add_operations.def"
#include "tracegen/bifrost/isa/branch_operations.def"
#include "tracegen/bifrost/isa/message_operations.def"
};

const size_t bifrost_operation_count = sizeof bifrost_operations / sizeof *bifrost_operations;

const char *bifrost_value_text(uint8_t value) {
  static const char *const texts[] = {
#define X(name, text) text,
#include "tracegen/bifrost/alu/modifier_values.def"
#undef X
  };
  return texts[value];
}

const char *bifrost_number_text(uint8_t number) {
  static const char *const texts[] = {
#define X(name, text) text,
      BIFROST_NUMBERS(X)
#undef X
  };
  return texts[number];
}

int bifrost_target_source(uint8_t target) {
  static const struct {
    const char *name;
    size_t length;
  } names[] = {
#define X(name) {#name, sizeof #name - 1},
#include "tracegen/bifrost/alu/modifier_targets.def"
#undef X
  };
  const char last = names[target].name[names[target].length - 1];
  return last >= '0' && last <= '9' ? last - '0' : -1;
}
