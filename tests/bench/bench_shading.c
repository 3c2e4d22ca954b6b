/* Measures how fast a captured frame is executed, in work for each second of one processor: lines for results.csv.
 *
 *     bench_shading NAME FRAME.rframe SCRATCH
 *
 * "shading": the fragment shaders alone, helper lanes included, where compiled workers wait: the best of some rounds.
 * Required: 50 M/s untextured. "execution": all of the frame, in processor time of this process and its children: what
 * a round more costs once compiled shaders are kept. "accesses": memory accesses that the traces hold, in a second of
 * an execution that writes them, compilation included. Published for the Pin-based tool of GLTraceSim: 0.1 M/s. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "graphics/execute/frame_execute.h"
#include "graphics/execute/kept_shaders.h"
#include "shipped_workload.h"
#include "stop_watch.h"
#include "trace/statistics/summary.h"

enum { ROUNDS = 10 };

static double processor_s(void) {
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
         1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
                         children.ru_stime.tv_usec);
}

struct sums {
  double lanes, vertices, best_shading_s, accesses;
};

static double shading_s(const struct frame_execution *x) {
  double seconds = 0;
  for (size_t i = 0; i < x->draw_count; i++)
    seconds += x->draws[i].fragment_run_s;
  return seconds;
}

static void count(const struct frame_execution *x, struct sums *s) {
  s->lanes = s->vertices = 0;
  for (size_t i = 0; i < x->draw_count; i++) {
    s->lanes += 4.0 * (double)x->draws[i].quads;
    s->vertices += (double)x->draws[i].distinct_vertices;
  }
  s->best_shading_s = s->best_shading_s > 0 ? less(s->best_shading_s, shading_s(x)) : shading_s(x);
}

/* Returns the processor time of `rounds` executions one after the other. */
static double execute(const struct frame_capture *capture, const char *folder, int rounds, struct sums *s) {
  const double start = processor_s();
  struct kept_shaders *kept = kept_shaders_create();
  for (int i = 0; i < rounds; i++) {
    const struct frame_execute_options options = {.folder = folder, .kept = kept};
    struct error error = ERROR_INIT;
    struct frame_execution x;
    must(frame_execute(capture, &options, &x, &error), &error);
    count(&x, s);
    frame_execution_clear(&x);
  }
  kept_shaders_destroy(kept);
  return processor_s() - start;
}

static void add_trace(const char *folder, const char *name, const char *stage, struct sums *s) {
  char path[4096];
  struct trace *trace;
  struct trace_summary summary;
  snprintf(path, sizeof path, "%s/%s.%s.rtrace", folder, name, stage);
  if (access(path, R_OK) != 0)
    return;
  struct error error = ERROR_INIT;
  must(trace_load(path, &trace, &error), &error);
  must(trace_summary_compute(trace, &summary, &error), &error);
  for (int space = 0; space < SPACE_COUNT; space++)
    for (int d = 0; d < DIRECTION_COUNT; d++)
      s->accesses += (double)summary.traffic[space][d].accesses;
  trace_summary_clear(&summary);
  trace_destroy(trace);
}

/* Returns the processor time of an execution that writes traces, and counts their accesses. */
static double trace_once(const struct frame_capture *capture, const char *folder, struct sums *s) {
  const struct frame_execute_options options = {.folder = folder, .traces = true};
  struct error error = ERROR_INIT;
  struct frame_execution x;
  const double start = processor_s();
  must(frame_execute(capture, &options, &x, &error), &error);
  const double seconds = processor_s() - start;
  for (size_t i = 0; i < x.draw_count; i++) {
    add_trace(folder, x.draws[i].directory_name, "vertex", s);
    add_trace(folder, x.draws[i].directory_name, "fragment", s);
  }
  frame_execution_clear(&x);
  return seconds;
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct frame_capture *capture;
  struct sums s = {0};
  if (argc != 4)
    return 2;
  must(frame_capture_load(argv[2], &capture, &error), &error);
  const double first = execute(capture, argv[3], 1, &s), again = execute(capture, argv[3], 1, &s);
  const double round = (execute(capture, argv[3], 1 + ROUNDS, &s) - again) / ROUNDS;
  const double traced = trace_once(capture, argv[3], &s);
  printf("%s-shading,%.1f,M fragments/s\n%s-execution,%.2f,M fragments/s\n%s-frame,%.4f,s\n%s-first-frame,%.3f,s\n"
         "%s-accesses,%.2f,M accesses/s\n",
         argv[1], s.lanes / s.best_shading_s / 1e6, argv[1], s.lanes / round / 1e6, argv[1], round, argv[1], first,
         argv[1], s.accesses / traced / 1e6);
  frame_capture_destroy(capture);
  return 0;
}
