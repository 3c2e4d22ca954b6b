/* Predicts a traced kernel on a GPU, then on the same GPU with more and more cores.
 *
 *   reassemble trace gemm-64 -o traces
 *   cc -o predict predict.c $(pkg-config --cflags --libs reassemble)
 *   ./predict traces/gemm-64.rtrace mali-g71-mp8
 */
#include <reassemble.h>

#include <stdio.h>

static int fail(const struct reassemble_error *error) {
  fprintf(stderr, "predict: %s%s%s\n", error->file, error->file[0] != '\0' ? ": " : "", error->message);
  return 1;
}

static int print_number(const char *name, double value, const char *unit, const char *meaning, void *user) {
  (void)user;
  printf("%-24s %16.6g %-8s %s\n", name, value, unit, meaning);
  return 0;
}

static int predict(const struct reassemble_trace *trace, struct reassemble_gpu *gpu, double cores) {
  struct reassemble_error error;
  struct reassemble_result *result;
  double cycles;
  if (reassemble_gpu_set(gpu, "cores", cores, &error) != 0 || reassemble_simulate(trace, gpu, &result, &error) != 0)
    return fail(&error);
  const int status = reassemble_result_get(result, "cycles", &cycles, &error);
  reassemble_result_free(result);
  if (status != 0)
    return fail(&error);
  printf("%4.0f cores: %12.0f cycles\n", cores, cycles);
  return 0;
}

int main(int count, char **arguments) {
  struct reassemble_error error;
  struct reassemble_trace *trace = NULL;
  struct reassemble_gpu *gpu = NULL;
  struct reassemble_result *result = NULL;
  if (count != 3) {
    fprintf(stderr, "usage: predict TRACE GPU\n");
    return 2;
  }
  int status = 0;
  if (reassemble_trace_open(arguments[1], &trace, &error) != 0 ||
      reassemble_gpu_load(arguments[2], &gpu, &error) != 0 || reassemble_simulate(trace, gpu, &result, &error) != 0)
    status = fail(&error);
  if (status == 0) {
    struct reassemble_launch launch;
    reassemble_trace_launch(trace, &launch);
    printf("%s on %s, library %s\n", launch.kernel, reassemble_gpu_name(gpu), reassemble_version());
    status = reassemble_result_each(result, print_number, NULL);
  }
  for (double cores = 1; cores <= 16 && status == 0; cores *= 2)
    status = predict(trace, gpu, cores);
  reassemble_result_free(result);
  reassemble_gpu_free(gpu);
  reassemble_trace_free(trace);
  return status;
}
