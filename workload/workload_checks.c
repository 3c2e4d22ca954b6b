/* Reads the checks in a workload's file. */
#include "workload/workload_read.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHECKS 4096

static int read_compare(const struct workload *w, const struct conf_node *map, struct workload_compare *c,
                        struct error *error) {
  static const char *const keys[] = {"buffer", "expected", "ulps", "absolute", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  const struct conf_node *buffer = conf_need(map, "buffer", error);
  const struct conf_node *expected = buffer ? conf_need(map, "expected", error) : NULL;
  const struct conf_node *ulps = conf_get(map, "ulps"), *absolute = conf_get(map, "absolute");
  if (!expected || workload_find_buffer(w, buffer, &c->buffer, error) ||
      workload_find_buffer(w, expected, &c->expected, error))
    return -1;
  if ((ulps && conf_real(ulps, 0, 0x1p63, &c->ulps, error)) ||
      (absolute && conf_real(absolute, 0, DBL_MAX, &c->absolute, error)))
    return -1;
  const struct workload_buffer *found = &w->buffers[c->buffer], *wanted = &w->buffers[c->expected];
  if (found->type != wanted->type || found->count != wanted->count)
    return conf_error(map, error, "\"%s\" holds %zu x %s and \"%s\" holds %zu x %s; expected the same", found->name,
                      found->count, scalar_type_name(found->type), wanted->name, wanted->count,
                      scalar_type_name(wanted->type));
  return 0;
}

static int read_check(struct workload *w, const struct conf_node *map, struct workload_check *c, struct error *error) {
  static const char *const keys[] = {"kernel", "source", "args", "compare", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  c->launch.line = map->line;
  c->launch.column = map->column;
  c->launch.dimensions = 1;
  for (int d = 0; d < 3; d++)
    c->launch.global[d] = c->launch.local[d] = 1;
  const struct conf_node *source = conf_get(map, "source"), *compare = conf_need(map, "compare", error);
  if (!compare || workload_need_string(map, "kernel", &c->launch.kernel, error) ||
      workload_read_arguments(w, conf_get(map, "args"), &c->launch, error) ||
      workload_expect_items(compare, 1, MAX_BUFFERS, error))
    return -1;
  if (source ? workload_read_source(source, map->file, &c->source, error) : !(c->source = strdup(w->source)))
    return -1;
  c->compares = workload_allocate(compare->count, sizeof *c->compares, error);
  if (!c->compares)
    return -1;
  c->compare_count = compare->count;
  for (size_t i = 0; i < compare->count; i++)
    if (read_compare(w, compare->items[i], &c->compares[i], error))
      return -1;
  return 0;
}

int workload_read_checks(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (workload_expect_items(node, 0, MAX_CHECKS, error))
    return -1;
  w->checks = workload_allocate(node->count, sizeof *w->checks, error);
  if (!w->checks)
    return -1;
  w->check_count = node->count;
  for (size_t i = 0; i < node->count; i++)
    if (read_check(w, node->items[i], &w->checks[i], error))
      return -1;
  return 0;
}
