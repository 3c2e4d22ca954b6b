/* Prepares what a work-item is told: its ids, the sizes of the NDRange, and the memory that its operations must stay
 * in. */
#include "tracegen/run/group/group_run.h"

#include <string.h>

/* Sub-groups are consecutive work-items in order of local ids, x fastest; the last one may have fewer. Kernels that ask
 * for them have one slot for each work-item, whose local id never changes. */
static void set_sub_group_id(const struct group_run *run, struct item_context *item, uint32_t local_id) {
  const uint32_t id = local_id / run->sub_group, first = id * run->sub_group, left = run->local_size - first;
  item->query[QUERY_SUB_GROUP_ID][0] = id;
  item->query[QUERY_SUB_GROUP_LOCAL_ID][0] = local_id - first;
  item->query[QUERY_SUB_GROUP_SIZE][0] = left < run->sub_group ? left : run->sub_group;
}

void group_run_set_local_id(struct group_run *run, struct item_context *item, uint32_t local_id) {
  item->local_id = local_id;
  item->query[QUERY_LOCAL_LINEAR_ID][0] = local_id;
  set_sub_group_id(run, item, local_id);
  for (int d = 0; d < 3; d++) {
    item->query[QUERY_LOCAL_ID][d] = local_id % run->request->launch->local[d];
    local_id /= run->request->launch->local[d];
  }
}

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

/* Along x all ids grow by the same number. */
void group_run_step_item(struct group_run *run, struct item_context *item, uint32_t count) {
  uint64_t *at = item->query[QUERY_LOCAL_ID];
  const uint32_t *local = run->request->launch->local;
  item->query[QUERY_LOCAL_LINEAR_ID][0] = item->local_id += count;
  if ((at[0] += count) < local[0]) {
    item->query[QUERY_GLOBAL_ID][0] += count;
    item->query[QUERY_GLOBAL_LINEAR_ID][0] += count;
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
  item->query[QUERY_MAX_SUB_GROUP_SIZE][0] = run->local_size < run->sub_group ? run->local_size : run->sub_group;
  item->query[QUERY_NUM_SUB_GROUPS][0] = item->query[QUERY_ENQUEUED_NUM_SUB_GROUPS][0] =
      (run->local_size + run->sub_group - 1) / run->sub_group;
  for (int d = 0; d < 4; d++) {
    const bool used = d < 3;
    item->query[QUERY_GLOBAL_SIZE][d] = used ? launch->global[d] : 1;
    item->query[QUERY_LOCAL_SIZE][d] = item->query[QUERY_ENQUEUED_LOCAL_SIZE][d] = used ? launch->local[d] : 1;
    item->query[QUERY_NUM_GROUPS][d] = used ? launch->global[d] / launch->local[d] : 1;
    item->query[QUERY_GLOBAL_OFFSET][d] = used ? launch->offset[d] : 0;
    item->query[QUERY_WORK_DIM][d] = launch->dimensions;
  }
}

uint64_t group_run_region(const struct item_context *item, const struct kernel_access *access, uint64_t *bytes) {
  const struct group_run *run = item->run;
  const struct kernel_program *program = run->program;
  const uint32_t i = access->root.index;
  uint64_t base;
  if (access->root.kind == ROOT_ARGUMENT) {
    memcpy(&base, run->request->arguments[i].value, sizeof base);
    *bytes = run->request->arguments[i].bytes;
    return base;
  }
  const enum root_kind kind = access->root.kind;
  const struct arena *arena = run->request->arena;
  const struct kernel_variable *v = kind == ROOT_LOCAL      ? &program->locals.list[i]
                                    : kind == ROOT_CONSTANT ? &program->constants.list[i]
                                                            : &program->privates.list[i];
  const char *start = kind == ROOT_LOCAL      ? run->request->local_memory
                      : kind == ROOT_CONSTANT ? arena->base
                                              : item->private_memory;
  *bytes = v->bytes;
  return (uintptr_t)start + v->offset;
}
