/* Measures a sampled launch as a tuning meets it: an exact replay, a recording, and the recording timed on GPUs that
 * differ in one number of a core, beside exact replays there. Processor time, and how far off the recording is.
 * Usage: bench_sampled_launches GPU TRACE...; traces of `reassemble trace --groups auto`. */
#include <math.h>
#include <stdio.h>

#include "model/params/gpu.h"
#include "model/retime/retime_record.h"
#include "model/simulate.h"
#include "shipped_traces.h"

static const struct change {
  const char *key;
  double factor, added;
} changes[] = {{"integer_price", 0.5, 0},  {"address_price", 0.5, 0},     {"branch_price", 0.5, 0},
               {"memory_price", 1.5, 0},   {"l1_hit_cycles", 1.5, 0},     {"l1_miss_cycles", 0.7, 0},
               {"l2_miss_cycles", 1.5, 0}, {"scratchpad_cycles", 1.5, 0}, {"lsu_access_cycles", 1, 0.25}};
enum { CHANGES = sizeof changes / sizeof changes[0] };

struct sums {
  double exact, record, again; /* seconds of an exact replay, a recording, and a timing */
  double bytes, off, most_off; /* off: sum of absolute relative differences */
  int launches;
};

static double simulated(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec) {
  struct error error = ERROR_INIT;
  struct sim_result result;
  must(simulate(trace, isa, spec, &result, &error), &error);
  const double cycles = result.cycles;
  sim_result_clear(&result);
  return cycles;
}

static void change_one(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *base,
                       const struct retime_recording *recorded, const struct change *change, struct sums *sums) {
  struct gpu_spec spec = *base;
  struct error error = ERROR_INIT;
  struct sim_result result;
  const struct param *row = params_find(&gpu_params, change->key);
  const double value = params_get_number(row, &spec) * change->factor + change->added;
  must(params_set_number(row, &spec, value, &error), &error);
  const double begin = processor_seconds();
  if (!retime(recorded, &spec, &result))
    exit(1);
  sums->again += (processor_seconds() - begin) / CHANGES;
  const double off = fabs(result.cycles / simulated(trace, isa, &spec) - 1);
  sums->off += off;
  sums->most_off = fmax(sums->most_off, off);
}

static void bench(const char *path, const struct isa_profile *isa, const struct gpu_spec *spec, struct sums *sums) {
  struct error error = ERROR_INIT;
  struct trace *trace;
  struct retime_recording *recorded;
  struct sim_result result;
  must(trace_load(path, &trace, &error), &error);
  const double begin = processor_seconds();
  simulated(trace, isa, spec);
  const double replayed = processor_seconds();
  must(retime_record(trace, isa, spec, 1, &recorded, &result, &error), &error);
  sums->exact += replayed - begin;
  sums->record += processor_seconds() - replayed;
  sim_result_clear(&result);
  if (!recorded)
    exit(1);
  sums->bytes += (double)retime_bytes(recorded);
  sums->launches++;
  for (int i = 0; i < CHANGES; i++)
    change_one(trace, isa, spec, recorded, &changes[i], sums);
  retime_destroy(recorded);
  trace_destroy(trace);
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct sums sums = {0};
  if (argc < 3)
    return 2;
  must(gpu_load(argv[1], &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  for (int i = 2; i < argc; i++)
    bench(argv[i], isa, &gpu->spec, &sums);
  printf("%d launches on %s: exact %.3f s, record %.3f s, time again %.4f s (1/%.1f of exact), %.0f bytes each\n",
         sums.launches, argv[1], sums.exact / sums.launches, sums.record / sums.launches, sums.again / sums.launches,
         sums.exact / sums.again, sums.bytes / sums.launches);
  printf("off by %.2f %% in the mean of %d changes each, at most %.2f %%\n", 100 * sums.off / (sums.launches * CHANGES),
         CHANGES, 100 * sums.most_off);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
