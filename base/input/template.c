#include "base/input/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LARGEST 9007199254740992.0 /* 2^53: doubles are exact up to there */

bool template_is(const char *text) {
  return strstr(text, "${") != NULL;
}

/* Writes the value of the expression of `length` characters at `text` as a whole number. */
static int put_value(FILE *out, const char *text, size_t length, const struct expression_names *names,
                     double (*value_of)(const void *user, size_t index), const void *user, struct error *error) {
  char copy[256];
  if (length >= sizeof copy)
    return error_set(error, ERROR_INPUT, "an expression has %zu characters; expected at most %zu", length,
                     sizeof copy - 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  struct expression *expression;
  if (expression_compile(copy, EXPRESSION_SUM, names, &expression, error) != 0)
    return -1;
  const double value = expression_value(expression, value_of, user);
  expression_destroy(expression);
  if (!(fabs(value) <= LARGEST) || value != trunc(value))
    return error_set(error, ERROR_INPUT, "%s is %g; expected a whole number", copy, value);
  fprintf(out, "%.0f", value);
  return 0;
}

int template_put(FILE *out, const char *text, const struct expression_names *names,
                 double (*value)(const void *user, size_t index), const void *user, struct error *error) {
  const char *at = text;
  for (const char *start; (start = strstr(at, "${")); at = strchr(start, '}') + 1) {
    const char *end = strchr(start, '}');
    fwrite(at, 1, (size_t)(start - at), out);
    if (!end)
      return error_set(error, ERROR_INPUT, "\"${\" is not closed; expected \"}\"");
    if (put_value(out, start + 2, (size_t)(end - start) - 2, names, value, user, error) != 0)
      return -1;
  }
  fputs(at, out);
  return 0;
}

int template_text(const char *text, const struct expression_names *names,
                  double (*value)(const void *user, size_t index), const void *user, char **out, struct error *error) {
  size_t length;
  *out = NULL;
  FILE *stream = text_stream_begin(out, &length);
  if (!stream)
    return error_no_memory(error);
  int status = template_put(stream, text, names, value, user, error);
  if (!text_stream_end(stream, out) && status == 0)
    status = error_no_memory(error);
  if (status != 0) {
    free(*out);
    *out = NULL;
  }
  return status;
}
