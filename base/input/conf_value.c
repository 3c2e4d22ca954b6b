/* This file reads typed values of a loaded document (base/input/conf.h). */
#include "base/input/conf.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int conf_error(const struct conf_node *node, struct error *error, const char *format, ...) {
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_at(error, ERROR_INPUT, node->file, node->line, node->column, node->key, "%s", text);
}

int conf_cause(const struct conf_node *node, const struct error *cause, struct error *error) {
  return error_at(error, cause->kind, node->file, node->line, node->column, node->key, "%s", cause->text);
}

/* Describes the node for a message, in at most 60 bytes and without control characters. Returns `buffer`. */
static const char *found(const struct conf_node *node, char *buffer, size_t size) {
  static const int shown = 60;
  if (node->kind == CONF_LIST)
    snprintf(buffer, size, "a list");
  else if (node->kind == CONF_MAP)
    snprintf(buffer, size, "a mapping");
  else if (node->text[0] == '\0' && !node->quoted)
    snprintf(buffer, size, "nothing");
  else
    snprintf(buffer, size, "\"%.*s%s\"", shown, node->text, strlen(node->text) > (size_t)shown ? "..." : "");
  for (char *c = buffer; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
  return buffer;
}

static int unexpected(const struct conf_node *node, const char *expected, struct error *error) {
  char buffer[128];
  return conf_error(node, error, "found %s, expected %s", found(node, buffer, sizeof buffer), expected);
}

int conf_expect(const struct conf_node *node, enum conf_kind kind, struct error *error) {
  static const char *const names[] = {[CONF_SCALAR] = "one value", [CONF_LIST] = "a list", [CONF_MAP] = "a mapping"};
  return node->kind == kind ? 0 : unexpected(node, names[kind], error);
}

const struct conf_node *conf_get(const struct conf_node *map, const char *key) {
  if (map->kind != CONF_MAP)
    return NULL;
  for (size_t i = 0; i < map->count; i++)
    if (strcmp(map->items[i]->key, key) == 0)
      return map->items[i];
  return NULL;
}

const struct conf_node *conf_need(const struct conf_node *map, const char *key, struct error *error) {
  if (conf_expect(map, CONF_MAP, error) != 0)
    return NULL;
  const struct conf_node *node = conf_get(map, key);
  if (!node)
    error_at(error, ERROR_INPUT, map->file, map->line, map->column, key, "missing, expected in %s%s%s",
             map->key ? "\"" : "this mapping", map->key ? map->key : "", map->key ? "\"" : "");
  return node;
}

int conf_check_schema(const struct conf_node *map, const char *schema, const char *what, struct error *error) {
  const struct conf_node *node = conf_need(map, "schema", error);
  const char *stated;
  if (!node || conf_string(node, &stated, error) != 0)
    return -1;
  return strcmp(stated, schema) == 0 ? 0
                                     : conf_error(node, error, "found '%s', expected %s (%s)", stated, schema, what);
}

static void join(const char *const *words, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (; *words && used < size; words++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", *words);
}

int conf_check_keys(const struct conf_node *map, const char *const *allowed, struct error *error) {
  if (conf_expect(map, CONF_MAP, error) != 0)
    return -1;
  for (size_t i = 0; i < map->count; i++) {
    const struct conf_node *item = map->items[i];
    const char *const *known = allowed;
    while (*known && strcmp(*known, item->key) != 0)
      known++;
    if (*known)
      continue;
    char hint[1024];
    const char *nearest = text_nearest(item->key, allowed);
    if (nearest)
      snprintf(hint, sizeof hint, "did you mean \"%s\"?", nearest);
    else {
      int used = snprintf(hint, sizeof hint, "expected one of ");
      join(allowed, hint + used, sizeof hint - (size_t)used);
    }
    return error_at(error, ERROR_INPUT, map->file, item->key_line, item->key_column, item->key, "unknown key; %s",
                    hint);
  }
  return 0;
}

/* Writes the factor of a suffix. Returns 1 if `text` is not a suffix. */
static int suffix_factor(const char *text, int64_t *factor) {
  static const struct {
    const char *text;
    int64_t factor;
  } suffixes[] = {
      {"", 1},
      {"k", 1000},
      {"M", 1000000},
      {"G", 1000000000},
      {"Ki", INT64_C(1) << 10},
      {"Mi", INT64_C(1) << 20},
      {"Gi", INT64_C(1) << 30},
  };
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
    if (strcmp(text, suffixes[i].text) == 0) {
      *factor = suffixes[i].factor;
      return 0;
    }
  }
  return 1;
}

static bool plain_scalar(const struct conf_node *node) {
  return node->kind == CONF_SCALAR && !node->quoted && node->text[0] != '\0';
}

/* Returns whether the text begins with a digit behind an optional sign. strtoll alone would skip spaces. */
static bool begins_number(const char *text) {
  text += *text == '-' || *text == '+';
  return *text >= '0' && *text <= '9';
}

enum parsed { PARSED, NOT_A_NUMBER, TOO_LARGE };

static enum parsed parse_integer(const char *text, int64_t *out) {
  if (!begins_number(text))
    return NOT_A_NUMBER;
  const char *digits = text + (*text == '-' || *text == '+');
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, base);
  int64_t factor;
  if (suffix_factor(end, &factor) != 0 || (base == 16 && factor != 1))
    return NOT_A_NUMBER;
  if (errno == ERANGE || __builtin_mul_overflow((int64_t)value, factor, out))
    return TOO_LARGE;
  return PARSED;
}

