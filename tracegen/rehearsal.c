#include "tracegen/rehearsal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tracegen/workers.h"

#define TIME_PART 0.1 /* of the launch's limit: assumed; few groups run, and without recording */

struct rehearsal {
  const struct run_request *request;
  struct worker_pipe *pipe; /* in the process that rehearses */
  bool rehearsed;
  struct error found; /* in the one that waits */
};

static bool stores(const struct trace_op *op) {
  return (op->op_class == OP_STORE || op->op_class == OP_ATOMIC) && op->space == SPACE_GLOBAL;
}

static int copy_region(const struct arena *arena, size_t i, bool *copied, struct error *error) {
  if (copied[i])
    return 0;
  copied[i] = true;
  return arena_make_private(arena, &arena->regions[i], error);
}

/* What the kernel may store to is from here on this process's own. */
static int copy_what_is_stored_to(const struct run_request *request, struct error *error) {
  const struct kernel_program *program = request->program;
  const struct arena *arena = request->arena;
  bool *copied = calloc(arena->region_count + 1, sizeof *copied);
  int status = copied ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (uint32_t i = 0; !status && i < program->code.mem_count; i++) {
    const struct kernel_access *access = &program->accesses[i];
    if (!stores(&program->code.ops[access->op]))
      continue;
    if (access->root.kind == ROOT_ARGUMENT)
      status = copy_region(arena, request->launch->arguments[access->root.index].buffer, copied, error);
    for (size_t k = 0; access->root.kind == ROOT_UNKNOWN && !status && k < arena->region_count; k++)
      status = copy_region(arena, k, copied, error);
  }
  free(copied);
  return status;
}

static void send_and_end(const struct rehearsal *r, const struct error *found) __attribute__((noreturn));
static void send_and_end(const struct rehearsal *r, const struct error *found) {
  const struct worker_record record = {.length = found ? sizeof *found : 0, .data = found};
  worker_send(r->pipe, &record);
  worker_end(r->pipe);
}

static void on_mistake(void *user, const struct error *error) __attribute__((noreturn));
static void on_mistake(void *user, const struct error *error) {
  const struct rehearsal *r = user;
  send_and_end(r, r->rehearsed ? error : NULL);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int rehearse(void *user, struct worker_pipe *pipe, uint64_t first, uint64_t step, struct error *error) {
  struct rehearsal *r = user;
  uint64_t instructions;
  double first_item_s;
  struct run_request request = *r->request;
  (void)first;
  (void)step;
  r->pipe = pipe;
  request.writer = NULL;
  request.jobs = 1;
  request.print = NULL;
  request.first_item_s = &first_item_s;
  request.only_checked_groups = !run_groups_depend_on_order(&request.program->code);
  request.rehearsed = &r->rehearsed;
  request.deadline_s = seconds() + TIME_PART * request.limit_s;
  request.fail = on_mistake;
  request.user = r;
  if (!copy_what_is_stored_to(&request, error))
    run_groups(&request, &instructions, error);
  send_and_end(r, NULL);
}

static int take(void *user, uint64_t group, const struct worker_record *record, struct error *error) {
  struct rehearsal *r = user;
  (void)group;
  (void)error;
  if (record->length == sizeof r->found)
    memcpy(&r->found, record->data, sizeof r->found);
  return 0;
}

int rehearsal_run(const struct run_request *request, struct error *error) {
  struct rehearsal r = {.request = request, .found = ERROR_INIT};
  struct error ignored = ERROR_INIT;
  const struct worker_task task = {.work = rehearse, .take = take, .user = &r, .first = 0, .end = 1};
  workers_run(&task, 1, &ignored);
  if (r.found.kind == ERROR_NONE)
    return 0;
  *error = r.found;
  return -1;
}
