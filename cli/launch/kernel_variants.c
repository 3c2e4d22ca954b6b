#include "cli/launch/kernel_variants.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/expression.h"
#include "base/input/template.h"
#include "base/text.h"

enum { NAMES_MOST = 16, WORD_BYTES = 64 };

struct value {
  char text[WORD_BYTES];
  bool whole;
  double number;
};

/* A name with the values that it takes. */
struct axis {
  char name[WORD_BYTES];
  struct value *values;
  size_t count;
};

struct axes {
  struct axis all[NAMES_MOST];
  size_t count;
  size_t chosen[NAMES_MOST]; /* number of the value in the present combination */
};

static const struct value *value_now(const struct axes *axes, size_t axis) {
  return &axes->all[axis].values[axes->chosen[axis]];
}

/* ---- reading --vary ---- */

/* Copies the word of `length` characters. Returns false where it is empty, too long, or holds a character that a macro,
 * its value or the name of a file cannot have. */
static bool copy_word(const char *text, size_t length, const char *others, char word[WORD_BYTES]) {
  if (length == 0 || length >= WORD_BYTES)
    return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && !strchr(others, text[i]))
      return false;
  memcpy(word, text, length);
  word[length] = '\0';
  return true;
}

static int not_understood(const char *text, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "--vary: found \"%.200s\", expected a name with values of letters, digits, \"_\", \".\" and \"-\", "
                   "such as TILE=8,16",
                   text);
}

static int read_values(struct axis *axis, const char *text, const char *list, struct error *error) {
  size_t most = 1;
  for (const char *at = list; *at != '\0'; at++)
    most += *at == ',';
  axis->values = calloc(most, sizeof *axis->values);
  if (!axis->values)
    return error_no_memory(error);
  for (const char *at = list; axis->count < most; axis->count++) {
    struct value *value = &axis->values[axis->count];
    const size_t length = strcspn(at, ",");
    char *end;
    if (!copy_word(at, length, "_.-", value->text))
      return not_understood(text, error);
    for (size_t i = 0; i < axis->count; i++)
      if (strcmp(axis->values[i].text, value->text) == 0)
        return error_set(error, ERROR_INPUT, "--vary: found %s=%s twice", axis->name, value->text);
    value->number = strtod(value->text, &end);
    value->whole = *end == '\0' && value->number == trunc(value->number);
    at += length + 1;
  }
  return 0;
}

static int read_axis(struct axes *axes, const char *text, struct error *error) {
  const size_t length = strcspn(text, "=");
  if (axes->count == NAMES_MOST)
    return error_set(error, ERROR_INPUT, "--vary: found more than %d names", NAMES_MOST);
  struct axis *axis = &axes->all[axes->count];
  *axis = (struct axis){.count = 0};
  if (text[length] != '=' || isdigit((unsigned char)*text) || !copy_word(text, length, "_", axis->name))
    return not_understood(text, error);
  for (size_t i = 0; i < axes->count; i++)
    if (strcmp(axes->all[i].name, axis->name) == 0)
      return error_set(error, ERROR_INPUT, "--vary: found the name \"%s\" twice", axis->name);
  axes->count++;
  return read_values(axis, text, text + length + 1, error);
}

static int read_axes(struct axes *axes, const struct option_list *list, struct error *error) {
  double all = 1;
  for (size_t i = 0; i < list->count; i++) {
    if (read_axis(axes, list->items[i], error) != 0)
      return -1;
    all *= (double)axes->all[i].count;
  }
  return all <= VARIANTS_MOST ? 0
                              : error_set(error, ERROR_INPUT, "--vary: found %.0f combinations, expected at most %d",
                                          all, VARIANTS_MOST);
}

/* Goes to the next combination. Returns false behind the last one. */
static bool advance(struct axes *axes) {
  for (size_t i = axes->count; i-- > 0;) {
    if (++axes->chosen[i] < axes->all[i].count)
      return true;
    axes->chosen[i] = 0;
  }
  return false;
}

/* ---- expressions ---- */

