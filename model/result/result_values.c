#include "model/result/result_values.h"

#include <stdint.h>

/* clang-format off */
#define REAL(name, field, unit, meaning) \
  {name, unit, meaning, offsetof(struct sim_result, field), false}
#define WHOLE(name, field, unit, meaning) \
  {name, unit, meaning, offsetof(struct sim_result, field), true}
/* clang-format on */

const struct sim_measure sim_measures[] = {
    REAL("cycles", cycles, "cycles", "from launch to the last event"),
    REAL("time_ns", time_ns, "ns", "cycles at the GPU's clock"),
    WHOLE("work_item_instructions", work_item_instructions, "1", "operations of all work-items"),
    WHOLE("warp_instructions", warp_instructions, "1", "operations that warps issued"),
    REAL("issue_slots", issue_slots, "slots", "issue slots of all warps, priced by the ISA profile"),
#define X(field, name, meaning) REAL("cycle_stack." name, stack.field, "cycles", meaning),
    SIM_STACK_COMPONENTS(X)
#undef X
        WHOLE("l1.accesses", l1.accesses, "1", "transactions that looked L1 up"),
    WHOLE("l1.misses", l1.misses, "1", "of them not found"),
    WHOLE("l1.write_backs", l1.write_backs, "1", "dirty lines that L1 pushed out"),
    WHOLE("l2.accesses", l2.accesses, "1", "transactions that looked L2 up"),
    WHOLE("l2.misses", l2.misses, "1", "of them not found"),
    WHOLE("l2.write_backs", l2.write_backs, "1", "dirty lines that L2 pushed out"),
    WHOLE("atomics", atomics, "1", "atomic operations of work-items, executed at L2"),
    WHOLE("atomic_rounds", atomic_rounds, "1",
          "of them one after another: per line of a warp, the most on one address"),
    WHOLE("l1_l2_read_bytes", l1_l2_read_bytes, "bytes", "moved from L2 to L1s, whole lines"),
    WHOLE("l1_l2_written_bytes", l1_l2_written_bytes, "bytes", "moved from L1s to L2, whole lines"),
    WHOLE("dram_read_bytes", dram_read_bytes, "bytes", "moved from memory to L2"),
    WHOLE("dram_written_bytes", dram_written_bytes, "bytes", "moved from L2 to memory, by policies that say so"),
    WHOLE("dram_bytes", dram_bytes, "bytes", "moved between L2 and memory"),
#define X(field, name, meaning) REAL("queues." name, queues.field, "cycles", "waited: " meaning),
    SIM_QUEUES(X)
#undef X
        WHOLE("scratchpad.accesses", scratchpad.accesses, "1",
              "accesses of warps to local memory that is a scratchpad"),
    WHOLE("scratchpad.passes", scratchpad.passes, "1", "passes that they took through its banks"),
    WHOLE("uniform_loads", uniform_loads, "1", "loads of warps that took the uniform port"),
    WHOLE("instruction_misses", instruction_misses, "lines", "lines of code that were not in the instruction cache"),
    REAL("simd_efficiency", simd_efficiency, "1", "active lanes / lanes over all warp operations"),
};

const size_t sim_measure_count = sizeof sim_measures / sizeof sim_measures[0];

double sim_measure_value(const struct sim_measure *measure, const struct sim_result *result) {
  const char *field = (const char *)result + measure->offset;
  return measure->whole ? (double)*(const uint64_t *)(const void *)field : *(const double *)(const void *)field;
}
