#include "cli/calibrate/program_board.h"

#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"

#define MOST_NS 1e15

static int load_clock(const json_t *item, const char *key, double *out, const char *path, struct error *error) {
  *out = 1;
  return json_object_get(item, key) ? json_need_real(item, key, 1e-3, 1e12, out, path, error) : 0;
}

static int load_part(const json_t *parts, int kind, struct program_times *out, const char *path, struct error *error) {
  json_t *part;
  return json_need_object(parts, time_kind_name(kind), &part, path, error) ||
                 json_need_real(part, "ns", 0, MOST_NS, &out->ns[kind], path, error) ||
                 json_need_real(part, "awaited_ns", 0, MOST_NS, &out->awaited_ns[kind], path, error)
             ? -1
             : 0;
}

static int load_times(const json_t *item, struct program_times *out, const char *path, struct error *error) {
  json_t *parts;
  if (load_clock(item, "core_clock", &out->core_clock, path, error) ||
      load_clock(item, "memory_clock", &out->memory_clock, path, error) ||
      json_need_real(item, "total_ns", 1, MOST_NS, &out->total_ns, path, error) ||
      json_need_real(item, "simulated_ns", 1, MOST_NS, &out->simulated_ns, path, error) ||
      json_need_object(item, "parts", &parts, path, error))
    return -1;
  for (int kind = 0; kind < TIME_KINDS; kind++)
    if (load_part(parts, kind, out, path, error))
      return -1;
  return 0;
}

static int load_items(struct program_board *b, bool measured, const char *path, struct error *error) {
  json_t *list;
  if (json_check_schema(b->root, PROGRAM_BOARD_SCHEMA, path, error) ||
      json_need_string(b->root, "name", &b->name, path, error) ||
      json_need_array(b->root, "programs", &list, path, error))
    return -1;
  b->items = calloc(json_array_size(list) + 1, sizeof *b->items);
  if (!b->items)
    return error_no_memory(error);
  for (; b->count < json_array_size(list); b->count++) {
    struct program_times *t = &b->items[b->count];
    t->item = json_array_get(list, b->count);
    if (json_need_string(t->item, "name", &t->name, path, error) ||
        ((measured || json_object_get(t->item, "parts")) && load_times(t->item, t, path, error)))
      return -1;
  }
  return b->count > 0 ? 0 : error_at(error, ERROR_INPUT, path, 0, 0, "programs", "is empty");
}

int program_board_load(const char *path, bool measured, struct program_board *out, struct error *error) {
  *out = (struct program_board){0};
  if (json_load_document(path, &out->root, error))
    return -1;
  return load_items(out, measured, path, error);
}

void program_board_clear(struct program_board *board) {
  json_decref(board->root);
  free(board->items);
  *board = (struct program_board){0};
}

const struct program_times *program_board_find(const struct program_board *board, const char *name) {
  for (size_t i = 0; i < board->count; i++)
    if (strcmp(board->items[i].name, name) == 0)
      return &board->items[i];
  return NULL;
}

void program_times_put(const struct program_times *t) {
  json_t *parts = json_object();
  for (int kind = 0; kind < TIME_KINDS; kind++)
    json_object_set_new(parts, time_kind_name(kind),
                        json_pack("{s:f, s:f}", "ns", t->ns[kind], "awaited_ns", t->awaited_ns[kind]));
  json_object_set_new(t->item, "total_ns", json_real(t->total_ns));
  json_object_set_new(t->item, "simulated_ns", json_real(t->simulated_ns));
  json_object_set_new(t->item, "parts", parts);
}
