/* What work-items know of themselves: their ids, and the sizes of the NDRange. */
#include "tracegen/run/group_run.h"

/* Local ids of the item: divisions, so once for every item of the kernel, or a step from the item before. */
void group_run_set_local_id(struct group_run *run, struct item_context *item, uint32_t local_id) {
  item->local_id = local_id;
  item->query[QUERY_LOCAL_LINEAR_ID][0] = local_id;
  for (int d = 0; d < 3; d++) {
    item->query[QUERY_LOCAL_ID][d] = local_id % run->request->launch->local[d];
    local_id /= run->request->launch->local[d];
  }
}

/* From the local ids and the group's. */
void group_run_set_global_id(struct group_run *run, struct item_context *item) {
  const struct workload_launch *launch = run->request->launch;
  uint64_t linear = 0;
  for (int d = 0; d < 3; d++) {
    const uint64_t global = run->group_at[d] * launch->local[d] + item->query[QUERY_LOCAL_ID][d];
    item->query[QUERY_GROUP_ID][d] = run->group_at[d];
    item->query[QUERY_GLOBAL_ID][d] = global + launch->offset[d];
    linear += global * run->global_stride[d];
  }
  item->query[QUERY_GLOBAL_LINEAR_ID][0] = linear;
}

/* From an item, or a row of them, that has run to the next one. Along x all its ids grow by as much. */
void group_run_step_item(struct group_run *run, struct item_context *item, uint32_t lanes) {
  uint64_t *at = item->query[QUERY_LOCAL_ID];
  const uint32_t *local = run->request->launch->local;
  item->query[QUERY_LOCAL_LINEAR_ID][0] = item->local_id += lanes;
  if ((at[0] += lanes) < local[0]) {
    item->query[QUERY_GLOBAL_ID][0] += lanes;
    item->query[QUERY_GLOBAL_LINEAR_ID][0] += lanes;
    return;
  }
  at[0] = 0;
  if (++at[1] == local[1]) {
    at[1] = 0;
    at[2]++;
  }
  group_run_set_global_id(run, item);
}

void group_run_set_sizes(struct group_run *run, struct item_context *item, uint32_t slot) {
  const struct workload_launch *launch = run->request->launch;
  item->run = run;
  item->program = run->program;
  item->slot = slot;
  item->private_memory = run->private_memory + (size_t)slot * run->program->private_bytes;
  item->local_memory = run->request->local_memory;
  for (int d = 0; d < 4; d++) {
    const bool used = d < 3;
    item->query[QUERY_GLOBAL_SIZE][d] = used ? launch->global[d] : 1;
    item->query[QUERY_LOCAL_SIZE][d] = item->query[QUERY_ENQUEUED_LOCAL_SIZE][d] = used ? launch->local[d] : 1;
    item->query[QUERY_NUM_GROUPS][d] = used ? launch->global[d] / launch->local[d] : 1;
    item->query[QUERY_GLOBAL_OFFSET][d] = used ? launch->offset[d] : 0;
    item->query[QUERY_WORK_DIM][d] = launch->dimensions;
  }
}
