#include "cli/trace/launch_name.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"

static void put_sizes(FILE *out, const uint64_t size[3]) {
  const int last = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
  for (int d = 0; d <= last; d++)
    fprintf(out, "%c%" PRIu64, d == 0 ? '.' : 'x', size[d]);
}

char *launch_name(const struct workload *workload) {
  const struct workload_launch *launch = &workload->launches[0];
  char *name = NULL;
  size_t size;
  FILE *out = text_stream_begin(&name, &size);
  if (!out)
    return NULL;
  const uint64_t local[3] = {launch->local[0], launch->local[1], launch->local[2]};
  fprintf(out, "%s.%s", workload->name, launch->kernel);
  put_sizes(out, launch->global);
  put_sizes(out, local);
  return text_stream_end(out, &name) ? name : NULL;
}
