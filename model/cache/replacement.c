#include "model/cache/replacement.h"

#define X(constant, name, meaning) [constant] = &replacement_##name,
const struct replacement_ops *const replacement_policies[] = {REPLACEMENT_POLICIES(X)};
#undef X
