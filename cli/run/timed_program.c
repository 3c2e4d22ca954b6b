#include "cli/run/timed_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

struct reader {
  const struct predictor *predictor;
  size_t gpu;
  struct timed_program *out;
  struct timeline *timeline;
  uint32_t *deps;
  bool failed;      /* out of memory */
  uint64_t missing; /* a launch that the program has waited for and that has no prediction; ACTION_NO_LAUNCH: none */
};

static void take_span(void *user, enum host_state state, uint32_t command, int64_t from, int64_t to) {
  struct reader *r = user;
  struct timed_program *p = r->out;
  if (!array_room(&p->spans, &p->span_room, p->span_count + 1, sizeof *p->spans)) {
    r->failed = true;
    return;
  }
  p->spans[p->span_count++] = (struct timed_span){state, command, from, to};
  p->state_ns[state] += to - from;
}

/* Returns how long the launch takes on this GPU; 0 where it has no prediction, which is noted. */
static int64_t time_of(struct reader *r, uint64_t launch) {
  const struct prediction *found = launch == ACTION_NO_LAUNCH ? NULL : predictor_find(r->predictor, launch);
  if (!found && launch != ACTION_NO_LAUNCH)
    r->missing = launch;
  return found ? found->ns[r->gpu] : 0;
}

/* Returns the kept copy of the name, or NULL where there is none or no memory for it. */
static const char *keep_name(struct timed_program *p, const char *name) {
  const size_t length = name ? strcspn(name, "\n") : 0;
  for (size_t i = 0; length && i < p->name_count; i++)
    if (strncmp(p->names[i], name, length) == 0 && p->names[i][length] == '\0')
      return p->names[i];
  if (!length || !array_room_for_one(&p->names, p->name_count, sizeof *p->names))
    return NULL;
  p->names[p->name_count] = strndup(name, length);
  return p->names[p->name_count] ? p->names[p->name_count++] : NULL;
}

static bool add_command(struct reader *r, const struct action *a) {
  struct timed_program *p = r->out;
  if (!array_room(&p->commands, &p->command_room, p->command_count + 1, sizeof *p->commands)) {
    r->failed = true;
    return false;
  }
  const bool user = a->kind == ACTION_USER_EVENT, named = !user && a->name && a->name[0] && a->name[0] != '\n';
  const char *name = named ? keep_name(p, a->name) : NULL;
  r->failed |= named && !name;
  p->commands[p->command_count++] = (struct timed_command){.kind = user ? COMMAND_USER : a->request.kind,
                                                           .queue = user ? TIMELINE_NONE : a->request.queue,
                                                           .bytes = a->request.bytes,
                                                           .kernel = name,
                                                           .prediction = predictor_find(r->predictor, a->launch)};
  return true;
}

/* Fills in the time of a kernel that the action enqueues or resolves. */
static void complete_action(struct reader *r, struct action *a) {
  if (a->kind == ACTION_ENQUEUE && a->request.kind == COMMAND_KERNEL && a->request.kernel_ns >= 0)
    a->request.kernel_ns = time_of(r, a->launch);
  if (a->kind != ACTION_RESOLVE || a->number >= r->out->command_count)
    return;
  const struct prediction *found = r->out->commands[a->number].prediction;
  a->request.kernel_ns = found ? found->ns[r->gpu] : a->ns;
}

static bool note_refusal(struct reader *r, uint64_t launch) {
  struct timed_program *p = r->out;
  for (size_t i = 0; i < p->refusal_count; i++)
    if (p->refusals[i].launch == launch) {
      p->refusals[i].count++;
      return true;
    }
  if (!array_room_for_one(&p->refusals, p->refusal_count, sizeof *p->refusals)) {
    r->failed = true;
    return false;
  }
  p->refusals[p->refusal_count++] = (struct timed_refusal){launch, 1};
  return true;
}

static bool take_line(struct reader *r, const char *line) {
  struct action a;
  if (!action_parse(line, &a, r->deps))
    return false;
  complete_action(r, &a);
  if ((a.kind == ACTION_ENQUEUE || a.kind == ACTION_USER_EVENT) && !add_command(r, &a))
    return false;
  if (a.kind == ACTION_REFUSE && !note_refusal(r, a.launch))
    return false;
  errno = 0;
  const bool applied = action_apply(r->timeline, &a);
  r->failed |= !applied && errno == ENOMEM;
  return applied && !r->failed;
}

static int take_lines(struct reader *r, FILE *file, const char *path, struct error *error) {
  char *line = malloc(ACTION_LINE_BYTES);
  unsigned number = 0;
  r->failed = !line;
  bool good = line;
  while (good && fgets(line, ACTION_LINE_BYTES, file)) {
    number++;
    good = take_line(r, line);
  }
  free(line);
  if (r->failed)
    return error_no_memory(error);
  if (good && r->missing != ACTION_NO_LAUNCH)
    return error_set(error, ERROR_WORK, "launch %" PRIu64 " was not captured, and has no prediction", r->missing);
  return good ? 0 : error_at(error, ERROR_WORK, path, number, 0, NULL, "is no action of a timeline");
}

static void take_times(struct reader *r) {
  struct timed_program *p = r->out;
  for (size_t i = 0; i < p->command_count; i++)
    p->commands[i].times = timeline_times(r->timeline, (uint32_t)i);
  p->total_ns = timeline_now(r->timeline);
  p->queues = timeline_queue_count(r->timeline);
}

static int read_file(struct reader *r, const char *path, struct error *error) {
  FILE *file = fopen(path, "r");
  if (!file && errno != ENOENT)
    return error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot be read: %s", strerror(errno));
  if (!file)
    return error_set(error, ERROR_WORK,
                     "the program made no OpenCL call that the layer saw. The OpenCL loader has to support layers "
                     "(ocl-icd 2.3 or newer), the program must use it, and the layer needs memory in it");
  const int status = take_lines(r, file, path, error);
  fclose(file);
  if (!status)
    take_times(r);
  return status;
}

int timed_program_read(const struct predictor *predictor, size_t gpu, const struct host_costs *costs,
                       struct timed_program *out, struct error *error) {
  struct reader r = {.predictor = predictor, .gpu = gpu, .out = out, .missing = ACTION_NO_LAUNCH};
  *out = (struct timed_program){0};
  char *path = text_format("%s/" ACTION_TIMELINE_FILE, predictor->folder);
  r.timeline = timeline_create(costs);
  r.deps = malloc(ACTION_MOST_DEPS * sizeof *r.deps);
  int status = path && r.timeline && r.deps ? 0 : error_no_memory(error);
  if (!status) {
    timeline_listen(r.timeline, take_span, &r);
    status = read_file(&r, path, error);
  }
  timeline_destroy(r.timeline);
  free(r.deps);
  free(path);
  return status;
}

void timed_program_clear(struct timed_program *p) {
  for (size_t i = 0; i < p->name_count; i++)
    free(p->names[i]);
  free(p->names);
  free(p->refusals);
  free(p->spans);
  free(p->commands);
  *p = (struct timed_program){0};
}

const char *timed_command_name(const struct timed_command *c) {
  if (c->kernel)
    return c->kernel;
  return c->prediction ? c->prediction->kernel : command_kind_name(c->kind);
}
