/* Names of collective functions: a prefix says who takes part, the next word what happens, and the last one which
 * operation combines the values. */
#include "tracegen/abi/collective.h"

#include <string.h>

struct named_value {
  const char *name;
  uint8_t value;
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Sets *out to the value of a name. Returns whether the list has it. */
static bool find(const struct named_value *list, size_t count, const char *name, uint8_t *out) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i].name, name) == 0) {
      *out = list[i].value;
      return true;
    }
  return false;
}

/* Returns what follows `start`; NULL: the text begins otherwise. */
static const char *behind(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0 ? text + strlen(start) : NULL;
}

/* Itanium C++ ABI, section 5.1.5.2; OpenCL's char is signed. "Dv4_f" is a vector. */
static bool parse_type(const char *types, uint8_t *out) {
  static const struct named_value letters[] = {{"c", SCALAR_CHAR},  {"a", SCALAR_CHAR},   {"h", SCALAR_UCHAR},
                                               {"s", SCALAR_SHORT}, {"t", SCALAR_USHORT}, {"i", SCALAR_INT},
                                               {"j", SCALAR_UINT},  {"l", SCALAR_LONG},   {"m", SCALAR_ULONG},
                                               {"f", SCALAR_FLOAT}, {"d", SCALAR_DOUBLE}};
  const char *element = behind(types, "Dv");
  const char *underscore = element ? strchr(element, '_') : NULL;
  const char *letter = underscore ? underscore + 1 : types;
  const char text[2] = {letter[0], 0};
  if (strncmp(letter, "Dh", 2) == 0) {
    *out = SCALAR_HALF;
    return true;
  }
  return find(letters, COUNT(letters), text, out);
}

static bool parse_operation(const char *name, uint8_t *out) {
  static const struct named_value names[] = {{"add", OPERATION_ADD},
                                             {"mul", OPERATION_MUL},
                                             {"min", OPERATION_MIN},
                                             {"max", OPERATION_MAX},
                                             {"and", OPERATION_AND},
                                             {"or", OPERATION_OR},
                                             {"xor", OPERATION_XOR},
                                             {"logical_and", OPERATION_LOGICAL_AND},
                                             {"logical_or", OPERATION_LOGICAL_OR},
                                             {"logical_xor", OPERATION_LOGICAL_XOR}};
  return find(names, COUNT(names), name, out);
}

/* "reduce_add", "scan_inclusive_max" */
static bool parse_arithmetic(const char *name, struct collective *out) {
  static const struct named_value starts[] = {{"reduce_", COLLECTIVE_REDUCE},
                                              {"scan_inclusive_", COLLECTIVE_SCAN_INCLUSIVE},
                                              {"scan_exclusive_", COLLECTIVE_SCAN_EXCLUSIVE}};
  for (size_t i = 0; i < COUNT(starts); i++) {
    const char *operation = behind(name, starts[i].name);
    out->kind = starts[i].value;
    if (operation)
      return parse_operation(operation, &out->operation);
  }
  return false;
}

/* Functions that all work-items of the group have to call. */
static bool parse_uniform(const char *name, struct collective *out) {
  static const struct named_value kinds[] = {
      {"all", COLLECTIVE_ALL}, {"any", COLLECTIVE_ANY}, {"broadcast", COLLECTIVE_BROADCAST}};
  return find(kinds, COUNT(kinds), name, &out->kind) || parse_arithmetic(name, out);
}

