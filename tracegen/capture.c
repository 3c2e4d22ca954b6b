#include "tracegen/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

#define MAX_LOG_BYTES ((size_t)1 << 30)
#define MOST_IDS      INT64_MAX

/* Reading the log. */

static json_t *find(json_t *list, const char *key, json_int_t value) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) if (json_integer_value(json_object_get(item, key)) == value) return item;
  return NULL;
}

static int keep(json_t *list, json_t *line, struct error *error) {
  json_object_del(line, "event");
  return json_array_append(list, line) ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

static int finish_launch(struct capture *c, json_t *line, const char *file, struct error *error) {
  int64_t index;
  if (json_need_int(line, "index", 0, MOST_IDS, &index, file, error))
    return -1;
  json_t *launch = find(c->launches, "index", index);
  if (launch) {
    json_object_set(launch, "status", json_object_get(line, "status"));
    json_object_set(launch, "after", json_object_get(line, "after"));
  }
  return 0;
}

static int release_memory(struct capture *c, json_t *line, const char *file, struct error *error) {
  int64_t id;
  if (json_need_int(line, "id", 0, MOST_IDS, &id, file, error))
    return -1;
  json_t *memory = find(c->memories, "id", id);
  if (memory)
    json_object_set(memory, "released_at_s", json_object_get(line, "at_s"));
  return 0;
}

static int take_line(struct capture *c, json_t *line, const char *file, struct error *error) {
  const char *event;
  if (json_need_string(line, "event", &event, file, error))
    return -1;
  if (strcmp(event, "launch") == 0)
    return keep(c->launches, line, error);
  if (strcmp(event, "memory") == 0)
    return keep(c->memories, line, error);
  if (strcmp(event, "refused") == 0)
    return keep(c->refused, line, error);
  if (strcmp(event, "done") == 0)
    return finish_launch(c, line, file, error);
  if (strcmp(event, "release") == 0)
    return release_memory(c, line, file, error);
  return error_at(error, ERROR_WORK, file, 0, 0, "event", "found \"%.60s\", which no version of the layer writes",
                  event);
}

static int take_text(struct capture *c, char *text, const char *file, struct error *error) {
  unsigned number = 1;
  for (char *end = strchr(text, '\n'); end; text = end + 1, end = strchr(text, '\n'), number++) {
    json_error_t reason;
    json_t *line = json_loadb(text, (size_t)(end - text), 0, &reason);
    if (!line)
      return error_at(error, ERROR_WORK, file, number, 0, NULL, "not JSON: %s", reason.text);
    const int status = take_line(c, line, file, error);
    json_decref(line);
    if (status)
      return -1;
  }
  return 0;
}

int capture_read(const char *folder, struct capture *out, struct error *error) {
  char *text = NULL, *file = text_format("%s/log", folder);
  size_t length;
  *out = (struct capture){
      .folder = strdup(folder), .launches = json_array(), .memories = json_array(), .refused = json_array()};
  const int status = file_read(file, MAX_LOG_BYTES, &text, &length, error) || take_text(out, text, file, error);
  free(text);
  free(file);
  if (status)
    capture_clear(out);
  return status ? -1 : 0;
}

void capture_clear(struct capture *c) {
  free(c->folder);
  json_decref(c->launches);
  json_decref(c->memories);
  json_decref(c->refused);
  *c = (struct capture){0};
}
