/* Prints predictions to the last bit, for comparison between processors: predict_bytes BOARD PARAMETERS GPU... --
 * TRACE...
 * Each trace on each GPU: every number, and every source line's cycles; a sweep of the first trace over cores and the
 * L1 cache; and a tuning of the parameters to the board, whose workloads the traces are. Numbers are hexadecimal. */
#include "libreassemble/reassemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct inputs {
  struct reassemble_trace *traces[MOST];
  struct reassemble_gpu *gpus[MOST];
  int trace_count, gpu_count;
};

static struct reassemble_error error;

static void need(int status) {
  if (status == 0)
    return;
  fprintf(stderr, "predict_bytes: %s: %s: %s\n", error.file, error.key, error.message);
  exit(1);
}

static int print_number(const char *name, double value, const char *unit, const char *meaning, void *user) {
  (void)unit, (void)meaning, (void)user;
  printf("  %s %a\n", name, value);
  return 0;
}

static int print_line(uint32_t line, const char *component, double cycles, void *user) {
  (void)user;
  printf("  line %u %s %a\n", line, component, cycles);
  return 0;
}

static void predict(const struct reassemble_trace *trace, const struct reassemble_gpu *gpu) {
  struct reassemble_launch launch;
  struct reassemble_result *result;
  reassemble_trace_launch(trace, &launch);
  printf("%s.%s on %s\n", launch.workload, launch.kernel, reassemble_gpu_name(gpu));
  need(reassemble_simulate(trace, gpu, &result, &error));
  reassemble_result_each(result, print_number, NULL);
  reassemble_result_each_line(result, print_line, NULL);
  reassemble_result_free(result);
}

static void sweep(const struct reassemble_trace *trace, const struct reassemble_gpu *gpu) {
  struct reassemble_gpu *design;
  struct reassemble_result *result;
  double cycles;
  need(reassemble_gpu_copy(gpu, &design, &error));
  for (double cores = 1; cores <= 16; cores *= 2)
    for (double bytes = 4096; bytes <= 65536; bytes *= 4) {
      need(reassemble_gpu_set(design, "cores", cores, &error));
      need(reassemble_gpu_set(design, "l1_bytes", bytes, &error));
      need(reassemble_simulate(trace, design, &result, &error));
      need(reassemble_result_get(result, "cycles", &cycles, &error));
      printf("%g cores, L1 of %g bytes: %a\n", cores, bytes, cycles);
      reassemble_result_free(result);
    }
  reassemble_gpu_free(design);
}

/* A board's "gemm-variants/a" is the workload "gemm-variants-a" in its trace. */
static int is_same(const char *workload, const char *in_trace) {
  for (; *workload && (*workload == *in_trace || (*workload == '/' && *in_trace == '-')); workload++)
    in_trace++;
  return *workload == *in_trace;
}

static const struct reassemble_trace *trace_of(const char *workload, uint32_t launch, void *user) {
  const struct inputs *in = user;
  for (int i = 0; i < in->trace_count && launch == 0; i++) {
    struct reassemble_launch found;
    reassemble_trace_launch(in->traces[i], &found);
    if (is_same(workload, found.workload))
      return in->traces[i];
  }
  return NULL;
}

static int print_parameter(const char *name, const char *unit, double start, double tuned, double low, double high,
                           void *user) {
  (void)unit, (void)user;
  printf("  %s from %a to %a within %a and %a\n", name, start, tuned, low, high);
  return 0;
}

static int print_kernel(const char *name, double measured, double start, double predicted, void *user) {
  (void)user;
  printf("  %s %a %a %a\n", name, measured, start, predicted);
  return 0;
}

static void tune(struct inputs *in, const char *board, const char *parameters) {
  struct reassemble_tuning *tuning;
  const struct reassemble_tuning_request request = {.board = board,
                                                    .parameters = parameters,
                                                    .method = "coordinate",
                                                    .evaluations = 40,
                                                    .trace = trace_of,
                                                    .user = in};
  need(reassemble_tune(&request, &tuning, &error));
  printf("%s tuned\n", board);
  reassemble_tuning_each_parameter(tuning, print_parameter, NULL);
  reassemble_tuning_each_kernel(tuning, print_kernel, NULL);
  reassemble_tuning_free(tuning);
}

int main(int count, char **words) {
  static struct inputs in;
  int i = 3;
  for (; i < count && in.gpu_count < MOST && strcmp(words[i], "--") != 0; i++)
    need(reassemble_gpu_load(words[i], &in.gpus[in.gpu_count++], &error));
  for (i++; i < count && in.trace_count < MOST; i++)
    need(reassemble_trace_open(words[i], &in.traces[in.trace_count++], &error));
  if (in.trace_count == 0 || in.gpu_count == 0) {
    fprintf(stderr, "usage: predict_bytes BOARD PARAMETERS GPU... -- TRACE...\n");
    return 2;
  }
  for (int t = 0; t < in.trace_count; t++)
    for (int g = 0; g < in.gpu_count; g++)
      predict(in.traces[t], in.gpus[g]);
  sweep(in.traces[0], in.gpus[0]);
  tune(&in, words[1], words[2]);
  return 0;
}
