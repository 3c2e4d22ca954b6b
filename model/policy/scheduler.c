#include "model/policy/scheduler.h"

#define X(constant, name, meaning) [constant] = &scheduler_##name,
const struct scheduler_ops *const schedulers[] = {SCHEDULERS(X)};
#undef X
