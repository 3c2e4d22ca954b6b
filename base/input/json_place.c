#include "base/input/json_place.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MOST_BYTES = 64 << 20 };

/* The text is valid JSON or ends early. No function moves beyond its NUL. */

static const char *skip_space(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* Returns the place behind the closing quote of the string whose opening quote is at `at`. */
static const char *skip_string(const char *at) {
  for (at++; *at != '\0' && *at != '"'; at++)
    if (*at == '\\' && at[1] != '\0')
      at++;
  return at + (*at == '"');
}

/* Returns the place behind the value at `at`. */
static const char *skip_value(const char *at) {
  unsigned depth = 0;
  do {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    depth += *at == '{' || *at == '[';
    depth -= depth > 0 && (*at == '}' || *at == ']');
    at++;
  } while (*at != '\0' && (depth > 0 || !strchr(",}]", *at)));
  return at;
}

/* Returns the name of member `key` of the object at `at`, and sets *value to its value; returns NULL if there is
 * none. */
static const char *find_member(const char *at, const char *key, size_t length, const char **value) {
  if (*at != '{')
    return NULL;
  for (at = skip_space(at + 1); *at == '"'; at = skip_space(at + (*at == ','))) {
    const char *name = at, *end = skip_string(at);
    *value = skip_space(end);
    *value = skip_space(*value + (**value == ':'));
    if ((size_t)(end - name) == length + 2 && strncmp(name + 1, key, length) == 0)
      return name;
    at = skip_space(**value != '\0' ? skip_value(*value) : *value);
  }
  return NULL;
}

static const char *find_element(const char *at, unsigned long index) {
  if (*at != '[')
    return NULL;
  at = skip_space(at + 1);
  for (; index > 0 && *at != '\0' && *at != ']'; index--) {
    at = skip_space(skip_value(at));
    at = skip_space(at + (*at == ','));
  }
  return *at == '\0' || *at == ']' ? NULL : at;
}

/* Returns the place of the innermost part of the key. */
static const char *find_place(const char *text, const char *key) {
  const char *value = skip_space(text), *place = value;
  while (*key != '\0' && *value != '\0') {
    const size_t length = strcspn(key, ".[");
    const char *found =
        *key == '[' ? find_element(value, strtoul(key + 1, NULL, 10)) : find_member(value, key, length, &value);
    if (!found)
      break;
    place = found;
    if (*key == '[')
      value = found;
    key += *key == '[' ? strcspn(key, "]") : length;
    key += *key == ']';
    key += *key == '.';
  }
  return place;
}

void json_place(struct error *error) {
  char *text;
  size_t length;
  const size_t ends = strlen(error->file);
  if (error->kind != ERROR_INPUT || error->line != 0 || error->key[0] == '\0' || ends < 5 ||
      strcmp(error->file + ends - 5, ".json") != 0 || file_read(error->file, MOST_BYTES, &text, &length, NULL) != 0)
    return;
  error->line = 1;
  for (const char *at = text, *place = find_place(text, error->key); at < place; at++)
    error->line += *at == '\n';
  free(text);
}
