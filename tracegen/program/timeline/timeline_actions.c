#include "tracegen/program/timeline/timeline_actions.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_command(const struct action *a, FILE *out) {
  const struct command_request *r = &a->request;
  const bool later = r->measured ? r->measured_ns < 0 : r->kernel_ns < 0;
  fprintf(out, "e %d %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %" PRId64 " %d %d %d %" PRIu32, (int)r->kind, r->queue,
          r->bytes, a->launch, r->measured, later ? 0 : r->measured_ns, later, r->barrier, r->after_all, r->dep_count);
  for (uint32_t i = 0; i < r->dep_count; i++)
    fprintf(out, " %" PRIu32, r->deps[i]);
  if (a->name)
    fprintf(out, " %.*s", ACTION_NAME_BYTES - 1, a->name);
}

bool action_format(const struct action *a, FILE *out) {
  switch (a->kind) {
  case ACTION_PASS:
    fprintf(out, "p %d %" PRId64, (int)a->state, a->ns);
    break;
  case ACTION_QUEUE:
    fprintf(out, "o %d", a->in_order);
    break;
  case ACTION_ENQUEUE:
    put_command(a, out);
    break;
  case ACTION_REFUSE:
    fprintf(out, "x %" PRIu64, a->launch);
    break;
  case ACTION_RESOLVE:
    fprintf(out, "r %" PRIu32 " %" PRId64, a->number, a->ns);
    break;
  case ACTION_COMPLETE:
  case ACTION_WAIT:
  case ACTION_FINISH:
  case ACTION_QUERY:
    fprintf(out, "%c %" PRIu32, (char)a->kind, a->number);
    break;
  case ACTION_USER_EVENT:
    putc((char)a->kind, out);
    break;
  }
  putc('\n', out);
  return !ferror(out);
}

/* Reads a number of at most `most` and moves *at behind it. */
static bool take(const char **at, uint64_t most, uint64_t *out) {
  char *end;
  *out = strtoull(*at, &end, 10);
  const bool good = end != *at && *out <= most;
  *at = end;
  return good;
}

static bool parse_command(const char *at, struct action *a, uint32_t *deps) {
  uint64_t kind, queue, bytes, launch, measured, ns, later, barrier, after_all, count, dep;
  if (!take(&at, COMMAND_KINDS - 1, &kind) || !take(&at, UINT32_MAX, &queue) || !take(&at, UINT64_MAX, &bytes) ||
      !take(&at, UINT64_MAX, &launch) || !take(&at, 1, &measured) || !take(&at, INT64_MAX, &ns) ||
      !take(&at, 1, &later) || !take(&at, 1, &barrier) || !take(&at, 1, &after_all) ||
      !take(&at, ACTION_MOST_DEPS, &count))
    return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!take(&at, UINT32_MAX, &dep))
      return false;
    deps[i] = (uint32_t)dep;
  }
  a->launch = launch;
  a->name = *at == ' ' ? at + 1 : NULL;
  a->request = (struct command_request){.kind = (enum command_kind)kind,
                                        .queue = (uint32_t)queue,
                                        .bytes = bytes,
                                        .kernel_ns = later && !measured ? -1 : 0,
                                        .measured = measured,
                                        .measured_ns = later ? -1 : (int64_t)ns,
                                        .barrier = barrier,
                                        .after_all = after_all,
                                        .deps = deps,
                                        .dep_count = (uint32_t)count};
  return true;
}

bool action_parse(const char *line, struct action *a, uint32_t *deps) {
  uint64_t first, second;
  const char *at = line + 1;
  *a = (struct action){.kind = (enum action_kind)line[0], .launch = ACTION_NO_LAUNCH};
  switch (a->kind) {
  case ACTION_PASS:
    if (!take(&at, HOST_STATES - 1, &first) || !take(&at, INT64_MAX, &second))
      return false;
    a->state = (enum host_state)first;
    a->ns = (int64_t)second;
    return true;
  case ACTION_QUEUE:
    a->in_order = take(&at, 1, &first) && first == 1;
    return true;
  case ACTION_ENQUEUE:
    return parse_command(at, a, deps);
  case ACTION_REFUSE:
    return take(&at, UINT64_MAX, &a->launch);
  case ACTION_RESOLVE:
    if (!take(&at, UINT32_MAX, &first) || !take(&at, INT64_MAX, &second))
      return false;
    a->number = (uint32_t)first;
    a->ns = a->request.kernel_ns = (int64_t)second;
    return true;
  case ACTION_COMPLETE:
  case ACTION_WAIT:
  case ACTION_FINISH:
  case ACTION_QUERY:
    if (!take(&at, UINT32_MAX, &first))
      return false;
    a->number = (uint32_t)first;
    return true;
  case ACTION_USER_EVENT:
    return true;
  }
  return false;
}

static bool enqueue(struct timeline *t, const struct command_request *r) {
  if (r->queue >= timeline_queue_count(t))
    return false;
  for (uint32_t i = 0; i < r->dep_count; i++)
    if (r->deps[i] >= timeline_count(t))
      return false;
  return timeline_enqueue(t, r) != TIMELINE_NONE;
}

static bool wait(struct timeline *t, uint32_t command) {
  if (command >= timeline_count(t) || !timeline_is_placed(t, command))
    return false;
  timeline_wait(t, command);
  return true;
}

static bool finish(struct timeline *t, uint32_t queue) {
  if (queue >= timeline_queue_count(t))
    return false;
  timeline_finish(t, queue);
  return true;
}

bool action_apply(struct timeline *t, const struct action *a) {
  switch (a->kind) {
  case ACTION_PASS:
    timeline_pass(t, a->state, a->ns);
    return true;
  case ACTION_QUERY:
    timeline_query(t, a->number);
    return true;
  case ACTION_QUEUE:
    return timeline_queue(t, a->in_order) != TIMELINE_NONE;
  case ACTION_ENQUEUE:
    return enqueue(t, &a->request);
  case ACTION_REFUSE: /* costs nothing */
    return true;
  case ACTION_USER_EVENT:
    return timeline_user_event(t) != TIMELINE_NONE;
  case ACTION_COMPLETE:
    return a->number < timeline_count(t) && timeline_complete(t, a->number);
  case ACTION_RESOLVE:
    return a->number < timeline_count(t) && timeline_resolve(t, a->number, a->request.kernel_ns);
  case ACTION_WAIT:
    return wait(t, a->number);
  case ACTION_FINISH:
    return finish(t, a->number);
  }
  return false;
}
