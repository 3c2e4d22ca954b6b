#include "tracegen/process/builds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/run/arguments.h"

static const char *options_of(const struct builds *b) {
  return b->workload->options ? b->workload->options : "";
}

static const struct front_module *find_module(const struct builds *b, const char *path) {
  for (size_t i = 0; i < b->module_count; i++)
    if (strcmp(b->modules[i].source, path) == 0)
      return &b->modules[i];
  return NULL;
}

/* Starts translating the source of the first check that has another one, while the launches run. An error shows when
 * the check needs the source. */
static void begin_next_source(struct builds *b) {
  const struct workload *w = b->workload;
  struct error ignored = ERROR_INIT;
  for (size_t i = 0; b->checks && i < w->check_count; i++)
    if (w->checks[i].source && !find_module(b, w->checks[i].source)) {
      if (!b->front_end->begin(w->checks[i].source, options_of(b), &ignored))
        b->begun = w->checks[i].source;
      return;
    }
}

int builds_begin(struct builds *b, const struct worker_task *task, struct error *error) {
  const struct workload *w = task->workload;
  *b = (struct builds){.workload = w,
                       .samples = task->samples,
                       .front_end = task->front_end,
                       .arena = task->arena,
                       .checks = task->options->check,
                       .persistent = task->request != NULL,
                       .begun = w->source};
  b->modules = calloc(w->check_count + 1, sizeof *b->modules);
  b->kernels = calloc(2 * w->launch_count + w->check_count, sizeof *b->kernels);
  if (!b->modules || !b->kernels)
    return error_no_memory(error);
  return b->front_end->begin(w->source, options_of(b), error);
}

static const struct front_module *translate(struct builds *b, const char *path, struct error *error) {
  const struct front_module *known = find_module(b, path);
  if (known)
    return known;
  struct front_module *m = &b->modules[b->module_count];
  if (!b->begun && b->front_end->begin(path, options_of(b), error))
    return NULL;
  assert(!b->begun || strcmp(b->begun, path) == 0);
  b->begun = NULL;
  if (b->front_end->finish(path, m, error))
    return NULL;
  b->module_count++;
  begin_next_source(b);
  return m;
}

static const struct kernel_program *find_built(const struct builds *b, const struct front_module *module,
                                               const struct front_request *request) {
  const struct kernel_purpose *wanted = &request->purpose;
  for (size_t i = 0; i < b->kernel_count; i++) {
    const struct built_kernel *k = &b->kernels[i];
    if (k->module == module && k->purpose.records == wanted->records &&
        k->purpose.tracks_buffers == wanted->tracks_buffers && k->purpose.original == wanted->original &&
        strcmp(k->program->name, request->kernel) == 0 &&
        kernel_program_fits(k->program, request->opaques, request->opaque_count))
      return k->program;
  }
  return NULL;
}

static uint64_t items_that_run(const struct workload_launch *launch, const struct index_ranges *sample) {
  if (sample->count > 0)
    return index_ranges_total(sample) * launch->local[0] * launch->local[1] * launch->local[2];
  return launch->global[0] * launch->global[1] * launch->global[2];
}

#define LAUNCHES_OF_PROGRAM 1024 /* of one kernel of a captured program: assumed */

/* Tells what lower's code generation decides by: the work of all launches of the kernel; where later ones are not
 * known, that of as many like the first as a program may make. Relaxed arithmetic
 * (-cl-fast-relaxed-math and related options) may depend on how code is generated, which must not depend on the number
 * of work-items then. */
static void describe_work(const struct builds *b, const char *kernel, struct kernel_purpose *purpose) {
  const struct workload *w = b->workload;
  const char *options = options_of(b);
  if (!purpose->records || strstr(options, "-math") || strstr(options, "-signed-zeros"))
    return;
  if (b->persistent) {
    purpose->keeps_simd = true;
    purpose->items = LAUNCHES_OF_PROGRAM * items_that_run(&w->launches[0], &b->samples[0]);
    return;
  }
  purpose->fills_simd_groups = true;
  for (size_t i = 0; i < w->launch_count; i++)
    if (strcmp(w->launches[i].kernel, kernel) == 0) {
      const struct workload_launch *launch = &w->launches[i];
      purpose->items += items_that_run(launch, &b->samples[i]);
      purpose->fills_simd_groups &= launch->local[0] % SIMD_LANES == 0;
    }
}

const struct kernel_program *builds_program(struct builds *b, const char *path, const struct workload_launch *launch,
                                            struct kernel_purpose purpose, struct error *error) {
  struct kernel_opaque opaques[KERNEL_MAX_PARAMETERS] = {{0}};
  const struct front_module *module = translate(b, path, error);
  if (!module)
    return NULL;
  struct front_request request = {.kernel = launch->kernel, .opaques = opaques, .arena = b->arena, .purpose = purpose};
  request.opaque_count = arguments_opaque(b->workload, launch, opaques);
  const struct kernel_program *built = find_built(b, module, &request);
  if (built)
    return built;
  struct built_kernel *k = &b->kernels[b->kernel_count];
  request.purpose.kept = purpose.records;
  describe_work(b, launch->kernel, &request.purpose);
  if (b->front_end->build(module, &request, &k->program, error))
    return NULL;
  k->module = module;
  k->purpose = request.purpose;
  b->kernel_count++;
  return k->program;
}

static bool is_unfinished(const struct builds *b, const char *path) {
  return path && b->checks && !find_module(b, path);
}

static bool is_only_unfinished(const struct builds *b, const char *path) {
  const struct workload *w = b->workload;
  for (size_t i = 0; i < w->check_count; i++)
    if (is_unfinished(b, w->checks[i].source) && strcmp(w->checks[i].source, path) != 0)
      return false;
  return true;
}

int builds_fetch_sources(struct builds *b, struct error *error) {
  const struct workload *w = b->workload;
  if (!translate(b, w->source, error))
    return -1;
  for (size_t i = 0; i < w->check_count; i++) {
    const char *path = w->checks[i].source;
    if (!is_unfinished(b, path))
      continue;
    if (b->begun && is_only_unfinished(b, path))
      return 0;
    if (!translate(b, path, error))
      return -1;
  }
  return 0;
}
