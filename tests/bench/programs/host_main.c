/* An OpenCL program of one kind: opencl_host KIND [LAUNCHES]. Without arguments it lists the kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_kinds.h"

static int list(const struct host_kind *kinds) {
  for (; kinds->name; kinds++)
    printf("%-14s %s\n", kinds->name, kinds->what);
  return 0;
}

static const struct host_kind *find(const struct host_kind *kinds, const char *name) {
  while (kinds->name && strcmp(kinds->name, name) != 0)
    kinds++;
  return kinds->name ? kinds : NULL;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return list(host_streams) | list(host_irregular);
  const struct host_kind *kind = find(host_streams, argv[1]);
  if (!kind && !(kind = find(host_irregular, argv[1]))) {
    fprintf(stderr, "there is no kind %s\n", argv[1]);
    return 2;
  }
  kind->run(argc > 2 ? atoi(argv[2]) : 0);
  return 0;
}
