#include "model/warp/divergence.h"

#define X(constant, name, meaning) [constant] = &divergence_##name,
const struct divergence_policy_ops *const divergence_policies[] = {DIVERGENCE_POLICIES(X)};
#undef X
