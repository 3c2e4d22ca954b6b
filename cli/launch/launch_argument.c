#include "cli/launch/launch_argument.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input/expression.h"
#include "base/text.h"
#include "workload/image_format.h"
#include "workload/scalar_type.h"

/* Contents that are a word. */
static const char *const contents_words[] = {"zero", "index", "none", "uniform", NULL};

static const char letters_and_digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* `why` says what is wrong with a part of the text; "": it is not known. */
static int form_error(const char *text, const char *why, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "--arg \"%.200s\": %.200s%sexpected TYPE[COUNT], TYPE[COUNT]=CONTENTS, TYPE=VALUE, local=BYTES, "
                   "image.ORDER.TYPE[SIZES]=CONTENTS or sampler=WORDS, NAME= before it or not, for example "
                   "float[64*64]=uniform(0,2), float[]=@a.npy, n=int=64, image.RGBA.unorm_int8[640,480]=uniform, "
                   "sampler=clamp,linear",
                   text, why, why[0] != '\0' ? "; " : "");
}

static bool consists_of(const char *text, const char *letters) {
  return text[strspn(text, letters)] == '\0';
}

bool launch_argument_is_list(const char *text, size_t length) {
  size_t items = 0;
  for (const char *end = text + length; text <= end; items++) {
    const size_t item = strcspn(text, ",") < (size_t)(end - text) ? strcspn(text, ",") : (size_t)(end - text);
    const size_t before = strspn(text, " +-.");
    if (before >= item || !strchr(letters_and_digits, text[before]))
      return false;
    for (size_t i = before; i < item; i++)
      if (!strchr(letters_and_digits, text[i]) && !strchr("+-._ ", text[i]))
        return false;
    text += item + 1;
  }
  return items > 0;
}

/* One item or, of a scalar, a list of them, in brackets or not. */
static bool is_value(const char *text, bool one) {
  const size_t length = strlen(text);
  const bool open = text[0] == '[', closed = length > 0 && text[length - 1] == ']';
  if (open != closed || (one && strpbrk(text, ",[") != NULL))
    return false;
  return open ? launch_argument_is_list(text + 1, length - 2) : launch_argument_is_list(text, length);
}

/* Returns whether the text is "uniform(LOW,HIGH)". */
static bool is_range(const char *text) {
  const size_t length = strlen(text), before = strlen("uniform(");
  return strncmp(text, "uniform(", before) == 0 && text[length - 1] == ')' &&
         launch_argument_is_list(text + before, length - before - 1) && strchr(text, ',') == strrchr(text, ',') &&
         strchr(text, ',');
}

static bool is_contents(const char *text) {
  return (text[0] == '@' && text[1] != '\0') || is_range(text) || is_value(text, true);
}

/* Letters alone that are no contents: most likely a slip in a word. */
static int check_word(const char *text, const struct launch_argument *a, struct error *error) {
  static const char *const numbers[] = {"inf", "infinity", "nan", "true", "false", NULL};
  bool known = !a->is_buffer || !isalpha((unsigned char)a->value[0]) || strchr(a->value, '(');
  for (size_t i = 0; !known && contents_words[i]; i++)
    known = strcmp(a->value, contents_words[i]) == 0;
  for (size_t i = 0; !known && numbers[i]; i++)
    known = strcasecmp(a->value, numbers[i]) == 0;
  if (known)
    return 0;
  const bool file = strpbrk(a->value, "./");
  const char *nearest = file ? a->value : text_nearest(a->value, contents_words);
  return error_set(error, ERROR_INPUT,
                   "--arg \"%.200s\": found the contents \"%.60s\", expected zero, index, none, uniform, "
                   "uniform(LOW,HIGH), a number or @FILE%s%s%.60s%s",
                   text, a->value, nearest ? "; did you mean \"" : "", file ? "@" : "", nearest ? nearest : "",
                   nearest ? "\"?" : "");
}

static bool copy_part(char *to, size_t size, const char *from, size_t length) {
  if (length == 0 || length >= size)
    return false;
  memcpy(to, from, length);
  to[length] = '\0';
  return true;
}

static bool is_image(const struct launch_argument *a) {
  return strncmp(a->type, "image.", strlen("image.")) == 0;
}

