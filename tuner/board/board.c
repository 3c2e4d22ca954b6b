#include "tuner/board/board.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/input/json.h"

static const char *const board_keys[] = {"schema",    "name", "board",  "gpu",    "clock_hz",     "driver",
                                         "statistic", "unit", "source", "device", "measurements", NULL};
static const char *const measurement_keys[] = {"name",     "workload", "launch", "description", "value",
                                               "spread",   "source",   "median", "maximum",     "runs",
                                               "outliers", "group",    NULL};

static int copy_string(const json_t *object, const char *key, char **out, const char *file, struct error *error) {
  const char *text;
  if (json_need_string(object, key, &text, file, error) != 0)
    return -1;
  *out = strdup(text);
  return *out != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

static int read_measurement(const json_t *object, struct board_measurement *m, const char *file, struct error *error) {
  int64_t launch = 0;
  const json_t *spread = json_object_get(object, "spread");
  m->spread = -1;
  if (!json_is_object(object))
    return error_at(error, ERROR_INPUT, file, 0, 0, "", "found something else than an object");
  if (json_check_keys(object, measurement_keys, file, error) != 0 ||
      copy_string(object, "name", &m->name, file, error) != 0 ||
      copy_string(object, "workload", &m->workload, file, error) != 0 ||
      copy_string(object, "description", &m->description, file, error) != 0 ||
      copy_string(object, "source", &m->source, file, error) != 0 ||
      json_need_int(object, "launch", 0, 1000000, &launch, file, error) != 0 ||
      json_need_real(object, "value", 1e-9, 1e18, &m->value, file, error) != 0)
    return -1;
  m->launch = (unsigned)launch;
  if (json_object_get(object, "group") != NULL && copy_string(object, "group", &m->group, file, error) != 0)
    return -1;
  if (spread != NULL && !json_is_null(spread))
    return json_need_real(object, "spread", 0, 1e18, &m->spread, file, error);
  return 0;
}

/* Parts of a JSON document have no line, so the key of an error names the measurement. */
static int name_measurement(size_t index, struct error *error) {
  if (error == NULL)
    return -1;
  char member[sizeof error->key];
  snprintf(member, sizeof member, "%s", error->key);
  snprintf(error->key, sizeof error->key, "measurements[%zu]%s%.60s", index, member[0] != '\0' ? "." : "", member);
  return -1;
}

/* The same name or launch twice would count twice. */
static int check_new(const struct board *board, size_t i, struct error *error) {
  const struct board_measurement *m = &board->measurements[i];
  for (size_t j = 0; j < i; j++) {
    const struct board_measurement *other = &board->measurements[j];
    if (strcmp(other->name, m->name) == 0)
      return error_at(error, ERROR_INPUT, board->path, 0, 0, "name", "found \"%.60s\" a second time", m->name);
    if (other->launch == m->launch && strcmp(other->workload, m->workload) == 0)
      return error_at(error, ERROR_INPUT, board->path, 0, 0, "workload",
                      "found launch %u of %.60s a second time (first: measurement %.60s)", m->launch, m->workload,
                      other->name);
  }
  return 0;
}

static int read_board(const json_t *root, struct board *board, struct error *error) {
  const char *file = board->path;
  json_t *measurements;
  const char *unused;
  if (json_check_schema(root, "reassemble.board/1", file, error) != 0 ||
      json_check_keys(root, board_keys, file, error) != 0 ||
      copy_string(root, "name", &board->name, file, error) != 0 ||
      json_need_string(root, "board", &unused, file, error) != 0 ||
      copy_string(root, "gpu", &board->gpu, file, error) != 0 ||
      copy_string(root, "driver", &board->driver, file, error) != 0 ||
      copy_string(root, "statistic", &board->statistic, file, error) != 0 ||
      copy_string(root, "unit", &board->unit, file, error) != 0 ||
      copy_string(root, "source", &board->source, file, error) != 0 ||
      json_need_real(root, "clock_hz", 1, 1e12, &board->clock_hz, file, error) != 0 ||
      json_need_array(root, "measurements", &measurements, file, error) != 0)
    return -1;
  if (strcmp(board->unit, "cycles") != 0 && strcmp(board->unit, "ns") != 0)
    return error_at(error, ERROR_INPUT, file, 0, 0, "unit", "found \"%s\", expected \"cycles\" or \"ns\"", board->unit);
  board->measurements = calloc(json_array_size(measurements) + 1, sizeof *board->measurements);
  if (board->measurements == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < json_array_size(measurements); i++) {
    board->count = i + 1;
    if (read_measurement(json_array_get(measurements, i), &board->measurements[i], file, error) != 0 ||
        check_new(board, i, error) != 0)
      return name_measurement(i, error);
  }
  if (board->count == 0)
    return error_at(error, ERROR_INPUT, file, 0, 0, "measurements", "found none, expected at least one");
  return 0;
}

int board_load(const char *name_or_path, struct board **out, struct error *error) {
  struct board *board = calloc(1, sizeof *board);
  json_t *root = NULL;
  if (board == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  int status = data_find(DATA_BOARD, name_or_path, &board->path, error);
  if (status == 0)
    status = json_load_document(board->path, &root, error);
  if (status == 0)
    status = read_board(root, board, error);
  json_decref(root);
  if (status != 0) {
    board_destroy(board);
    return -1;
  }
  *out = board;
  return 0;
}

void board_destroy(struct board *board) {
  if (board == NULL)
    return;
  for (size_t i = 0; i < board->count; i++) {
    free(board->measurements[i].name);
    free(board->measurements[i].workload);
    free(board->measurements[i].description);
    free(board->measurements[i].source);
    free(board->measurements[i].group);
  }
  free(board->measurements);
  free(board->path);
  free(board->name);
  free(board->gpu);
  free(board->driver);
  free(board->statistic);
  free(board->unit);
  free(board->source);
  free(board);
}

int board_blame(const struct board *board, const char *key, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT) {
    snprintf(error->file, sizeof error->file, "%s", board->path);
    snprintf(error->key, sizeof error->key, "%s", key);
  }
  return -1;
}

int board_load_gpu(const struct board *board, const char *name, struct gpu **out, struct error *error) {
  const int status = gpu_load(name != NULL ? name : board->gpu, out, error);
  return status != 0 && name == NULL ? board_blame(board, "gpu", error) : status;
}
