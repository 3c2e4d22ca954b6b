#include "base/input/json.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

int json_load_document(const char *path, json_t **out, struct error *error) {
  char *text = NULL;
  size_t length = 0;
  *out = NULL;
  if (file_read(path, MOST_BYTES, &text, &length, error) != 0)
    return -1;
  if (memchr(text, '\0', length)) { /* jansson may skip NUL between tokens */
    free(text);
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "not JSON: found a NUL character");
  }
  json_error_t reason;
  *out = json_parse(text, length, JSON_REJECT_DUPLICATES, &reason);
  free(text);
  if (*out)
    return 0;
  if (json_problem_is_memory(&reason))
    return error_set(error, ERROR_WORK, "%s: out of memory", path);
  unsigned line = reason.line > 0 ? (unsigned)reason.line : 0, column = reason.column > 0 ? (unsigned)reason.column : 0;
  return error_at(error, ERROR_INPUT, path, line, column, NULL, "not JSON: %s", reason.text);
}

int json_save_document(const json_t *document, const char *path, unsigned digits, struct error *error) {
  struct file_replace file;
  if (!document || json_ran_out_of_memory()) /* or a part of it is missing */
    return error_set(error, ERROR_WORK, "%s: out of memory", path);
  if (file_replace_begin(&file, path, error))
    return -1;
  if (json_dumpf(document, file.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) == 0 &&
      putc('\n', file.stream) != EOF)
    return file_replace_commit(&file, error);
  error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot be written: %s", strerror(errno));
  file_replace_abort(&file);
  return -1;
}

/* Returns a short description of the value for a message, in `buffer` if it needs one. */
static const char *found(const json_t *value, char *buffer, size_t size) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    snprintf(buffer, size, "\"%.60s\"", json_string_value(value));
    return buffer;
  case JSON_INTEGER:
    snprintf(buffer, size, "%lld", (long long)json_integer_value(value));
    return buffer;
  case JSON_REAL:
    snprintf(buffer, size, "%.15g", json_real_value(value));
    return buffer;
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  case JSON_NULL:
    break;
  }
  return "null";
}

static int unexpected(const json_t *value, const char *key, const char *expected, const char *file,
                      struct error *error) {
  char buffer[128];
  return error_at(error, ERROR_INPUT, file, 0, 0, key, "found %s, expected %s", found(value, buffer, sizeof buffer),
                  expected);
}

/* A set of types of JSON values is a mask with one bit for each type. */
#define TYPE(type)  (1u << (type))
#define TYPE_NUMBER (TYPE(JSON_INTEGER) | TYPE(JSON_REAL))
#define TYPE_BOOL   (TYPE(JSON_TRUE) | TYPE(JSON_FALSE))

/* Returns the member `key`, which must have one of `types`; NULL with an error if it has another one or is missing. */
static json_t *need(const json_t *object, const char *key, unsigned types, const char *expected, const char *file,
                    struct error *error) {
  json_t *value = json_object_get(object, key);
  if (!value)
    error_at(error, ERROR_INPUT, file, 0, 0, key, "missing, expected %s", expected);
  else if (!(types & TYPE(json_typeof(value))))
    unexpected(value, key, expected, file, error);
  else
    return value;
  return NULL;
}

int json_need_object(const json_t *object, const char *key, json_t **out, const char *file, struct error *error) {
  *out = need(object, key, TYPE(JSON_OBJECT), "an object", file, error);
  return *out ? 0 : -1;
}

int json_need_array(const json_t *object, const char *key, json_t **out, const char *file, struct error *error) {
  *out = need(object, key, TYPE(JSON_ARRAY), "an array", file, error);
  return *out ? 0 : -1;
}

int json_need_string(const json_t *object, const char *key, const char **out, const char *file, struct error *error) {
  *out = json_string_value(need(object, key, TYPE(JSON_STRING), "a string", file, error));
  return *out ? 0 : -1;
}

int json_need_int(const json_t *object, const char *key, int64_t minimum, int64_t maximum, int64_t *out,
                  const char *file, struct error *error) {
  const json_t *value = need(object, key, TYPE(JSON_INTEGER), "a whole number", file, error);
  if (!value)
    return -1;
  *out = json_integer_value(value);
  return *out >= minimum && *out <= maximum
             ? 0
             : error_at(error, ERROR_INPUT, file, 0, 0, key, "found %lld, allowed %lld to %lld", (long long)*out,
                        (long long)minimum, (long long)maximum);
}

int json_need_real(const json_t *object, const char *key, double minimum, double maximum, double *out, const char *file,
                   struct error *error) {
  const json_t *value = need(object, key, TYPE_NUMBER, "a number", file, error);
  if (!value)
    return -1;
  *out = json_number_value(value);
  return *out >= minimum && *out <= maximum ? 0
                                            : error_at(error, ERROR_INPUT, file, 0, 0, key,
                                                       "found %.15g, allowed %.15g to %.15g", *out, minimum, maximum);
}

int json_need_bool(const json_t *object, const char *key, bool *out, const char *file, struct error *error) {
  const json_t *value = need(object, key, TYPE_BOOL, "true or false", file, error);
  *out = json_is_true(value);
  return value ? 0 : -1;
}

int json_check_schema(const json_t *root, const char *schema, const char *file, struct error *error) {
  const char *stated;
  if (!json_is_object(root))
    return unexpected(root, NULL, "an object", file, error);
  if (json_need_string(root, "schema", &stated, file, error) != 0)
    return -1;
  if (strcmp(stated, schema) != 0)
    return error_at(error, ERROR_INPUT, file, 0, 0, "schema", "found \"%.60s\", expected \"%s\"", stated, schema);
  return 0;
}

static bool is_among(const char *key, const char *const *allowed) {
  while (*allowed && strcmp(*allowed, key) != 0)
    allowed++;
  return *allowed;
}

int json_check_keys(const json_t *object, const char *const *allowed, const char *file, struct error *error) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    if (is_among(key, allowed))
      continue;
    return error_at(error, ERROR_INPUT, file, 0, 0, key, "unknown key%s", text_hint(key, allowed, "").text);
  }
  return 0;
}