/* ---- NAME= ---- */

/* Returns whether the word begins an argument without a name: a type, with the number of its elements or not. */
static bool is_type(const char *word, size_t length) {
  static const char *const others[] = {"local", "sampler", "image", NULL};
  while (length > 0 && isdigit((unsigned char)word[length - 1]))
    length--;
  for (int t = 0; t < SCALAR_COUNT; t++) {
    const char *name = scalar_type_name((enum scalar_type)t);
    if (strlen(name) == length && strncmp(word, name, length) == 0)
      return true;
  }
  for (int i = 0; others[i]; i++)
    if (strlen(others[i]) == length && strncmp(word, others[i], length) == 0)
      return true;
  return false;
}

/* Copies the name, if there is one. Returns the text behind it. */
static const char *take_name(const char *text, struct launch_argument *a) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_')
    length++;
  if (text[length] != '=' || is_type(text, length) || isdigit((unsigned char)text[0]) ||
      !copy_part(a->name, sizeof a->name, text, length))
    return text;
  return text + length + 1;
}

/* ---- COUNT ---- */

static int no_name(const void *user, const char *name, size_t *index, struct error *error) {
  (void)user;
  (void)index;
  return error_set(error, ERROR_INPUT, "\"%.60s\" is not a number", name);
}

static double no_value(const void *user, size_t index) {
  (void)user;
  (void)index;
  return 0;
}

/* Replaces arithmetic by its value, a whole number. Returns false for what has none, with the reason in *found. */
static bool evaluate(char *text, size_t size, struct error *found) {
  static const struct expression_names names = {"a number", no_name, NULL};
  struct expression *expression;
  if (expression_compile(text, EXPRESSION_SUM, &names, &expression, found) != 0)
    return false;
  const double value = expression_value(expression, no_value, NULL);
  expression_destroy(expression);
  if (!(value >= 0 && value <= 1e15) || value != floor(value)) {
    error_set(found, ERROR_INPUT, "%.60s is %g, which is not a whole number from 0 to 1e15", text, value);
    return false;
  }
  snprintf(text, size, "%" PRIu64, (uint64_t)value);
  return true;
}

static bool split_count(const char **rest, struct launch_argument *a, struct error *found) {
  const char *close = strchr(*rest, ']');
  if (!close)
    return false;
  a->is_buffer = true;
  const size_t length = (size_t)(close - *rest - 1);
  if (length > 0 && !copy_part(a->count, sizeof a->count, *rest + 1, length))
    return false;
  *rest = close + 1;
  if (is_image(a))
    return length > 0 && consists_of(a->count, "0123456789,");
  return length == 0 ? strncmp(*rest, "=@", 2) == 0 : evaluate(a->count, sizeof a->count, found);
}

static bool split_value(const char *rest, struct launch_argument *a, struct error *found) {
  if (*rest == '\0')
    return a->is_buffer;
  if (*rest != '=' || !copy_part(a->value, sizeof a->value, rest + 1, strlen(rest + 1)))
    return false;
  if (strcmp(a->type, "local") == 0)
    return !a->is_buffer && evaluate(a->value, sizeof a->value, found);
  return a->is_buffer ? is_contents(a->value) && !(is_image(a) && a->value[0] == '@') : is_value(a->value, false);
}

int launch_argument_parse(const char *text, struct launch_argument *a, struct error *error) {
  *a = (struct launch_argument){0};
  struct error found = ERROR_INIT;
  const char *rest = take_name(text, a);
  const size_t type = strcspn(rest, "[=");
  bool right = copy_part(a->type, sizeof a->type, rest, type);
  for (const char *c = a->type; right && *c; c++)
    right = isalnum((unsigned char)*c) || (is_image(a) && (*c == '.' || *c == '_'));
  rest += type;
  right = right && (*rest != '[' || split_count(&rest, a, &found)) && split_value(rest, a, &found);
  if (found.kind == ERROR_WORK) /* no memory: the text may be good */
    return error_set(error, ERROR_WORK, "--arg \"%.200s\": %s", text, found.text);
  return right ? check_word(text, a, error) : form_error(text, found.text, error);
}

/* ---- as text of a workload's file ---- */

void launch_argument_put_quoted(const char *text, FILE *out) {
  putc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      putc('\\', out);
    putc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  putc('"', out);
}

