#include "cli/replay/replay_threads.h"

#include <stdlib.h>

/* Below that a replay takes about ten milliseconds at most, and starting threads pays less than it may cost (assumed).
 */
#define SHORT_INSTRUCTIONS 4000000u

struct replay_size {
  uint64_t instructions;
  size_t kernel;
};

static int longest_first(const void *a, const void *b) {
  const struct replay_size *x = a, *y = b;
  if (x->instructions != y->instructions)
    return x->instructions < y->instructions ? 1 : -1;
  return x->kernel > y->kernel ? 1 : -1;
}

/* Kernels that are longer than what each job would get if all got the same. */
static size_t count_long(const struct replay_size *sizes, size_t count, uint32_t jobs) {
  double all = 0;
  size_t number = 0;
  for (size_t i = 0; i < count; i++)
    all += (double)sizes[i].instructions;
  while (number < count && sizes[number].instructions >= SHORT_INSTRUCTIONS &&
         (double)sizes[number].instructions * jobs > all)
    number++;
  return number;
}

int replay_threads_plan(const struct replay *replay, int jobs, struct replay_threads *plan, struct error *error) {
  const size_t count = replay->count;
  struct replay_size *sizes = calloc(count + 1, sizeof *sizes);
  *plan = (struct replay_threads){.kernels = calloc(count + 1, sizeof *plan->kernels), .threads = 1};
  if (!sizes || !plan->kernels) {
    free(sizes);
    replay_threads_clear(plan);
    return error_no_memory(error);
  }
  for (size_t i = 0; i < count; i++) {
    const struct trace *trace = replay->kernels[i].trace;
    sizes[i] = (struct replay_size){trace ? trace->work_item_instructions : 0, i};
  }
  qsort(sizes, count, sizeof *sizes, longest_first);
  for (size_t i = 0; i < count; i++)
    plan->kernels[i] = sizes[i].kernel;
  const size_t number = replay->observe ? 0 : count_long(sizes, count, (uint32_t)jobs);
  const size_t useful = (size_t)(jobs < options_processors() ? jobs : options_processors());
  if (number > 0 && useful / number > 1) {
    plan->long_count = number;
    plan->threads = (uint32_t)(useful / number);
  }
  free(sizes);
  return 0;
}

void replay_threads_clear(struct replay_threads *plan) {
  free(plan->kernels);
  *plan = (struct replay_threads){0};
}
