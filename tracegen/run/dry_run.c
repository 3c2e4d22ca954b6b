#include "tracegen/run/dry_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/subprocess.h"
#include "tracegen/run/run_groups.h"

#define TIME_PART 0.1 /* of the launch's time limit; assumed: few work-groups run, and nothing is recorded */

/* Shared with the process of the dry run. */
struct findings {
  bool is_finding; /* the mistake is one that dry runs look for */
  struct error found;
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

/* Gives this process copies of all that the kernel may store to. */
static int copy_what_is_stored_to(const struct run_request *request, struct error *error) {
  const struct kernel_program *program = request->program;
  const struct arena *arena = request->arena;
  bool *copied = calloc(arena->region_count + 1, sizeof *copied);
  int status = copied ? 0 : error_no_memory(error);
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

static void on_mistake(void *user, const struct error *error) __attribute__((noreturn));
static void on_mistake(void *user, const struct error *error) {
  struct findings *r = user;
  if (r->is_finding)
    r->found = *error;
  _exit(0);
}

static void run_and_end(const struct run_request *launch, struct findings *r) __attribute__((noreturn));
static void run_and_end(const struct run_request *launch, struct findings *r) {
  uint64_t instructions;
  double first_item_s;
  struct error ignored = ERROR_INIT;
  struct run_request request = *launch;
  request.writer = NULL;
  request.jobs = 1;
  request.print = NULL;
  request.groups_done = NULL;
  request.first_item_s = &first_item_s;
  request.only_checked_groups =
      !run_groups_depend_on_order(&request.program->code) && !request.program->dry_runs_all_groups;
  request.dry_run_finding = &r->is_finding;
  request.deadline_s = clock_seconds() + TIME_PART * request.limit_s;
  request.fail = on_mistake;
  request.user = r;
  if (request.confine && request.confine())
    _exit(1);
  if (!copy_what_is_stored_to(&request, &ignored))
    run_groups(&request, &instructions, &ignored);
  _exit(0);
}

int dry_run(const struct run_request *request, struct error *error) {
  struct findings *r = subprocess_shared_memory(sizeof *r);
  if (!r)
    return 0;
  const pid_t process = fork();
  if (process == 0) {
    subprocess_end_with_parent();
    run_and_end(request, r);
  }
  if (process > 0)
    subprocess_wait(process);
  const bool found = r->found.kind != ERROR_NONE;
  if (found)
    *error = r->found;
  munmap(r, sizeof *r);
  return found ? -1 : 0;
}