/* "sub_group_" in front of these: those take part that are at the call. */
static bool parse_non_uniform(const char *name, struct collective *out) {
  static const struct named_value kinds[] = {{"elect", COLLECTIVE_ELECT},
                                             {"broadcast_first", COLLECTIVE_BROADCAST_FIRST},
                                             {"shuffle", COLLECTIVE_BROADCAST},
                                             {"shuffle_xor", COLLECTIVE_SHUFFLE_XOR},
                                             {"shuffle_up", COLLECTIVE_SHUFFLE_UP},
                                             {"shuffle_down", COLLECTIVE_SHUFFLE_DOWN},
                                             {"rotate", COLLECTIVE_ROTATE},
                                             {"clustered_rotate", COLLECTIVE_ROTATE},
                                             {"non_uniform_all", COLLECTIVE_ALL},
                                             {"non_uniform_any", COLLECTIVE_ANY},
                                             {"non_uniform_all_equal", COLLECTIVE_ALL_EQUAL},
                                             {"non_uniform_broadcast", COLLECTIVE_BROADCAST},
                                             {"ballot", COLLECTIVE_BALLOT},
                                             {"inverse_ballot", COLLECTIVE_INVERSE_BALLOT},
                                             {"ballot_bit_extract", COLLECTIVE_BIT_EXTRACT},
                                             {"ballot_bit_count", COLLECTIVE_BIT_COUNT},
                                             {"ballot_inclusive_scan", COLLECTIVE_BALLOT_INCLUSIVE_SCAN},
                                             {"ballot_exclusive_scan", COLLECTIVE_BALLOT_EXCLUSIVE_SCAN},
                                             {"ballot_find_lsb", COLLECTIVE_FIND_LSB},
                                             {"ballot_find_msb", COLLECTIVE_FIND_MSB}};
  const char *arithmetic = behind(name, "non_uniform_"), *clustered = behind(name, "clustered_");
  out->uniform = false;
  out->clustered = clustered != NULL;
  return find(kinds, COUNT(kinds), name, &out->kind) || (arithmetic && parse_arithmetic(arithmetic, out)) ||
         (clustered && behind(clustered, "reduce_") && parse_arithmetic(clustered, out));
}

static bool parse_mask(const char *name, struct collective *out) {
  static const struct named_value kinds[] = {{"get_sub_group_eq_mask", COLLECTIVE_EQ_MASK},
                                             {"get_sub_group_ge_mask", COLLECTIVE_GE_MASK},
                                             {"get_sub_group_gt_mask", COLLECTIVE_GT_MASK},
                                             {"get_sub_group_le_mask", COLLECTIVE_LE_MASK},
                                             {"get_sub_group_lt_mask", COLLECTIVE_LT_MASK}};
  out->uniform = false;
  return find(kinds, COUNT(kinds), name, &out->kind);
}

static bool parse_name(const char *name, struct collective *out) {
  const char *of_sub_group = behind(name, "sub_group_"), *of_group = behind(name, "work_group_");
  *out = (struct collective){.uniform = true, .whole_group = of_group != NULL};
  if (of_group)
    return parse_uniform(of_group, out);
  if (!of_sub_group)
    return parse_mask(name, out);
  return strcmp(of_sub_group, "barrier") == 0 || parse_uniform(of_sub_group, out) ||
         parse_non_uniform(of_sub_group, out);
}

bool collective_parse(const char *name, const char *types, struct collective *out) {
  if (!parse_name(name, out))
    return false;
  out->type = SCALAR_INT;
  return types[0] == 0 || types[0] == 'v' || parse_type(types, &out->type);
}

/* Bits from 0: kind, operation, type, flags. Operations of the code table stand above, from bit 32. */
uint64_t collective_pack(const struct collective *c, uint32_t op) {
  return COLLECTIVE_STATE | (uint64_t)op << 32 | (uint64_t)c->kind | (uint64_t)c->operation << 8 |
         (uint64_t)c->type << 16 | (uint64_t)c->whole_group << 24 | (uint64_t)c->uniform << 25 |
         (uint64_t)c->clustered << 26;
}

struct collective collective_unpack(uint64_t state) {
  return (struct collective){.kind = state & 0xff,
                             .operation = state >> 8 & 0xff,
                             .type = state >> 16 & 0xff,
                             .whole_group = state >> 24 & 1,
                             .uniform = state >> 25 & 1,
                             .clustered = state >> 26 & 1};
}
