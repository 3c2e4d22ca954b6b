#include "model/result/result_values.h"

#include <stdint.h>

/* clang-format off */
#define REAL(name, field, unit, meaning) \
  {name, unit, meaning, offsetof(struct sim_result, field), false}
#define WHOLE(name, field, unit, meaning) \
  {name, unit, meaning, offsetof(struct sim_result, field), true}
/* clang-format on */

const struct sim_value sim_values[] = {
    REAL("cycles", cycles, "cycles", "from launch to the last event"),
    REAL("time_ns", time_ns, "ns", "cycles at the GPU's clock"),
    WHOLE("work_item_instructions", work_item_instructions, "1", "operations of all work-items"),
    WHOLE("warp_instructions", warp_instructions, "1", "operations that warps issued"),
    REAL("issue_slots", issue_slots, "slots", "issue slots of all warps, priced by the ISA profile"),
#define X(field, name, meaning) REAL("cycle_stack." name, stack.field, "cycles", meaning),
    SIM_STACK_COMPONENTS(X)
#undef X
#define X(place, field, name, unit, meaning) WHOLE(name, counters.field, unit, meaning),
        SIM_MEMORY_COUNTERS(X)
#undef X
#define X(field, name, meaning) REAL("queues." name, queues.field, "cycles", "waited: " meaning),
            SIM_QUEUES(X)
#undef X
#define X(place, field, name, unit, meaning) WHOLE(name, counters.field, unit, meaning),
                SIM_CORE_COUNTERS(X)
#undef X
                    REAL("simd_efficiency", simd_efficiency, "1", "active lanes / lanes over all warp operations"),
};

const size_t sim_value_count = sizeof sim_values / sizeof sim_values[0];

double sim_value_of(const struct sim_value *measure, const struct sim_result *result) {
  const char *field = (const char *)result + measure->offset;
  return measure->whole ? (double)*(const uint64_t *)(const void *)field : *(const double *)(const void *)field;
}
