/* The parts of a recorded replay. Private to retime_record.c, which makes it, and retime_time.c, which times it. */
#ifndef MODEL_RETIME_PARTS_H
#define MODEL_RETIME_PARTS_H

#include "model/retime/event_recorder.h"
#include "model/retime/retime_alone.h"
#include "model/retime/retime_record.h"
#include "model/retime/retime_cores.h"
#include "model/retime/retime_sampled.h"

struct retime_recording {
  struct gpu_spec spec;
  struct retime_sampled *sampled; /* a sampled launch; NULL: a whole launch */
  struct retime_alone *alone;     /* a whole launch, by one of its cores; both NULL: the other members are used */
  struct event_lists lists;
  struct event_classes classes;
  struct cache_watch_variants variants;
  bool patterns_on; /* whether the classes have columns of patterns */
  struct recorded_patterns patterns;
  uint32_t group_count, group_places, warps_per_group;
  struct event_columns columns;
  struct retime_cores cores;
  struct sim_result counts; /* the counts that do not depend on timing; no arrays */
};

/* Times the recording on its own GPU, core by core. Returns false if the result differs from the exact replay's. */
bool retime_gives_itself(struct retime_recording *recorded, const struct sim_result *exact);

#endif
