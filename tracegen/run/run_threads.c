#include "tracegen/run/run_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/write/work_limit.h"
#include "tracegen/run/work_group.h"
#include "tracegen/abi/phases.h"
#include "tracegen/run/watchdog.h"
#include "tracegen/run/thread_pool.h"

#define MOST_THREADS 128u  /* each reserves 128 GiB of the 128 TiB of address space for recordings */
#define MOST_ITEMS   8192u /* that exist at the same time: each is six pieces of memory, and Linux allows 65,530 */

/* The state that a thread does not share with others: local memory, the arguments that point there, and the state of
 * its run. The thread allocates it, so that no two threads write to one cache line. */
struct thread_state {
  struct run_request request;
  struct kernel_argument *arguments;
  struct group_run run;
};

struct thread_work {
  struct run_request request; /* of the caller */
  uint64_t instructions;      /* executed, without a writer */
  unsigned count;
  struct thread_state *list[];
};

static void fail(void *user, const struct error *error) __attribute__((noreturn));
static void fail(void *user, const struct error *error) {
  (void)user;
  thread_pool_fail(error);
}

/* Copies the request, with local memory of the thread's own and arguments that point there. */
static int own_memory(struct thread_state *own, const struct run_request *shared, struct error *error) {
  const struct kernel_program *program = shared->program;
  const size_t bytes = (program->parameter_count + 1) * sizeof *own->arguments;
  own->request = *shared;
  own->request.fail = fail;
  own->arguments = aligned_alloc(_Alignof(struct kernel_argument), bytes);
  if (!own->arguments)
    return error_no_memory(error);
  if (arena_local_create(shared->local_bytes, &own->request.local_memory, error))
    return -1;
  own->request.arguments = memcpy(own->arguments, shared->arguments, bytes);
  for (uint32_t i = 0; i < program->parameter_count; i++) {
    uint64_t address;
    memcpy(&address, own->arguments[i].value, sizeof address);
    address += (uintptr_t)own->request.local_memory - (uintptr_t)shared->local_memory;
    if (program->parameters[i].is_pointer && program->parameters[i].space == SPACE_LOCAL)
      memcpy(own->arguments[i].value, &address, sizeof address);
  }
  return 0;
}

static int enter(void *user, unsigned worker, struct error *error) {
  struct thread_work *work = user;
  const struct run_request *shared = &work->request;
  struct thread_state *own = work->list[worker] = calloc(1, sizeof *own);
  if (!own)
    return error_no_memory(error);
  if (own_memory(own, shared, error) || group_run_prepare(&own->run, &own->request, error) ||
      (shared->writer &&
       trace_encoder_create(trace_writer_header(shared->writer), &shared->program->code, &own->run.encoder, error)))
    return -1;
  recording_enter(&own->run.recording);
  return 0;
}

static void leave(void *user, unsigned worker) {
  struct thread_work *work = user;
  recording_leave(&work->list[worker]->run.recording);
  trace_encoder_destroy(work->list[worker]->run.encoder); /* the threads do so at the same time */
  work->list[worker]->run.encoder = NULL;
}

static int run(void *user, unsigned worker, uint64_t group, struct bytes *record, struct error *error) {
  struct thread_work *work = user;
  struct group_run *r = &work->list[worker]->run;
  r->error = error;
  r->instructions = 0;
  if (group_run_group(r, run_request_group(r->request, group)))
    return -1;
  if (r->encoder)
    return trace_encoder_end(r->encoder, record, error);
  bytes_append(record, &r->instructions, sizeof r->instructions);
  return 0;
}

static int take(void *user, unsigned worker, uint64_t group, const void *record, struct error *error) {
  struct thread_work *work = user;
  uint64_t instructions;
  if (work->request.groups_done)
    ++*work->request.groups_done;
  if (work->request.writer)
    return trace_writer_group(work->request.writer, worker, run_request_group(&work->request, group), record, error);
  memcpy(&instructions, record, sizeof instructions);
  work->instructions += instructions;
  return work_limit_check(work->instructions, work->request.most_instructions, error);
}

static unsigned threads(const struct run_request *request, uint64_t groups) {
  const struct workload_launch *launch = request->launch;
  const unsigned alive = request->program->has_barrier ? launch->local[0] * launch->local[1] * launch->local[2] : 1;
  const unsigned most = MOST_ITEMS / alive < MOST_THREADS ? MOST_ITEMS / alive : MOST_THREADS;
  const unsigned wanted = request->jobs < most ? request->jobs : most;
  return groups < wanted ? (unsigned)groups : wanted;
}

static void end(struct thread_work *work) {
  for (unsigned i = 0; i < work->count; i++) {
    struct thread_state *own = work->list[i];
    if (!own)
      continue;
    if (work->request.simd_groups)
      *work->request.simd_groups += own->run.simd_groups;
    trace_encoder_destroy(own->run.encoder);
    group_run_release(&own->run);
    arena_local_destroy(own->request.local_memory);
    free(own->arguments);
    free(own);
  }
  free(work);
}

static void mark_phase(unsigned count) {
  char phase[64];
  snprintf(phase, sizeof phase, "running on %u threads", count);
  phase_mark(phase);
}

int run_on_threads(const struct run_request *request, uint64_t first, uint64_t groups, uint64_t *instructions,
                   struct error *error) {
  const unsigned count = threads(request, groups - first);
  struct thread_work *work = calloc(1, sizeof *work + count * sizeof(struct thread_state *));
  if (!work)
    return error_no_memory(error);
  work->request = *request;
  work->count = count;
  const struct thread_pool_task task = {
      .enter = enter, .leave = leave, .run = run, .take = take, .user = work, .first = first, .end = groups};
  if (watchdog_start(request->deadline_s, error) || thread_pool_run(&task, count, error))
    return -1;
  watchdog_end();
  mark_phase(count);
  *instructions += work->instructions;
  end(work);
  return 0;
}