static int find_axis(const void *user, const char *name, size_t *index, struct error *error) {
  const struct axes *axes = user;
  const char *names[NAMES_MOST + 1] = {NULL};
  for (*index = 0; *index < axes->count; ++*index) {
    names[*index] = axes->all[*index].name;
    if (strcmp(names[*index], name) != 0)
      continue;
    const struct value *value = value_now(axes, *index);
    return value->whole ? 0
                        : error_set(error, ERROR_INPUT, "\"%s\" is %s, which is no whole number to compute with", name,
                                    value->text);
  }
  return error_set(error, ERROR_INPUT, "\"%s\" is no name of --vary%s", name, text_hint(name, names, "").text);
}

static double number_of(const void *user, size_t index) {
  return value_now(user, index)->number;
}

/* Puts the values of "${NAME}" in place. The caller frees; NULL: out of memory. */
static char *with_words(const struct axes *axes, const char *text) {
  char *out = NULL;
  size_t size;
  FILE *stream = text_stream_begin(&out, &size);
  if (!stream)
    return NULL;
  while (*text != '\0') {
    size_t taken = 0;
    for (size_t i = 0; i < axes->count && taken == 0; i++) {
      const size_t length = strlen(axes->all[i].name);
      if (strncmp(text, "${", 2) != 0 || strncmp(text + 2, axes->all[i].name, length) != 0 || text[2 + length] != '}')
        continue;
      fputs(value_now(axes, i)->text, stream);
      taken = length + 3;
    }
    if (taken == 0)
      putc(*text, stream);
    text += taken > 0 ? taken : 1;
  }
  return text_stream_end(stream, &out) ? out : NULL;
}

/* Writes the text with its values to *out, which the caller frees. NULL stays NULL. */
static int expand(const struct axes *axes, const char *option, const char *text, const char **out,
                  struct error *error) {
  const struct expression_names names = {"a name of --vary", find_axis, axes};
  struct error cause = ERROR_INIT;
  char *words, *all = NULL;
  *out = NULL;
  if (!text)
    return 0;
  words = with_words(axes, text);
  if (!words)
    return error_no_memory(error);
  const int status = template_text(words, &names, number_of, axes, &all, &cause);
  free(words);
  *out = all;
  if (status == 0 || cause.kind != ERROR_INPUT)
    return status == 0 ? 0 : error_set(error, cause.kind, "%s", cause.text);
  return error_set(error, ERROR_INPUT, "--%s \"%.200s\": %s%s", option, text, cause.text,
                   strstr(cause.text, "expected a whole number") ? "; --require leaves combinations out" : "");
}

/* Returns 1 where the present combination meets all conditions, 0 where it does not, -1 with an error. */
static int meets(const struct axes *axes, const struct option_list *conditions, struct error *error) {
  const struct expression_names names = {"a name of --vary", find_axis, axes};
  bool holds = true;
  for (size_t i = 0; i < conditions->count && holds; i++) {
    struct expression *condition;
    struct error cause = ERROR_INIT;
    char *words = with_words(axes, conditions->items[i]);
    if (!words)
      return error_no_memory(error);
    const int status = expression_compile(words, EXPRESSION_COMPARISON, &names, &condition, &cause);
    free(words);
    if (status != 0)
      return error_set(error, cause.kind, "--require \"%.200s\": %s", conditions->items[i], cause.text);
    holds = expression_value(condition, number_of, axes) != 0;
    expression_destroy(condition);
  }
  return holds;
}

/* ---- variants ---- */

/* Writes "OPTIONS -DTILE=8 -DT=float" to *out, which the caller frees. */
static int expand_build_options(const struct axes *axes, const char *given, const char **out, struct error *error) {
  const char *options;
  char *text = NULL;
  size_t size;
  if (expand(axes, "options", given, &options, error) != 0)
    return -1;
  FILE *stream = text_stream_begin(&text, &size);
  if (stream) {
    const bool any = options && options[0] != '\0';
    fputs(any ? options : "", stream);
    for (size_t i = 0; i < axes->count; i++)
      fprintf(stream, "%s-D%s=%s", any || i > 0 ? " " : "", axes->all[i].name, value_now(axes, i)->text);
  }
  free((char *)options);
  if (!stream || !text_stream_end(stream, &text))
    return error_no_memory(error);
  *out = text;
  return 0;
}

