/* The mechanisms of the model that a GPU description can do without, and the values that turn each of them off.
 *
 * A mechanism is one row: the parameters that turn it off and their values. The order of the rows is the one in which
 * an ablation adds them: first the steps of thesis table 5.7 (Kaszyk, section 5.3.1), then the rest, from the caches
 * outwards. A new mechanism is one new row. A GPU uses a mechanism if turning it off changes the description.
 * Ownership: ablation_list allocates, the caller frees. Errors: memory. Cost: O(rows). Threads: any. */
#ifndef MODEL_ABLATION_H
#define MODEL_ABLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/params/gpu.h"

enum { MECHANISM_MOST_KEYS = 8 };

enum mechanism_traits {
  MECHANISM_BASIC =
      1, /* belongs to the first step of the incremental order: "arithmetic, memory, barriers, divergence" */
  MECHANISM_NO_EVENTS = 2,     /* no list of recorded events represents it (model/retime/retime_record.h) */
  MECHANISM_OF_DEPENDENCY = 4, /* it exists only under `memory: dependency` */
};

struct mechanism_off {
  const char *key; /* of gpu_params; NULL ends the list */
  double value;    /* as params_set_number takes it */
};

struct mechanism {
  const char *name, *meaning;
  unsigned traits; /* enum mechanism_traits */
  struct mechanism_off off[MECHANISM_MOST_KEYS];
  const char *only[MECHANISM_MOST_KEYS]; /* parameters without effect while it is off; NULL ends the list */
};

extern const struct mechanism mechanisms[];
extern const size_t mechanism_count;

/* Sets the parameters that turn the mechanism off, if the GPU uses it. */
void mechanism_turn_off(const struct mechanism *mechanism, struct gpu_spec *spec);
/* Returns whether turning the mechanism off would change the GPU. */
bool mechanism_is_used(const struct mechanism *mechanism, const struct gpu_spec *spec);
/* Returns whether the GPU uses a mechanism that no list of recorded events represents. */
bool mechanism_has_no_events(const struct gpu_spec *spec);

enum ablation_kind {
  ABLATION_FULL,    /* the GPU as it is described */
  ABLATION_WITHOUT, /* one mechanism off */
  ABLATION_STEP     /* this mechanism and those before it on; mechanism NULL: only the basic ones */
};

struct ablation_variant {
  enum ablation_kind kind;
  const struct mechanism *mechanism;
  struct gpu_spec spec;
};

/* Lists the variants: the full GPU, then the GPU without each mechanism that it uses, then the steps; the last step is
 * the full GPU again. */
int ablation_list(const struct gpu_spec *full, struct ablation_variant **out, size_t *count, struct error *error);
/* Returns the name of a variant: that of the mechanism, "all" or "basic". */
const char *ablation_name(const struct ablation_variant *variant);

#endif
