/* What a recorded replay holds. Private to retime_record.c, which makes it, and retime_time.c, which times it. */
#ifndef MODEL_RETIME_PARTS_H
#define MODEL_RETIME_PARTS_H

#include "model/retime/event_recorder.h"
#include "model/retime/retime_record.h"
#include "model/retime/retime_cores.h"
#include "model/retime/retime_sampled.h"

struct retime_recording {
  struct gpu_spec spec;
  struct retime_sampled *sampled; /* NULL: a whole launch, which the rest is about */
  struct event_lists lists;
  struct event_classes classes;
  struct cache_watch_variants variants;
  bool patterns_on; /* the classes have columns of them */
  struct recorded_patterns patterns;
  uint32_t group_count, slots, warps_per_group;
  struct event_columns columns;
  struct retime_fixed_rows fixed;
  struct retime_cores cores;
  struct sim_result counts; /* what does not depend on timing; no arrays */
};

/* Times the recording on its own GPU, core by core. False: not the exact replay's result. */
bool retime_gives_itself(struct retime_recording *recorded, const struct sim_result *exact);

#endif
