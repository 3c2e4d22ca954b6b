#include "tuner/board/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"
#include "tuner/board/board_read.h"

static const char *const board_keys[] = {"schema",    "name",  "board",  "gpu",    "clock_hz", "driver",
                                         "statistic", "unit",  "source", "device", "licence",  "measurements",
                                         "points",    "split", "scale",  NULL};

int board_copy(const char *text, char **out, struct error *error) {
  *out = strdup(text);
  return *out ? 0 : error_no_memory(error);
}

int board_optional(const json_t *object, const char *key, char **out, const char *file, struct error *error) {
  const char *text;
  const json_t *value = json_object_get(object, key);
  if (!value || json_is_null(value))
    return 0;
  return json_need_string(object, key, &text, file, error) == 0 ? board_copy(text, out, error) : -1;
}

/* ---- units ---- */

static const struct {
  const char *name;
  double ns;
} units[] = {{"cycles", 0}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
enum { UNITS = sizeof units / sizeof units[0] };

static size_t find_unit(const char *name) {
  size_t unit = 0;
  while (unit < UNITS && strcmp(units[unit].name, name) != 0)
    unit++;
  return unit;
}

double board_unit_ns(const struct board *board) {
  return units[find_unit(board->unit)].ns;
}

/* ---- the head of a JSON file ---- */

static int read_unit(const json_t *root, struct board *board, struct error *error) {
  const char *text;
  if (json_need_string(root, "unit", &text, board->path, error) != 0 || board_copy(text, &board->unit, error) != 0)
    return -1;
  return find_unit(text) < UNITS
             ? 0
             : error_at(error, ERROR_INPUT, board->path, 0, 0, "unit",
                        "found \"%.60s\", expected \"cycles\", \"ns\", \"us\", \"ms\" or \"s\"", text);
}

static int read_clock(const json_t *root, struct board *board, struct error *error) {
  return !json_object_get(root, "clock_hz")
             ? 0
             : json_need_real(root, "clock_hz", 1, 1e12, &board->clock_hz, board->path, error);
}

static int read_scale(const json_t *root, struct board *board, struct error *error) {
  const char *text = "known";
  if (json_object_get(root, "scale") && json_need_string(root, "scale", &text, board->path, error) != 0)
    return -1;
  board->free_scale = strcmp(text, "free") == 0;
  return board->free_scale || strcmp(text, "known") == 0
             ? 0
             : error_at(error, ERROR_INPUT, board->path, 0, 0, "scale",
                        "found \"%.60s\", expected \"known\", or \"free\" where the clock is not known", text);
}

static int read_name(const json_t *root, struct board *board, struct error *error) {
  const char *text;
  return json_need_string(root, "name", &text, board->path, error) == 0 ? board_copy(text, &board->name, error) : -1;
}

static int read_split(const json_t *root, const char *file, struct board_split *split, struct error *error) {
  static const char *const keys[] = {"points", "seed", "rule", NULL};
  json_t *object;
  int64_t points, seed;
  *split = (struct board_split){.seed = 1};
  if (!json_object_get(root, "split"))
    return 0;
  if (json_need_object(root, "split", &object, file, error) != 0 || json_check_keys(object, keys, file, error) != 0 ||
      json_need_int(object, "points", 2, 1000000, &points, file, error) != 0 ||
      json_need_int(object, "seed", 0, INT64_MAX, &seed, file, error) != 0)
    return -1;
  *split = (struct board_split){(size_t)points, (uint64_t)seed};
  return 0;
}

static int read_texts(const json_t *root, struct board *board, struct error *error) {
  char **const fields[] = {&board->gpu, &board->driver, &board->statistic, &board->source};
  static const char *const keys[] = {"gpu", "driver", "statistic", "source"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (board_optional(root, keys[i], fields[i], board->path, error) != 0)
      return -1;
  return 0;
}

/* Reads the head. Each part is read even if others are wrong, so that all complaints come at once. */
static int read_head(const json_t *root, struct board *board, struct board_split *split,
                     struct complaints *complaints) {
  int (*const parts[])(const json_t *, struct board *, struct error *) = {read_name, read_unit, read_clock, read_scale,
                                                                          read_texts};
  struct error found = ERROR_INIT;
  json_check_keys(root, board_keys, board->path, &found);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (complaints_add(complaints, &found) != 0)
      return -1;
    parts[i](root, board, &found);
  }
  if (complaints_add(complaints, &found) != 0)
    return -1;
  read_split(root, board->path, split, &found);
  return complaints_add(complaints, &found);
}

/* ---- measurements ---- */

static int read_body(const json_t *root, const struct board_split *split, struct board *board,
                     struct complaints *complaints, struct error *error) {
  json_t *part;
  const bool points = json_object_get(root, "points") != NULL;
  if (points && json_object_get(root, "measurements"))
    return error_at(error, ERROR_INPUT, board->path, 0, 0, "points",
                    "found measurements as well, expected one of the two");
  if (points)
    return json_need_object(root, "points", &part, board->path, error) == 0
               ? board_read_points(part, split, board, complaints, error)
               : -1;
  if (json_need_array(root, "measurements", &part, board->path, error) != 0)
    return -1;
  if (json_array_size(part) == 0)
    return error_at(error, ERROR_INPUT, board->path, 0, 0, "measurements", "found none, expected at least one");
  const int status = board_read_measurements(part, board, complaints, error);
  return status == 0 && complaints->count == 0 ? board_keep_chosen(board, split, error) : status;
}

static int read_json(struct board *board, struct complaints *complaints, struct error *error) {
  json_t *root;
  struct board_split split;
  if (json_load_document(board->path, &root, error) != 0)
    return -1;
  int status = json_check_schema(root, "reassemble.board/1", board->path, error);
  if (status == 0 && read_head(root, board, &split, complaints) != 0)
    status = complaints_end(complaints, error);
  struct error found = ERROR_INIT;
  if (status == 0 && read_body(root, &split, board, complaints, &found) != 0 && complaints_add(complaints, &found) != 0)
    status = complaints_end(complaints, error);
  json_decref(root);
  return status;
}

int board_keep_chosen(struct board *board, const struct board_split *split, struct error *error) {
  double *values = calloc(board->count + 1, sizeof *values);
  size_t *indices, chosen;
  if (!values)
    return error_no_memory(error);
  for (size_t i = 0; i < board->count; i++)
    values[i] = board->measurements[i].value;
  const int status = board_choose(board->choice, values, board->count, split, &indices, &chosen, error);
  free(values);
  if (status != 0)
    return -1;
  size_t kept = 0;
  for (size_t i = 0; i < board->count; i++)
    if (kept < chosen && indices[kept] == i)
      board->measurements[kept++] = board->measurements[i];
    else
      board_measurement_clear(&board->measurements[i]);
  board->count = kept;
  free(indices);
  return 0;
}

/* ---- public functions ---- */

static bool is_table(const char *path) {
  const size_t length = strlen(path);
  return (length > 4 && strcmp(path + length - 4, ".csv") == 0) ||
         (length > 8 && strcmp(path + length - 8, ".csv.zst") == 0);
}

static int read_file(struct board *board, struct error *error) {
  struct complaints complaints = {.first = ERROR_INIT};
  if ((is_table(board->path) ? board_read_table : read_json)(board, &complaints, error) != 0)
    return -1;
  if (complaints.count == 0 && board_check_twice(board, &complaints, error) != 0)
    return -1;
  return complaints_end(&complaints, error);
}

int board_load(const char *name_or_path, struct board **out, struct error *error) {
  struct board *board = calloc(1, sizeof *board);
  const size_t length = board_name_length(name_or_path);
  char *name = strndup(name_or_path, length);
  int status = board && name ? 0 : error_no_memory(error);
  if (status == 0)
    status = data_find(DATA_BOARD, name, &board->path, error);
  if (status == 0 && name_or_path[length] == ':')
    status = board_copy(name_or_path + length + 1, &board->choice, error);
  if (status == 0)
    status = read_file(board, error);
  free(name);
  if (status != 0) {
    board_destroy(board);
    return -1;
  }
  *out = board;
  return 0;
}

void board_destroy(struct board *board) {
  if (!board)
    return;
  for (size_t i = 0; i < board->count; i++)
    board_measurement_clear(&board->measurements[i]);
  char *const texts[] = {board->path,   board->name,      board->unit,   board->gpu,
                         board->driver, board->statistic, board->source, board->choice};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    free(texts[i]);
  free(board->measurements);
  free(board);
}

static uint64_t hash_text(uint64_t hash, const char *text) {
  return text_hash(hash, text, strlen(text) + 1);
}

uint64_t board_hash(const struct board *board) {
  uint64_t hash = hash_text(TEXT_HASH_START, board->unit);
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    hash = hash_text(hash_text(hash, m->name), m->workload);
    for (size_t t = 0; t < m->term_count; t++) {
      hash = text_hash(hash, &m->terms[t].launch, sizeof m->terms[t].launch);
      if (m->terms[t].groups)
        hash = hash_text(hash, m->terms[t].groups);
    }
    hash = text_hash(hash, &m->value, sizeof m->value);
  }
  return hash;
}

int board_blame(const struct board *board, const char *key, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT) {
    snprintf(error->file, sizeof error->file, "%s", board->path);
    snprintf(error->key, sizeof error->key, "%s", key);
  }
  return -1;
}

int board_load_gpu(const struct board *board, const char *name, struct gpu **out, struct error *error) {
  if (!name && !board->gpu)
    return error_set(error, ERROR_INPUT, "--gpu is missing: board %.60s does not name a GPU", board->name);
  const int status = gpu_load(name ? name : board->gpu, out, error);
  return status != 0 && !name ? board_blame(board, "gpu", error) : status;
}
