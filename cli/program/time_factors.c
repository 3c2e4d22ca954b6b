#include "cli/program/time_factors.h"

#include "base/input/json.h"

#define MOST_FACTOR 1e6

const char *time_kind_name(int kind) {
  switch (kind) {
  case TIME_CALLS:
    return "calls";
  case TIME_LATENCY:
    return "latency";
  case TIME_HOST:
    return "host";
  default:
    return command_kind_name((enum command_kind)kind);
  }
}

static bool is_of_device(int kind) {
  return kind < TIME_CALLS;
}

struct time_factors time_factors_none(void) {
  struct time_factors none;
  for (int kind = 0; kind < TIME_KINDS; kind++)
    none.kinds[kind] = (struct time_factor){1, is_of_device(kind) && kind != COMMAND_KERNEL ? 1 : 0};
  return none;
}

double time_factor_at(const struct time_factors *factors, int kind, double core, double memory) {
  const struct time_factor *f = &factors->kinds[kind];
  if (!is_of_device(kind))
    return f->factor;
  return f->factor * ((1 - f->memory_share) / core + f->memory_share / memory);
}

static int load_kind(const json_t *kinds, int kind, struct time_factor *out, const char *path, struct error *error) {
  json_t *item = json_object_get(kinds, time_kind_name(kind));
  if (!item)
    return 0; /* the factor stays 1 */
  if (!json_is_object(item))
    return error_at(error, ERROR_INPUT, path, 0, 0, time_kind_name(kind), "is not an object");
  return json_need_real(item, "factor", 0, MOST_FACTOR, &out->factor, path, error) ||
                 json_need_real(item, "memory_share", 0, 1, &out->memory_share, path, error)
             ? -1
             : 0;
}

int time_factors_load(const char *path, struct time_factors *out, struct error *error) {
  json_t *root, *kinds;
  *out = time_factors_none();
  if (json_load_document(path, &root, error))
    return -1;
  int status = json_need_object(root, "kinds", &kinds, path, error);
  for (int kind = 0; kind < TIME_KINDS && !status; kind++)
    status = load_kind(kinds, kind, &out->kinds[kind], path, error);
  json_decref(root);
  return status;
}
