#include "tracegen/program/timeline/program_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/program/timeline/busy_times.h"

struct command {
  enum command_kind kind;
  uint32_t queue;
  int64_t ns;
  struct command_times times;
  bool placed;
  uint32_t *deps; /* NULL when it is placed */
  uint32_t dep_count;
};

struct queue {
  bool in_order;
  uint32_t barrier, last; /* TIMELINE_NONE: there is none */
  uint32_t *open;         /* commands since the barrier, unless the queue is in order */
  uint32_t open_count, open_room;
};

struct timeline {
  struct host_costs costs;
  int64_t now;
  timeline_span *span;
  void *user;
  struct command *commands;
  uint32_t count, room;
  struct queue *queues;
  uint32_t queue_count, queue_room;
  uint32_t *waiting; /* commands that are not placed, in their order */
  uint32_t waiting_count, waiting_room;
  struct busy_times engines[ENGINE_COUNT];
};

struct timeline *timeline_create(const struct host_costs *costs) {
  struct timeline *t = calloc(1, sizeof *t);
  if (t)
    t->costs = *costs;
  return t;
}

void timeline_destroy(struct timeline *t) {
  if (!t)
    return;
  for (uint32_t i = 0; i < t->count; i++)
    free(t->commands[i].deps);
  for (uint32_t i = 0; i < t->queue_count; i++)
    free(t->queues[i].open);
  for (size_t i = 0; i < ENGINE_COUNT; i++)
    busy_times_clear(&t->engines[i]);
  free(t->commands);
  free(t->queues);
  free(t->waiting);
  free(t);
}

/* Makes room for one more item of `size` bytes. */
static bool grow(void *list, uint32_t count, uint32_t *room, size_t size) {
  void *old, *larger;
  if (count < *room)
    return true;
  const uint32_t wanted = *room > 0 ? 2 * *room : 16;
  memcpy(&old, list, sizeof old);
  larger = realloc(old, wanted * size);
  if (!larger)
    return false;
  memcpy(list, &larger, sizeof larger);
  *room = wanted;
  return true;
}

/* The host. */

void timeline_listen(struct timeline *t, timeline_span *span, void *user) {
  t->span = span;
  t->user = user;
}

int64_t timeline_now(const struct timeline *t) {
  return t->now;
}

static void spend(struct timeline *t, enum host_state state, uint32_t command, int64_t until) {
  if (until <= t->now)
    return;
  if (t->span)
    t->span(t->user, state, command, t->now, until);
  t->now = until;
}

void timeline_pass(struct timeline *t, enum host_state state, int64_t ns) {
  spend(t, state, TIMELINE_NONE, t->now + ns);
  for (size_t i = 0; i < ENGINE_COUNT; i++)
    busy_times_forget(&t->engines[i], t->now);
}