int conf_int(const struct conf_node *node, int64_t minimum, int64_t maximum, int64_t *out, struct error *error) {
  int64_t value = 0;
  enum parsed parsed = plain_scalar(node) ? parse_integer(node->text, &value) : NOT_A_NUMBER;
  if (parsed == NOT_A_NUMBER)
    return unexpected(node, "a whole number (such as 64, 0x40, 16Ki, 1037M)", error);
  if (parsed == TOO_LARGE || value < minimum || value > maximum)
    return conf_error(node, error, "found %.40s, allowed %lld to %lld", node->text, (long long)minimum,
                      (long long)maximum);
  *out = value;
  return 0;
}

/* Returns whether the text is infinity or not-a-number as YAML 1.2 writes them. */
static bool is_not_finite(const char *text) {
  text += *text == '-' || *text == '+';
  return strcasecmp(text, ".nan") == 0 || strcasecmp(text, ".inf") == 0;
}

int conf_real(const struct conf_node *node, double minimum, double maximum, double *out, struct error *error) {
  static const char *const expected = "a number (such as 0.5, 16Ki, 1.037G)";
  if (plain_scalar(node) && is_not_finite(node->text))
    return conf_error(node, error, "found %.40s, allowed %.15g to %.15g", node->text, minimum, maximum);
  /* begins_number refuses "inf" and "nan"; a number may also begin with the point (".5") */
  if (!plain_scalar(node) || (!begins_number(node->text) && node->text[0] != '.'))
    return unexpected(node, expected, error);
  char *end;
  double value = strtod(node->text, &end);
  int64_t factor;
  if (end == node->text || suffix_factor(end, &factor) != 0)
    return unexpected(node, expected, error);
  value *= (double)factor;
  if (!(value >= minimum && value <= maximum))
    return conf_error(node, error, "found %.40s, allowed %.15g to %.15g", node->text, minimum, maximum);
  *out = value;
  return 0;
}

int conf_bool(const struct conf_node *node, bool *out, struct error *error) {
  bool yes = plain_scalar(node) && strcmp(node->text, "true") == 0;
  if (!yes && !(plain_scalar(node) && strcmp(node->text, "false") == 0))
    return unexpected(node, "true or false", error);
  *out = yes;
  return 0;
}

int conf_string(const struct conf_node *node, const char **out, struct error *error) {
  if (node->kind != CONF_SCALAR || (!node->quoted && node->text[0] == '\0'))
    return unexpected(node, "text", error);
  *out = node->text;
  return 0;
}

int conf_choice(const struct conf_node *node, const char *const *choices, int *out, struct error *error) {
  char expected[1024];
  int used = snprintf(expected, sizeof expected, "one of ");
  join(choices, expected + used, sizeof expected - (size_t)used);
  if (node->kind != CONF_SCALAR)
    return unexpected(node, expected, error);
  for (int i = 0; choices[i]; i++) {
    if (strcmp(choices[i], node->text) == 0) {
      *out = i;
      return 0;
    }
  }
  const char *nearest = text_nearest(node->text, choices);
  if (!nearest)
    return unexpected(node, expected, error);
  char buffer[128];
  return conf_error(node, error, "found %s, expected %s; did you mean \"%s\"?", found(node, buffer, sizeof buffer),
                    expected, nearest);
}
