/* Fits a parameter of a GPU to the measurements of a board, and prints how much nearer the predictions are.
 *
 *   reassemble trace gemm-variants -o traces
 *   cc -o tune tune.c $(pkg-config --cflags --libs reassemble)
 *   ./tune hikey960-gemm-variants traces l1_miss
 *
 * The traces of a workload lie in the folder under their names, "gemm-variants/a" as traces/gemm-variants-a.rtrace. */
#include <reassemble.h>

#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

struct folder {
  const char *path;
  struct reassemble_trace *traces[MOST];
  size_t count;
};

static const struct reassemble_trace *open_trace(const char *workload, uint32_t launch, void *user) {
  struct folder *folder = user;
  struct reassemble_error error;
  char path[4096];
  const int name = snprintf(path, sizeof path, "%s/", folder->path);
  if (launch != 0 || folder->count == MOST || name < 0 || (size_t)name >= sizeof path)
    return NULL;
  snprintf(path + name, sizeof path - (size_t)name, "%s.rtrace", workload);
  for (char *c = path + name; *c != '\0'; c++)
    *c = *c == '/' ? '-' : *c;
  if (reassemble_trace_open(path, &folder->traces[folder->count], &error) != 0) {
    fprintf(stderr, "tune: %s: %s\n", error.file, error.message);
    return NULL;
  }
  return folder->traces[folder->count++];
}

static int print_parameter(const char *name, const char *unit, double start, double tuned, double low, double high,
                           void *user) {
  (void)user;
  printf("%s: %g -> %g %s, searched from %g to %g\n", name, start, tuned, unit, low, high);
  return 0;
}

static int print_kernel(const char *name, double measured, double start, double predicted, void *user) {
  (void)user;
  printf("%-8s measured %12.0f, before %12.0f, tuned %12.0f\n", name, measured, start, predicted);
  return 0;
}

int main(int count, char **arguments) {
  struct reassemble_error error;
  struct reassemble_tuning *tuning;
  struct folder folder = {.path = count == 4 ? arguments[2] : ""};
  double before = 0, after = 0;
  if (count != 4) {
    fprintf(stderr, "usage: tune BOARD FOLDER PARAMETERS\n");
    return 2;
  }
  const struct reassemble_tuning_request request = {
      .board = arguments[1], .parameters = arguments[3], .method = "coordinate", .trace = open_trace, .user = &folder};
  const int status = reassemble_tune(&request, &tuning, &error);
  if (status != 0) {
    fprintf(stderr, "tune: %s%s%s\n", error.file, error.file[0] != '\0' ? ": " : "", error.message);
  } else {
    reassemble_tuning_each_parameter(tuning, print_parameter, NULL);
    reassemble_tuning_each_kernel(tuning, print_kernel, NULL);
    reassemble_tuning_get(tuning, "start_mape_percent", &before, NULL);
    reassemble_tuning_get(tuning, "mape_percent", &after, NULL);
    printf("MAPE %.1f %% -> %.1f %%\n", before, after);
    reassemble_tuning_free(tuning);
  }
  for (size_t i = 0; i < folder.count; i++)
    reassemble_trace_free(folder.traces[i]);
  return status == 0 ? 0 : 1;
}
