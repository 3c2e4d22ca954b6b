#include "tracegen/program/capture/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input/json.h"
#include "base/opencl_status.h"
#include "base/text.h"
#include "tracegen/process/worker_pool.h"
#include "tracegen/program/capture/capture_stores.h"

#define MAX_LINE_BYTES ((size_t)64 << 20)
#define READ_BYTES     ((size_t)1 << 20)
#define MOST_IDS       INT64_MAX

/* Taking lines. */

/* Searches from the end, because a line refers to one that was written shortly before. */
static json_t *find(json_t *list, const char *key, json_int_t value) {
  for (size_t i = json_array_size(list); i-- > 0;)
    if (json_integer_value(json_object_get(json_array_get(list, i), key)) == value)
      return json_array_get(list, i);
  return NULL;
}

static int keep(json_t *list, json_t *line, struct error *error) {
  json_object_del(line, "event");
  return json_array_append(list, line) ? error_no_memory(error) : 0;
}

/* Counts the contents that a line names. */
static int use_contents(struct capture *c, const json_t *buffers, const char *file, struct error *error) {
  size_t i;
  json_t *item;
  json_array_foreach(buffers, i, item) {
    int64_t id, number, bytes;
    if (json_need_int(item, "id", 0, MOST_IDS, &id, file, error) ||
        json_need_int(item, "content", 0, MOST_IDS, &number, file, error) ||
        json_need_int(item, "bytes", 0, MOST_IDS, &bytes, file, error) ||
        contents_use(&c->contents, (uint64_t)id, (uint64_t)number, (uint64_t)bytes, error))
      return -1;
  }
  return 0;
}

static void index_key(json_int_t index, char key[32]) {
  snprintf(key, 32, "%lld", (long long)index);
}

static int defer_launch(struct capture *c, json_t *line, const char *file, struct error *error) {
  char key[32];
  int64_t index;
  const char *kernel;
  if (json_need_int(line, "index", 0, MOST_IDS, &index, file, error) ||
      json_need_string(line, "kernel", &kernel, file, error))
    return -1;
  index_key(index, key);
  return json_object_set(c->deferred, key, line) ? error_no_memory(error) : 0;
}

/* The layer saves no contents of a launch that repeats an earlier one. */
static int begin_launch(struct capture *c, json_t *line, const char *file, struct error *error) {
  char key[32];
  index_key(json_integer_value(json_object_get(line, "index")), key);
  json_object_del(c->deferred, key);
  const bool repeats = json_object_get(line, "repeats") != NULL;
  return (!repeats && use_contents(c, json_object_get(line, "buffers"), file, error)) || keep(c->launches, line, error)
             ? -1
             : 0;
}

/* Launches are captured one at a time, so at the end of one none is between its buffers and its line; a deferred one
 * may be. */
static int finish_launch(struct capture *c, json_t *line, const char *file, struct error *error) {
  int64_t index;
  json_t *after = json_object_get(line, "after");
  if (json_need_int(line, "index", 0, MOST_IDS, &index, file, error) || use_contents(c, after, file, error))
    return -1;
  if (json_object_size(c->deferred) == 0)
    contents_forget_released(&c->contents);
  json_t *launch = find(c->launches, "index", index);
  const json_int_t status = json_integer_value(json_object_get(line, "status"));
  if (!launch)
    return 0;
  json_object_set(launch, "status", json_object_get(line, "status"));
  if (after)
    json_object_set(launch, "after", after);
  if (status)
    json_object_set_new(launch, "skipped", json_sprintf("OpenCL answered it with %s", OPENCL_STATUS((int)status)));
  return 0;
}

static int release_memory(struct capture *c, json_t *line, const char *file, struct error *error) {
  int64_t id;
  if (json_need_int(line, "id", 0, MOST_IDS, &id, file, error))
    return -1;
  json_t *memory = find(c->memories, "id", id);
  if (memory)
    json_object_set(memory, "released_at_s", json_object_get(line, "at_s"));
  return contents_release(&c->contents, (uint64_t)id, error);
}

static int take_line(struct capture *c, json_t *line, const char *file, struct error *error) {
  const char *event;
  if (json_need_string(line, "event", &event, file, error))
    return -1;
  if (strcmp(event, "launch") == 0)
    return begin_launch(c, line, file, error);
  if (strcmp(event, "deferred") == 0)
    return defer_launch(c, line, file, error);
  if (strcmp(event, "memory") == 0)
    return keep(c->memories, line, error);
  if (strcmp(event, "refused") == 0)
    return keep(c->refused, line, error);
  if (strcmp(event, "done") == 0)
    return finish_launch(c, line, file, error);
  if (strcmp(event, "release") == 0)
    return release_memory(c, line, file, error);
  return error_at(error, ERROR_WORK, file, c->line, 0, "event", "found \"%.60s\", which no version of the layer writes",
                  event);
}

static int take_record(struct capture *c, const char *text, size_t length, const char *file, struct error *error) {
  json_error_t reason;
  json_t *line = json_parse(text, length, 0, &reason);
  c->line++;
  if (!line && json_problem_is_memory(&reason))
    return error_no_memory(error);
  if (!line)
    return error_at(error, ERROR_WORK, file, c->line, 0, NULL, "not JSON: %s", reason.text);
  const int status = take_line(c, line, file, error);
  json_decref(line);
  return status;
}

/* Takes the whole lines of c->text; the rest stays. */
static int take_lines(struct capture *c, const char *file, struct error *error) {
  char *start = c->text, *end;
  int status = 0;
  while (!status && (end = memchr(start, '\n', c->text_bytes - (size_t)(start - c->text)))) {
    status = take_record(c, start, (size_t)(end - start), file, error);
    start = end + 1;
  }
  c->text_bytes -= (size_t)(start - c->text);
  memmove(c->text, start, c->text_bytes);
  return status;
}