void timeline_query(struct timeline *t, uint32_t count) {
  timeline_pass(t, HOST_CALLS, count * llround(t->costs.query_ns));
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Waits until `end`, and says what the GPU does meanwhile. */
static void await(struct timeline *t, int64_t end) {
  while (t->now < end) {
    int64_t gpu_until, link_until;
    const struct busy_time *gpu = busy_times_at(&t->engines[ENGINE_GPU], t->now, &gpu_until);
    const struct busy_time *link = busy_times_at(&t->engines[ENGINE_LINK], t->now, &link_until);
    const int64_t until = gpu ? gpu_until : smaller(gpu_until, link_until);
    const enum host_state state = gpu ? HOST_AWAITS_KERNEL : link ? HOST_AWAITS_TRANSFER : HOST_AWAITS_GPU;
    spend(t, state, gpu ? gpu->command : link ? link->command : TIMELINE_NONE, smaller(until, end));
  }
}

static void wait_until(struct timeline *t, int64_t end) {
  const bool blocks = end > t->now;
  await(t, end);
  if (blocks)
    spend(t, HOST_AWAITS_GPU, TIMELINE_NONE, t->now + llround(t->costs.wait_ns));
  timeline_pass(t, HOST_CALLS, blocks ? 0 : llround(t->costs.query_ns));
}

void timeline_wait(struct timeline *t, uint32_t command) {
  wait_until(t, t->commands[command].times.end);
}

void timeline_finish(struct timeline *t, uint32_t queue) {
  struct queue *q = &t->queues[queue];
  int64_t end = q->last == TIMELINE_NONE ? t->now : t->commands[q->last].times.end;
  for (uint32_t i = 0; i < q->open_count; i++)
    if (t->commands[q->open[i]].times.end > end)
      end = t->commands[q->open[i]].times.end;
  q->open_count = 0;
  wait_until(t, end);
}

/* Commands. */

static bool can_be_placed(const struct timeline *t, const struct command *c) {
  for (uint32_t i = 0; i < c->dep_count; i++)
    if (!t->commands[c->deps[i]].placed)
      return false;
  return c->kind != COMMAND_USER && c->ns >= 0;
}

static bool place(struct timeline *t, uint32_t number) {
  struct command *c = &t->commands[number];
  int64_t ready = c->times.submit;
  for (uint32_t i = 0; i < c->dep_count; i++)
    if (t->commands[c->deps[i]].times.end > ready)
      ready = t->commands[c->deps[i]].times.end;
  const enum command_engine engine = command_engine(&t->costs, c->kind);
  c->times.start = ready;
  if (engine != ENGINE_NONE && !busy_times_take(&t->engines[engine], ready, c->ns, number, &c->times.start))
    return false;
  c->times.end = c->times.start + c->ns;
  c->placed = true;
  free(c->deps);
  c->deps = NULL;
  c->dep_count = 0;
  return true;
}

/* Places what can be placed, in the order of the calls. A command that there is no memory for goes on waiting. */
static bool place_waiting(struct timeline *t) {
  uint32_t kept = 0;
  bool good = true;
  for (uint32_t i = 0; i < t->waiting_count; i++) {
    const struct command *c = &t->commands[t->waiting[i]];
    if (c->placed)
      continue; /* a user event */
    const bool is_next = can_be_placed(t, c);
    if (is_next && place(t, t->waiting[i]))
      continue;
    good = good && !is_next;
    t->waiting[kept++] = t->waiting[i];
  }
  t->waiting_count = kept;
  return good;
}

uint32_t timeline_queue(struct timeline *t, bool in_order) {
  if (!grow(&t->queues, t->queue_count, &t->queue_room, sizeof *t->queues))
    return TIMELINE_NONE;
  t->queues[t->queue_count] = (struct queue){.in_order = in_order, .barrier = TIMELINE_NONE, .last = TIMELINE_NONE};
  return t->queue_count++;
}

/* Collects what the command depends on, by its list and by its queue. */
static bool find_dependencies(const struct timeline *t, const struct command_request *r, struct command *c) {
  const struct queue *q = &t->queues[r->queue];
  c->deps = malloc((r->dep_count + (size_t)q->open_count + 2) * sizeof *c->deps);
  if (!c->deps)
    return false;
  for (uint32_t i = 0; i < r->dep_count; i++)
    c->deps[c->dep_count++] = r->deps[i];
  if (q->in_order && q->last != TIMELINE_NONE)
    c->deps[c->dep_count++] = q->last;
  if (!q->in_order && q->barrier != TIMELINE_NONE)
    c->deps[c->dep_count++] = q->barrier;
  for (uint32_t i = 0; r->after_all && i < q->open_count; i++)
    c->deps[c->dep_count++] = q->open[i];
  return true;
}

static bool remember_in_queue(struct timeline *t, const struct command_request *r, uint32_t number) {
  struct queue *q = &t->queues[r->queue];
  q->last = number;
  if (r->barrier) {
    q->barrier = number;
    q->open_count = 0;
  }
  if (q->in_order)
    return true;
  if (!grow(&q->open, q->open_count, &q->open_room, sizeof *q->open))
    return false;
  q->open[q->open_count++] = number;
  return true;
}

static uint32_t add(struct timeline *t, const struct command *command) {
  if (!grow(&t->commands, t->count, &t->room, sizeof *t->commands) ||
      !grow(&t->waiting, t->waiting_count, &t->waiting_room, sizeof *t->waiting))
    return TIMELINE_NONE;
  t->commands[t->count] = *command;
  t->waiting[t->waiting_count++] = t->count;
  return t->count++;
}

bool timeline_is_ready(const struct timeline *t, const struct command_request *r) {
  struct command c = {.kind = r->kind};
  const bool ready = find_dependencies(t, r, &c) && can_be_placed(t, &c);
  free(c.deps);
  return ready;
}

/* Returns how long the command runs; negative: that is not known yet. */
static int64_t duration(const struct timeline *t, const struct command_request *r) {
  if (r->measured)
    return r->measured_ns;
  return r->kind == COMMAND_KERNEL ? r->kernel_ns : command_ns(&t->costs, r->kind, r->bytes);
}

uint32_t timeline_enqueue(struct timeline *t, const struct command_request *r) {
  struct command c = {.kind = r->kind, .queue = r->queue};
  c.ns = duration(t, r);
  c.times.queued = t->now;
  timeline_pass(t, HOST_CALLS, llround(t->costs.enqueue_ns));
  c.times.submit = c.times.queued + llround(t->costs.submit_ns);
  if (!find_dependencies(t, r, &c))
    return TIMELINE_NONE;
  const uint32_t number = add(t, &c);
  if (number == TIMELINE_NONE) {
    free(c.deps);
    return TIMELINE_NONE;
  }
  return remember_in_queue(t, r, number) && place_waiting(t) ? number : TIMELINE_NONE;
}

uint32_t timeline_user_event(struct timeline *t) {
  return add(t, &(struct command){.kind = COMMAND_USER, .queue = TIMELINE_NONE, .times = {.queued = t->now}});
}

bool timeline_complete(struct timeline *t, uint32_t command) {
  struct command *c = &t->commands[command];
  c->times.submit = c->times.start = c->times.end = t->now;
  c->placed = true;
  return place_waiting(t);
}

uint32_t timeline_unknown(const struct timeline *t) {
  for (uint32_t i = 0; i < t->waiting_count; i++) {
    struct command known = t->commands[t->waiting[i]];
    const bool unknown = known.ns < 0;
    known.ns = 0;
    if (unknown && can_be_placed(t, &known))
      return t->waiting[i];
  }
  return TIMELINE_NONE;
}

bool timeline_resolve(struct timeline *t, uint32_t command, int64_t ns) {
  if (t->commands[command].ns < 0)
    t->commands[command].ns = ns;
  return place_waiting(t);
}

bool timeline_place(struct timeline *t) {
  return place_waiting(t);
}

bool timeline_is_placed(const struct timeline *t, uint32_t command) {
  return t->commands[command].placed;
}

uint32_t timeline_count(const struct timeline *t) {
  return t->count;
}

struct command_times timeline_times(const struct timeline *t, uint32_t command) {
  return t->commands[command].times;
}

uint32_t timeline_queue_count(const struct timeline *t) {
  return t->queue_count;
}
