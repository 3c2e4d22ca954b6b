#include "measure/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

const char *measure_caches_name(enum measure_caches caches) {
  static const char *const names[] = {[CACHES_FILLED] = "filled", [CACHES_COLD] = "cold", [CACHES_WARM] = "warm"};
  return names[caches];
}

static int prepare(struct session *session, enum measure_caches caches, bool first, struct error *error) {
  if ((first || caches != CACHES_WARM) && session_fill(session, error) != 0)
    return -1;
  return caches == CACHES_COLD ? session_empty_caches(session, error) : 0;
}

/* Runs all repetitions and writes times[launch * runs + run], in ns. */
static int repeat(struct session *session, const struct workload *w, const struct measure_options *options,
                  double *times, struct error *error) {
  for (unsigned r = 0; r < options->warm_up + options->runs; r++) {
    if (prepare(session, options->caches, r == 0, error) != 0)
      return -1;
    for (size_t l = 0; l < w->launch_count; l++) {
      double ns;
      if (session_run(session, w->source, &w->launches[l], &ns, error) != 0)
        return -1;
      if (r >= options->warm_up)
        times[l * options->runs + (r - options->warm_up)] = ns;
    }
  }
  return 0;
}

/* Runs all launches once more on buffers with their initial contents, where the repetitions have run on each other's
 * results. */
static int run_for_checks(struct session *session, const struct workload *w, enum measure_caches caches,
                          struct error *error) {
  double ns;
  if (caches != CACHES_WARM)
    return 0;
  if (session_fill(session, error) != 0)
    return -1;
  for (size_t l = 0; l < w->launch_count; l++)
    if (session_run(session, w->source, &w->launches[l], &ns, error) != 0)
      return -1;
  return 0;
}

static int compare(struct session *session, const struct workload *w, const struct workload_compare *c,
                   struct error *error) {
  const struct workload_buffer *b = &w->buffers[c->buffer];
  const size_t bytes = b->count * scalar_type_bytes(b->type);
  void *actual = malloc(bytes), *expected = malloc(bytes);
  int status = actual && expected ? 0 : out_of_memory(error);
  if (status == 0 && (session_read(session, c->buffer, actual, error) != 0 ||
                      session_read(session, c->expected, expected, error) != 0))
    status = -1;
  if (status == 0) {
    const ptrdiff_t at = workload_first_difference(b->type, actual, expected, b->count, c->ulps, c->absolute);
    if (at >= 0)
      status = error_set(error, ERROR_WORK, "its check failed: buffer %s differs at element %td", b->name, at);
  }
  free(actual);
  free(expected);
  return status;
}

static int check(struct session *session, const struct workload *w, enum measure_caches caches, struct error *error) {
  double ns;
  if (run_for_checks(session, w, caches, error) != 0)
    return -1;
  for (size_t c = 0; c < w->check_count; c++) {
    if (session_run(session, w->checks[c].source, &w->checks[c].launch, &ns, error) != 0)
      return -1;
    for (size_t i = 0; i < w->checks[c].compare_count; i++)
      if (compare(session, w, &w->checks[c].compares[i], error) != 0)
        return -1;
  }
  return 0;
}

static int run(struct session *session, const struct workload *w, const struct measure_options *options, double *times,
               struct error *error) {
  int status = session_begin(session, w, error);
  if (status == 0)
    status = repeat(session, w, options, times, error);
  if (status == 0 && options->check)
    status = check(session, w, options->caches, error);
  session_end(session, status != 0);
  return status;
}

/* The caller frees it. */
static char *group_of(const struct workload *w) {
  const char *slash = strrchr(w->source, '/'), *file = slash ? slash + 1 : w->source;
  return strndup(file, strcspn(file, "."));
}

int measurements_add(struct measurements *m, const struct measured_launch *launch, struct error *error) {
  if (!array_room(&m->launches, &m->capacity, m->count + 1, sizeof *m->launches))
    return out_of_memory(error);
  struct measured_launch *copy = &m->launches[m->count++];
  *copy = *launch;
  copy->workload = strdup(launch->workload);
  copy->kernel = strdup(launch->kernel);
  copy->group = strdup(launch->group);
  return copy->workload && copy->kernel && copy->group ? 0 : out_of_memory(error);
}

static int append(struct measurements *m, const char *name, const struct workload *w,
                  const struct measure_options *options, double *times, struct error *error) {
  char *group = group_of(w);
  int status = group ? 0 : out_of_memory(error);
  for (size_t l = 0; l < w->launch_count && status == 0; l++) {
    struct measured_launch launch = {.workload = (char *)name,
                                     .kernel = w->launches[l].kernel,
                                     .group = group,
                                     .launch = (unsigned)l,
                                     .launches = (unsigned)w->launch_count};
    repetitions_summarise(&times[l * options->runs], options->runs, &launch.ns);
    status = measurements_add(m, &launch, error);
  }
  free(group);
  return status;
}

static int skip(struct measurements *m, const char *name, const struct error *reason, struct error *error) {
  if (!array_room_for_one(&m->skipped, m->skipped_count, sizeof *m->skipped))
    return out_of_memory(error);
  m->skipped[m->skipped_count] = (struct skipped_workload){strdup(name), strdup(reason->text)};
  const struct skipped_workload *skipped = &m->skipped[m->skipped_count++];
  return skipped->workload && skipped->reason ? 0 : out_of_memory(error);
}

int measure_workload(struct session *session, const char *name, const struct workload *workload,
                     const struct measure_options *options, struct measurements *measurements, struct error *error) {
  double *times = calloc(workload->launch_count * options->runs + 1, sizeof *times);
  if (!times)
    return out_of_memory(error);
  struct error reason = ERROR_INIT;
  const int ran = run(session, workload, options, times, &reason);
  const int status =
      ran == 0 ? append(measurements, name, workload, options, times, error) : skip(measurements, name, &reason, error);
  free(times);
  return status;
}

void measurements_clear(struct measurements *m) {
  for (size_t i = 0; i < m->count; i++) {
    free(m->launches[i].workload);
    free(m->launches[i].kernel);
    free(m->launches[i].group);
  }
  for (size_t i = 0; i < m->skipped_count; i++) {
    free(m->skipped[i].workload);
    free(m->skipped[i].reason);
  }
  free(m->launches);
  free(m->skipped);
  *m = (struct measurements){0};
}