static void put_name(const struct launch_argument *a, size_t index, FILE *out) {
  if (a->name[0] != '\0')
    fputs(a->name, out);
  else
    fprintf(out, "arg%zu", index);
}

/* Returns where the type stands in "image.RGBA.unorm_int8.2d_array", and its length. */
static const char *image_type(const struct launch_argument *a, size_t *length) {
  const char *order = a->type + strlen("image."), *dot = strchr(order, '.');
  *length = dot ? strcspn(dot + 1, ".") : 0;
  return dot ? dot + 1 : "";
}

static void put_image(const struct launch_argument *a, FILE *out) {
  const char *order = a->type + strlen("image.");
  size_t length;
  const char *type = image_type(a, &length);
  fprintf(out, "{image: [%s], order: \"%.*s\", type: \"%.*s\", ", a->count, (int)strcspn(order, "."), order,
          (int)length, type);
  if (type[length] == '.')
    fprintf(out, "kind: \"%s\", ", type + length + 1);
}

/* The values that `uniform` takes: of an image's integers all, of everything else 0 to 1. */
static void put_range(const struct launch_argument *a, FILE *out) {
  size_t length = 0;
  const char *name = is_image(a) ? image_type(a, &length) : "";
  for (int type = 0; type < IMAGE_TYPE_COUNT; type++) {
    const enum scalar_type storage = image_storage((struct image_format){.type = (uint8_t)type});
    const char *known = image_type_name((enum image_type)type);
    if (strlen(known) != length || strncmp(name, known, length) != 0 || scalar_type_is_float(storage))
      continue;
    const bool is_signed = storage == SCALAR_CHAR || storage == SCALAR_SHORT || storage == SCALAR_INT;
    const long long values = 1LL << (8 * scalar_type_bytes(storage)), low = is_signed ? -values / 2 : 0;
    fprintf(out, "low: %lld, high: %lld", low, low + values - 1);
    return;
  }
  fputs("low: 0, high: 1", out);
}

static void put_uniform(const struct launch_argument *a, FILE *out) {
  const char *low = strchr(a->value, '('), *comma = strchr(a->value, ',');
  fputs("init: uniform, ", out);
  if (!low)
    put_range(a, out);
  else
    fprintf(out, "low: %.*s, high: %.*s", (int)(comma - low - 1), low + 1, (int)strcspn(comma + 1, ")"), comma + 1);
}

static void put_contents(const struct launch_argument *a, FILE *out) {
  for (int i = 0; contents_words[i]; i++)
    if (strcmp(a->value, contents_words[i]) == 0 && strcmp(a->value, "uniform") != 0) {
      fprintf(out, "init: %s", contents_words[i]);
      return;
    }
  if (a->value[0] == '\0') {
    fputs("init: zero", out);
  } else if (a->value[0] == '@') {
    fputs("file: ", out);
    launch_argument_put_quoted(a->value + 1, out);
  } else if (strncmp(a->value, "uniform", strlen("uniform")) == 0) {
    put_uniform(a, out);
  } else {
    fprintf(out, "init: constant, low: %s", a->value);
  }
}

void launch_argument_put_buffer(const struct launch_argument *a, size_t index, FILE *out) {
  if (!a->is_buffer)
    return;
  fputs("  ", out);
  put_name(a, index, out);
  fputs(": ", out);
  if (is_image(a))
    put_image(a, out);
  else
    fprintf(out, "{type: %s, ", a->type);
  if (!is_image(a) && a->count[0] != '\0')
    fprintf(out, "count: %s, ", a->count);
  put_contents(a, out);
  fputs("}", out);
}

void launch_argument_put(const struct launch_argument *a, size_t index, FILE *out) {
  if (a->is_buffer) {
    fputs(is_image(a) ? "{image: " : "{buffer: ", out);
    put_name(a, index, out);
    fputs("}", out);
  } else if (strcmp(a->type, "sampler") == 0) {
    fprintf(out, "{sampler: [%s]}", a->value);
  } else {
    const bool list = strchr(a->value, ',') && a->value[0] != '[';
    fprintf(out, list ? "{%s: [%s]}" : "{%s: %s}", a->type, a->value);
  }
}