/* Reading the log. */

static int read_more(struct capture *c, int log, const char *file, ssize_t *got, struct error *error) {
  if (c->text_bytes > MAX_LINE_BYTES)
    return error_at(error, ERROR_WORK, file, c->line + 1, 0, NULL, "a line of more than %zu bytes", MAX_LINE_BYTES);
  char *larger = realloc(c->text, c->text_bytes + READ_BYTES);
  if (!larger)
    return error_no_memory(error);
  c->text = larger;
  do
    *got = pread(log, c->text + c->text_bytes, READ_BYTES, c->log_at);
  while (*got < 0 && errno == EINTR);
  if (*got < 0)
    return error_at(error, ERROR_WORK, file, 0, 0, NULL, "cannot be read: %s", strerror(errno));
  c->text_bytes += (size_t)*got;
  c->log_at += *got;
  return 0;
}

/* A pipe in the place of the log, which a program may put there, would be waited for. Returns -1 where there is no
 * log. */
static int open_log(const char *path) {
  struct stat found;
  const int log = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (log < 0 || (fstat(log, &found) == 0 && S_ISREG(found.st_mode)))
    return log;
  close(log);
  return -1;
}

int capture_advance(struct capture *c, bool *any, struct error *error) {
  char *file = text_format("%s/log", c->folder);
  if (!file)
    return error_no_memory(error);
  const int log = open_log(file);
  *any = log >= 0;
  int status = 0;
  for (ssize_t got = *any; got > 0 && !status;)
    status = read_more(c, log, file, &got, error) || take_lines(c, file, error) ? -1 : 0;
  if (log >= 0)
    close(log);
  free(file);
  return status;
}

int capture_end(struct capture *c, struct error *error) {
  const char *key;
  json_t *launch;
  int status = 0;
  json_object_foreach(c->deferred, key, launch) {
    json_object_set_new(launch, "skipped", json_string("the program ended before its turn came"));
    status |= keep(c->launches, launch, error);
  }
  json_object_clear(c->deferred);
  return status;
}

bool capture_is_waiting(const struct capture *c) {
  return atomic_load(&c->control->waiting) > 0;
}

unsigned capture_lost(const struct capture *c) {
  return atomic_load(&c->control->lost);
}

bool capture_is_complete(const json_t *launch) {
  return json_object_get(launch, "skipped") || json_object_get(launch, "status");
}

/* Drops the contents that the list names, and removes their numbers from it. */
static void drop_contents(struct capture *c, json_t *buffers) {
  size_t i;
  json_t *item;
  json_array_foreach(buffers, i, item) {
    contents_drop(&c->contents, (uint64_t)json_integer_value(json_object_get(item, "content")));
    json_object_del(item, "content");
    json_object_del(item, "undefined");
  }
}

/* Tells the layer what the launch's trace depends on. */
static void publish(struct capture *c, const json_t *launch) {
  const uint32_t count = atomic_load(&c->control->known_count);
  struct launch_finding *known = &c->control->known[count];
  if (count >= KNOWN_LAUNCHES || !atomic_load(&c->control->shares_traces))
    return;
  *known = c->found;
  known->index = (uint64_t)json_integer_value(json_object_get(launch, "index"));
  c->found = (struct launch_finding){.traced = NO_TRACED_LAUNCH, .everything = true};
  atomic_store(&c->control->known_count, count + 1);
}

void capture_done(struct capture *c, json_t *launch) {
  json_t *buffers = json_object_get(launch, "buffers");
  c->done++;
  if (!buffers)
    return; /* the launch was not captured */
  publish(c, launch);
  drop_contents(c, buffers);
  drop_contents(c, json_object_get(launch, "after"));
  json_object_del(launch, "after");
  atomic_fetch_add(&c->control->consumed, 1);
}

static struct capture_control *map_control(const char *name) {
  const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct capture_control *control = folder < 0 ? NULL : control_map(folder);
  if (folder >= 0)
    close(folder);
  return control;
}

int capture_open(const char *folder, struct capture *out, struct error *error) {
  *out = (struct capture){.folder = strdup(folder),
                          .launches = json_array(),
                          .memories = json_array(),
                          .refused = json_array(),
                          .deferred = json_object(),
                          .found = {.traced = NO_TRACED_LAUNCH, .everything = true},
                          .contents.stores = {-1, -1}};
  out->control = out->folder ? map_control(folder) : NULL;
  if (!out->control || !out->launches || !out->memories || !out->refused || !out->deferred) {
    capture_close(out);
    return error_at(error, ERROR_WORK, folder, 0, 0, NULL, "cannot be prepared for a capture: %s", strerror(errno));
  }
  out->pool = worker_pool_create();
  out->contents = (struct contents){.stores = {-1, -1}, .control = out->control};
  if (content_stores_open(folder, out->control, out->contents.stores, error)) {
    capture_close(out);
    return -1;
  }
  atomic_store(&out->control->reader, (uint32_t)getpid());
  return 0;
}

void capture_share_traces(struct capture *c) {
  c->repeats_copied = true;
  atomic_store(&c->control->shares_traces, 1);
}

void capture_close(struct capture *c) {
  worker_pool_destroy(c->pool);
  contents_clear(&c->contents);
  if (c->control)
    content_stores_close(c->contents.stores);
  uninitialised_clear(&c->uninitialised);
  repeats_clear(&c->repeats);
  control_unmap(c->control);
  free(c->folder);
  free(c->text);
  json_decref(c->launches);
  json_decref(c->memories);
  json_decref(c->refused);
  json_decref(c->deferred);
  *c = (struct capture){0};
}
