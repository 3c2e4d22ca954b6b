#include "cli/measure/measure_workloads.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/progress.h"
#include "workload/workload.h"
#include "workload/workload_parameters.h"

int workloads_check(const char *input, struct error *error) {
  char **paths;
  size_t count;
  if (workload_expand(input, &paths, &count, error) != 0)
    return -1;
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) {
    struct workload *workload = NULL;
    status = workload_load(paths[i], &workload, error);
    workload_destroy(workload);
  }
  data_list_free(paths, count);
  return status;
}

static int measure_one(struct measure_journal *journal, struct session *session, const char *path,
                       const struct measure_options *options, struct measurements *m, struct error *error) {
  struct workload *workload;
  if (workload_load(path, &workload, error) != 0)
    return -1;
  char *name = workload_shipped_name(path);
  const int status =
      name ? measure_or_recall(journal, session, name, workload, options, m, error) : error_no_memory(error);
  free(name);
  workload_destroy(workload);
  return status;
}

int workloads_measure(struct measure_journal *journal, struct session *session, const char *input,
                      const struct measure_options *options, struct measurements *m, bool quiet, struct error *error) {
  char **paths;
  size_t count;
  if (workload_expand(input, &paths, &count, error) != 0)
    return -1;
  struct progress progress;
  progress_start(&progress, input, "workloads", count, quiet);
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) {
    status = measure_one(journal, session, paths[i], options, m, error);
    progress_add(&progress, status == 0);
  }
  progress_end(&progress);
  data_list_free(paths, count);
  return status;
}