/* "+TILE8+Tfloat" */
static char *suffix_of(const struct axes *axes) {
  char *text = NULL;
  size_t size;
  FILE *out = text_stream_begin(&text, &size);
  if (!out)
    return NULL;
  for (size_t i = 0; i < axes->count; i++)
    fprintf(out, "+%s%s", axes->all[i].name, value_now(axes, i)->text);
  return text_stream_end(out, &text) ? text : NULL;
}

static int expand_list(const struct axes *axes, const char *option, const struct option_list *in,
                       struct option_list *out, struct error *error) {
  out->count = 0;
  out->items = calloc(in->count > 0 ? in->count : 1, sizeof *out->items);
  if (!out->items)
    return error_no_memory(error);
  for (; out->count < in->count; out->count++)
    if (expand(axes, option, in->items[out->count], &out->items[out->count], error) != 0)
      return -1;
  return 0;
}

static int make_variant(const struct axes *axes, const struct kernel_file *file, struct kernel_file *variant,
                        struct error *error) {
  variant->source = file->source;
  variant->kernel = file->kernel;
  variant->seed = file->seed;
  variant->sub_group = file->sub_group;
  variant->suffix = suffix_of(axes);
  if (!variant->suffix)
    return error_no_memory(error);
  const bool varied = axes->count > 0;
  return expand(axes, "global", file->global, &variant->global, error) != 0 ||
                 expand(axes, "local", file->local, &variant->local, error) != 0 ||
                 ((varied || file->build_options) &&
                  expand_build_options(axes, file->build_options, &variant->build_options, error) != 0) ||
                 expand_list(axes, "arg", &file->arguments, &variant->arguments, error) != 0 ||
                 expand_list(axes, "sizes", &file->sizes, &variant->sizes, error) != 0
             ? -1
             : 0;
}

static int make_all(struct axes *axes, const struct kernel_file *file, struct kernel_variants *out,
                    struct error *error) {
  size_t all = 1;
  for (size_t i = 0; i < axes->count; i++)
    all *= axes->all[i].count;
  out->items = calloc(all, sizeof *out->items);
  if (!out->items)
    return error_no_memory(error);
  do {
    const int holds = meets(axes, &file->require, error);
    if (holds < 0)
      return -1;
    if (holds > 0 && make_variant(axes, file, &out->items[out->count++], error) != 0)
      return -1;
  } while (advance(axes));
  return out->count > 0 ? 0
                        : error_set(error, ERROR_INPUT, "--require: no combination of %zu meets the condition%s", all,
                                    file->require.count > 1 ? "s" : "");
}

int kernel_variants_make(const struct kernel_file *file, struct kernel_variants **out, struct error *error) {
  struct axes axes = {.count = 0};
  *out = calloc(1, sizeof **out);
  int status = *out ? read_axes(&axes, &file->vary, error) : error_no_memory(error);
  if (status == 0)
    status = make_all(&axes, file, *out, error);
  for (size_t i = 0; i < axes.count; i++)
    free(axes.all[i].values);
  if (status != 0) {
    kernel_variants_destroy(*out);
    *out = NULL;
  }
  return status;
}

static void free_list(struct option_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free((char *)list->items[i]);
  free(list->items);
}

void kernel_variants_destroy(struct kernel_variants *variants) {
  for (size_t i = 0; variants && i < variants->count; i++) {
    struct kernel_file *variant = &variants->items[i];
    free((char *)variant->suffix);
    free((char *)variant->global);
    free((char *)variant->local);
    free((char *)variant->build_options);
    free_list(&variant->arguments);
    free_list(&variant->sizes);
  }
  if (variants)
    free(variants->items);
  free(variants);
}
