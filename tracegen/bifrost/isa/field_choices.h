/* The lists of values that fields choose from (field_choices.def), for the table of operations. */
#ifndef TRACEGEN_BIFROST_FIELD_CHOICES_H
#define TRACEGEN_BIFROST_FIELD_CHOICES_H

#include "tracegen/bifrost/isa/operations.h"

#define CHOICES(name, ...)       extern const struct field_choices field_choices_##name;
#define JOINT_CHOICES(name, ...) extern const struct field_choices field_choices_##name;
#include "tracegen/bifrost/isa/field_choices.def"
#undef CHOICES
#undef JOINT_CHOICES

#endif
