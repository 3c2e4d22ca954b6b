/* Traces, through to a replay. An input that does not start with a trace's magic is taken as the payloads of frames, so
 * that changes get behind the checksums: one byte kind, three bytes length (little endian), payload, and so on. */
#include "fuzz_target.h"

#include <stdlib.h>

#include "model/simulate.h"
#include "reframe.h"
#include "trace/statistics/summary.h"

#define MOST_WORK 100000 /* block executions and instructions of a trace that is replayed */

static const char *write_frames(const uint8_t *data, size_t size) {
  static const char path[] = "fuzz-frames.rtrace";
  struct loose_trace t = {0};
  for (size_t at = 0; at + 4 <= size && t.count < REFRAME_MAX;) {
    size_t length = data[at + 1] | (size_t)data[at + 2] << 8 | (size_t)data[at + 3] << 16;
    if (length > size - at - 4)
      length = size - at - 4;
    t.frames[t.count++] =
        (struct loose_frame){(enum frame_kind)(1 + data[at] % 6), (unsigned char *)data + at + 4, length};
    at += 4 + length;
  }
  loose_trace_write(path, &t);
  return path;
}

/* Each trace on one of these, by its bytes. */
static const struct gpu *some_gpu(const uint8_t *data, size_t size) {
  static const char *const names[] = {"mali-g71-mp8", "mali-g31-mp2", "nvidia-like-32"};
  static struct gpu *gpus[3];
  const size_t i = size > 40 ? data[40] % 3 : 0;
  if (!gpus[i] && gpu_load(names[i], &gpus[i], NULL) != 0 && gpu_load(names[0], &gpus[i], NULL) != 0)
    abort();
  return gpus[i];
}

static void replay(const struct trace *trace, const struct gpu *gpu) {
  struct sim_result result = {0};
  struct trace_summary summary;
  struct isa_profile *isa;
  if (trace_summary_compute(trace, &summary, NULL) == 0)
    trace_summary_clear(&summary);
  if (isa_load(gpu->isa, &isa, NULL) != 0)
    abort();
  simulate(trace, isa, &gpu->spec, &result, NULL);
  sim_result_clear(&result);
  isa_destroy(isa);
}

const char *fuzz_trace_file(const uint8_t *data, size_t size) {
  return size > 0 && data[0] == 0x89 ? fuzz_file(data, size) : write_frames(data, size);
}

void fuzz_trace(const uint8_t *data, size_t size) {
  struct trace *trace;
  if (trace_load(fuzz_trace_file(data, size), &trace, NULL) != 0)
    return;
  if (trace->block_executions < MOST_WORK && trace->work_item_instructions < MOST_WORK)
    replay(trace, some_gpu(data, size));
  trace_destroy(trace);
}
