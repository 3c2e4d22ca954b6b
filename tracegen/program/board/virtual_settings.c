#include "tracegen/program/board/virtual_settings.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/input/json.h"

#define MOST_NS     1e12
#define MOST_FACTOR 1e6

static int read_whole(const json_t *root, const char *key, int64_t *out, const char *file, struct error *error) {
  return json_need_int(root, key, 0, INT64_MAX, out, file, error);
}

static int read_device(const json_t *root, struct virtual_settings *s, const char *file, struct error *error) {
  return json_need_string(root, "name", &s->name, file, error) || read_whole(root, "cores", &s->cores, file, error) ||
                 read_whole(root, "clock_hz", &s->clock_hz, file, error) ||
                 read_whole(root, "max_work_group", &s->max_work_group, file, error) ||
                 read_whole(root, "warp_size", &s->warp_size, file, error) ||
                 read_whole(root, "device_memory_bytes", &s->device_memory_bytes, file, error) ||
                 read_whole(root, "local_memory_bytes", &s->local_memory_bytes, file, error) ||
                 read_whole(root, "line_bytes", &s->line_bytes, file, error) ||
                 read_whole(root, "cache_bytes", &s->cache_bytes, file, error) ||
                 json_need_bool(root, "double_precision", &s->double_precision, file, error) ||
                 json_need_bool(root, "local_in_core", &s->local_in_core, file, error) ||
                 json_need_bool(root, "computes", &s->computes, file, error) ||
                 json_need_bool(root, "emulates", &s->emulates, file, error) ||
                 json_need_bool(root, "compares", &s->compares, file, error)
             ? -1
             : 0;
}

static int read_costs(const json_t *root, struct host_costs *c, const char *file, struct error *error) {
  return json_need_bool(root, "shared_memory", &c->shared_memory, file, error) ||
                 json_need_real(root, "link_bytes_per_ns", 0, MOST_NS, &c->link_bytes_per_ns, file, error) ||
                 json_need_real(root, "link_ns", 0, MOST_NS, &c->link_ns, file, error) ||
                 json_need_real(root, "copy_bytes_per_ns", 0, MOST_NS, &c->copy_bytes_per_ns, file, error) ||
                 json_need_real(root, "enqueue_ns", 0, MOST_NS, &c->enqueue_ns, file, error) ||
                 json_need_real(root, "submit_ns", 0, MOST_NS, &c->submit_ns, file, error) ||
                 json_need_real(root, "wait_ns", 0, MOST_NS, &c->wait_ns, file, error) ||
                 json_need_real(root, "query_ns", 0, MOST_NS, &c->query_ns, file, error)
             ? -1
             : 0;
}

static int read_factors(const json_t *root, struct virtual_settings *s, const char *file, struct error *error) {
  json_t *factors;
  if (json_need_bool(root, "device_times", &s->device_times, file, error))
    return -1;
  if (!s->device_times)
    return 0;
  if (json_need_object(root, "factors", &factors, file, error) ||
      json_need_real(factors, "calls", 0, MOST_FACTOR, &s->calls_factor, file, error) ||
      json_need_real(factors, "latency", 0, MOST_FACTOR, &s->latency_factor, file, error))
    return -1;
  for (int kind = 0; kind < COMMAND_USER; kind++)
    if (json_need_real(factors, command_kind_name((enum command_kind)kind), 0, MOST_FACTOR, &s->factors[kind], file,
                       error))
      return -1;
  return 0;
}

int virtual_settings_read(const char *file, struct virtual_settings *out, struct error *error) {
  static json_t *kept; /* owns the name */
  json_t *root = NULL;
  const int status = json_load_document(file, &root, error) || read_device(root, out, file, error) ||
                             json_need_real(root, "host_scale", 0, 1e6, &out->host_scale, file, error) ||
                             json_need_bool(root, "described", &out->described, file, error) ||
                             read_factors(root, out, file, error) || read_costs(root, &out->costs, file, error)
                         ? -1
                         : 0;
  json_decref(status ? root : kept);
  if (!status)
    kept = root;
  return status;
}

bool virtual_settings_load(const char *folder, struct virtual_settings *out) {
  char file[PATH_MAX];
  struct error error = ERROR_INIT;
  snprintf(file, sizeof file, "%s/" VIRTUAL_BOARD_FILE, folder);
  if (access(file, R_OK))
    return false;
  if (virtual_settings_read(file, out, &error) == 0)
    return true;
  fprintf(stderr, "reassemble: %s: %s; the program runs on the device of this machine\n", file, error.text);
  return false;
}
