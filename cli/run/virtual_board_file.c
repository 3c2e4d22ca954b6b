#include "cli/run/virtual_board_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/input/json_parse.h"
#include "base/text.h"

struct host_costs board_costs(const struct virtual_board *board) {
  const struct gpu_spec *spec = &board->gpu->spec;
  if (board->device)
    return (struct host_costs){.shared_memory = spec->shared_memory};
  return (struct host_costs){.shared_memory = spec->shared_memory,
                             .link_bytes_per_ns = spec->link_bytes_per_ns,
                             .link_ns = spec->link_ns,
                             .copy_bytes_per_ns = 1e-9 * (double)spec->clock_hz * spec->dram_bytes_per_cycle,
                             .enqueue_ns = spec->enqueue_ns,
                             .submit_ns = spec->submit_ns,
                             .wait_ns = spec->wait_ns,
                             .query_ns = spec->query_ns};
}

static void put_costs(json_t *board, const struct host_costs *c) {
  json_object_set_new(board, "shared_memory", json_boolean(c->shared_memory));
  json_object_set_new(board, "link_bytes_per_ns", json_real(c->link_bytes_per_ns));
  json_object_set_new(board, "link_ns", json_real(c->link_ns));
  json_object_set_new(board, "copy_bytes_per_ns", json_real(c->copy_bytes_per_ns));
  json_object_set_new(board, "enqueue_ns", json_real(c->enqueue_ns));
  json_object_set_new(board, "submit_ns", json_real(c->submit_ns));
  json_object_set_new(board, "wait_ns", json_real(c->wait_ns));
  json_object_set_new(board, "query_ns", json_real(c->query_ns));
}

static void put_device(json_t *board, const struct gpu *gpu) {
  const struct gpu_spec *s = &gpu->spec;
  json_object_set_new(board, "name", json_string(gpu->name));
  json_object_set_new(board, "cores", json_integer(s->cores));
  json_object_set_new(board, "clock_hz", json_integer(s->clock_hz));
  json_object_set_new(board, "max_work_group", json_integer(s->max_work_group));
  json_object_set_new(board, "warp_size", json_integer(s->warp_size));
  json_object_set_new(board, "device_memory_bytes", json_integer(s->device_memory_bytes));
  json_object_set_new(board, "local_memory_bytes", json_integer(s->device_local_bytes));
  json_object_set_new(board, "line_bytes", json_integer(s->line_bytes));
  json_object_set_new(board, "cache_bytes", json_integer(s->l2_bytes));
  json_object_set_new(board, "double_precision", json_boolean(s->double_precision));
  json_object_set_new(board, "local_in_core", json_boolean(s->local_memory == LOCAL_SCRATCHPAD));
}

static json_t *factors_of(const struct virtual_board *b) {
  json_t *factors = json_object();
  for (int kind = 0; kind < TIME_HOST; kind++)
    json_object_set_new(factors, time_kind_name(kind),
                        json_real(time_factor_at(b->device, kind, b->core_clock, b->memory_clock)));
  /* Markers and user events are not measured. */
  json_object_set_new(factors, command_kind_name(COMMAND_MARKER), json_real(1));
  return factors;
}

int virtual_board_write(const struct virtual_board *b, const char *folder, struct error *error) {
  const struct host_costs costs = board_costs(b);
  json_t *board = json_object();
  char *path = text_format("%s/board", folder);
  put_device(board, b->gpu);
  put_costs(board, &costs);
  json_object_set_new(board, "described", json_boolean(b->described));
  json_object_set_new(board, "computes", json_boolean(b->computes));
  json_object_set_new(board, "emulates", json_boolean(b->emulates));
  json_object_set_new(board, "compares", json_boolean(b->compares));
  json_object_set_new(board, "device_times", json_boolean(b->device));
  if (b->device)
    json_object_set_new(board, "factors", factors_of(b));
  json_object_set_new(board, "host_scale",
                      json_real(b->host_scale * (b->device ? b->device->kinds[TIME_HOST].factor : 1)));
  if (json_ran_out_of_memory()) { /* a part of the file would be missing */
    json_decref(board);
    free(path);
    return error_no_memory(error);
  }
  errno = ENOMEM; /* jansson does not say that it has no memory */
  const int status =
      board && path && json_dump_file(board, path, JSON_INDENT(2)) == 0
          ? 0
          : error_set(error, ERROR_WORK, "%s: the board's description cannot be written: %s", folder, strerror(errno));
  json_decref(board);
  free(path);
  return status;
}
