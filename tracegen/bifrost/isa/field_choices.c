#include "tracegen/bifrost/isa/field_choices.h"

#define TARGETS(...)                                                                                                   \
  { __VA_ARGS__ }
#define DEFAULTS(...)                                                                                                  \
  { __VA_ARGS__ }

#define CHOICES(name, bits, unprinted, ...)         static const uint8_t values_##name[] = {__VA_ARGS__};
#define JOINT_CHOICES(name, b, b2, o, n, t, d, ...) static const uint8_t values_##name[] = {__VA_ARGS__};
#include "tracegen/bifrost/isa/field_choices.def"
#undef CHOICES
#undef JOINT_CHOICES

#define CHOICES(name, bits, unprinted, ...)                                                                            \
  const struct field_choices field_choices_##name = {bits, 0, false, 1, {0}, {unprinted}, values_##name};
#define JOINT_CHOICES(name, bits, bits2, by_order, count, targets, unprinted, ...)                                     \
  const struct field_choices field_choices_##name = {bits, bits2, by_order, count, targets, unprinted, values_##name};
#include "tracegen/bifrost/isa/field_choices.def"
