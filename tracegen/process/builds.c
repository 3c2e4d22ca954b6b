#include "tracegen/process/builds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/run/arguments.h"
#include "tracegen/front/front_end.h"
#include "tracegen/abi/kernel_simd.h"

static const char *options_of(const struct built *b) {
  return b->workload->options ? b->workload->options : "";
}

static const struct built_source *find_source(const struct built *b, const char *path) {
  for (size_t i = 0; i < b->source_count; i++)
    if (strcmp(b->sources[i].path, path) == 0)
      return &b->sources[i];
  return NULL;
}

/* Starts compiling the source of the first check that needs another, beside the launches. That it cannot be compiled is
 * found when it is needed. */
static void begin_next_source(struct built *b) {
  const struct workload *w = b->workload;
  struct error later = ERROR_INIT;
  for (size_t i = 0; b->checks && i < w->check_count; i++)
    if (w->checks[i].source && !find_source(b, w->checks[i].source)) {
      if (!front_end_begin(w->checks[i].source, options_of(b), &later))
        b->begun = w->checks[i].source;
      return;
    }
}

int built_begin(struct built *b, const struct workload *workload, struct arena *arena, bool checks,
                struct error *error) {
  *b = (struct built){.workload = workload, .arena = arena, .checks = checks, .begun = workload->source};
  b->sources = calloc(workload->check_count + 1, sizeof *b->sources);
  b->kernels = calloc(2 * workload->launch_count + workload->check_count, sizeof *b->kernels);
  if (!b->sources || !b->kernels)
    return error_set(error, ERROR_WORK, "out of memory");
  return front_end_begin(workload->source, options_of(b), error);
}

static const struct built_source *build_source(struct built *b, const char *path, struct error *error) {
  const struct built_source *known = find_source(b, path);
  if (known)
    return known;
  struct built_source *s = &b->sources[b->source_count];
  if (!b->begun && front_end_begin(path, options_of(b), error))
    return NULL;
  assert(!b->begun || strcmp(b->begun, path) == 0);
  b->begun = NULL;
  if (front_end_finish(path, &s->bitcode, &s->length, error))
    return NULL;
  s->path = path;
  b->source_count++;
  begin_next_source(b);
  return s;
}

static const struct kernel_program *find_built(struct built *b, const struct built_source *source, const char *kernel,
                                               const struct kernel_opaque *opaques, size_t count,
                                               struct kernel_purpose purpose) {
  for (size_t i = 0; i < b->kernel_count; i++) {
    const struct built_kernel *k = &b->kernels[i];
    if (k->source == source && k->purpose.records == purpose.records &&
        k->purpose.tracks_buffers == purpose.tracks_buffers && k->purpose.original == purpose.original &&
        strcmp(k->program->name, kernel) == 0 && kernel_program_fits(k->program, opaques, count))
      return k->program;
  }
  return NULL;
}

/* What codegen_tier.c has to know of all launches of the kernel. Relaxed arithmetic (-cl-fast-relaxed-math and its kin) may
 * depend on how code is made, and is not to depend on the number of work-items. */
static void tell_work(const struct built *b, const char *kernel, struct kernel_purpose *purpose) {
  const struct workload *w = b->workload;
  const char *options = options_of(b);
  if (b->lasts || !purpose->records || strstr(options, "-math") || strstr(options, "-signed-zeros"))
    return;
  purpose->fills_simd_groups = true;
  for (size_t i = 0; i < w->launch_count; i++)
    if (strcmp(w->launches[i].kernel, kernel) == 0) {
      const struct workload_launch *launch = &w->launches[i];
      purpose->items += launch->global[0] * launch->global[1] * launch->global[2];
      purpose->fills_simd_groups &= launch->local[0] % SIMD_LANES == 0;
    }
}

const struct kernel_program *built_program(struct built *b, const char *path, const struct workload_launch *launch,
                                           struct kernel_purpose purpose, struct error *error) {
  struct kernel_opaque opaques[KERNEL_MAX_PARAMETERS] = {{0}};
  const struct built_source *source = build_source(b, path, error);
  if (!source)
    return NULL;
  const size_t count = arguments_opaque(b->workload, launch, opaques);
  const struct kernel_program *built = find_built(b, source, launch->kernel, opaques, count, purpose);
  if (built)
    return built;
  struct built_kernel *k = &b->kernels[b->kernel_count];
  tell_work(b, launch->kernel, &purpose);
  if (kernel_program_create(source->bitcode, source->length, path, launch->kernel, opaques, count, b->arena, purpose,
                            &k->program, error))
    return NULL;
  k->source = source;
  k->purpose = purpose;
  b->kernel_count++;
  return k->program;
}
