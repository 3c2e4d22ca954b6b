#include "cli/replay/trace_budget.h"

#include <stddef.h>
#include <stdio.h>

#define MOST_INSTRUCTIONS       UINT64_C(1000000000000)
#define INSTRUCTIONS_PER_SECOND 450e6 /* tests/bench/results.csv, replay-gemm-512 */

/* Writes the time with the largest unit that it has at least two of. */
static void time_text(double seconds, char *text, size_t size) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"years", 31557600}, {"days", 86400}, {"hours", 3600}, {"minutes", 60}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (seconds >= 2 * units[i].seconds) {
      snprintf(text, size, "%.3g %s", seconds / units[i].seconds, units[i].name);
      return;
    }
  snprintf(text, size, "%.3g seconds", seconds);
}

static int refuse(const char *path, uint64_t work, uint64_t most, struct error *error) {
  char time[64];
  time_text((double)work / INSTRUCTIONS_PER_SECOND, time, sizeof time);
  return error_at(
      error, ERROR_WORK, path, 0, 0, "",
      "the launch executes %.3g work-item instructions, more than the limit of %.3g; a replay takes about %s "
      "on one processor; --max-instructions %llu allows it",
      (double)work, (double)most, time, (unsigned long long)work);
}

/* Cycles of such a launch may not be those of a GPU that loads other values. */
static void warn_of_outside_loads(const char *path, const struct trace *trace) {
  if (trace->outside_loads > 0)
    fprintf(stderr,
            "reassemble: warning: %s: %llu loads lay outside of their buffers and gave 0 (traced with --out-of-bounds "
            "read-zero); a GPU may load other values and then run otherwise\n",
            path, (unsigned long long)trace->outside_loads);
}

int trace_load_within(const char *path, const struct options *options, struct trace **out, struct error *error) {
  const uint64_t most = options->max_instructions > 0 ? (uint64_t)options->max_instructions : MOST_INSTRUCTIONS;
  struct trace *trace;
  if (trace_load(path, &trace, error) != 0)
    return -1;
  const uint64_t blocks = trace->block_executions, instructions = trace->work_item_instructions;
  const uint64_t work = blocks > instructions ? blocks : instructions;
  if (work > most) {
    trace_destroy(trace);
    return refuse(path, work, most, error);
  }
  if (!options->quiet)
    warn_of_outside_loads(path, trace);
  *out = trace;
  return 0;
}
