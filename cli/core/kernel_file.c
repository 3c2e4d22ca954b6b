#include "cli/core/kernel_file.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct argument {
  char type[32], count[32], value[512]; /* "" where the form has none */
};

static const char letters_and_digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static int form_error(const char *text, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "--arg \"%.200s\": expected TYPE[COUNT], TYPE[COUNT]=CONTENTS, TYPE=VALUE, local=BYTES, "
                   "image.ORDER.TYPE[WIDTH,HEIGHT]=CONTENTS or sampler=WORDS, for example float[4096]=uniform, int=64, "
                   "image.RGBA.unorm_int8[640,480]=uniform, sampler=clamp,linear",
                   text);
}

static bool consists_of(const char *text, const char *letters) {
  return text[strspn(text, letters)] == '\0';
}

/* Returns whether each item of the list is a number or a word: nothing that would mean more in YAML. */
static bool is_list(const char *text, size_t length) {
  size_t items = 0;
  for (const char *end = text + length; text <= end; items++) {
    const size_t item = strcspn(text, ",") < (size_t)(end - text) ? strcspn(text, ",") : (size_t)(end - text);
    const size_t before = strspn(text, " +-.");
    if (before >= item || strchr(letters_and_digits, text[before]) == NULL)
      return false;
    for (size_t i = before; i < item; i++)
      if (strchr(letters_and_digits, text[i]) == NULL && strchr("+-._ ", text[i]) == NULL)
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
  return open ? is_list(text + 1, length - 2) : is_list(text, length);
}

static bool copy_part(char *to, size_t size, const char *from, size_t length) {
  if (length == 0 || length >= size)
    return false;
  memcpy(to, from, length);
  to[length] = '\0';
  return true;
}

static bool is_image(const struct argument *a) {
  return strncmp(a->type, "image.", strlen("image.")) == 0;
}

static bool split(const char *text, struct argument *a) {
  *a = (struct argument){0};
  const size_t type = strcspn(text, "[=");
  if (!copy_part(a->type, sizeof a->type, text, type))
    return false;
  for (const char *c = a->type; *c; c++)
    if (!isalnum((unsigned char)*c) && !(is_image(a) && (*c == '.' || *c == '_')))
      return false;
  const char *rest = text + type;
  if (*rest == '[') {
    const char *close = strchr(rest, ']');
    if (close == NULL || !copy_part(a->count, sizeof a->count, rest + 1, (size_t)(close - rest - 1)) ||
        !consists_of(a->count, is_image(a) ? "0123456789," : "0123456789"))
      return false;
    rest = close + 1;
  }
  if (*rest == '=')
    return copy_part(a->value, sizeof a->value, rest + 1, strlen(rest + 1)) && is_value(a->value, a->count[0] != '\0');
  return *rest == '\0' && a->count[0] != '\0';
}

/* A text in double quotes as YAML reads it; line ends cannot be meant here. */
static void put_quoted(FILE *out, const char *text) {
  putc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      putc('\\', out);
    putc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  putc('"', out);
}

/* "image.RGBA.unorm_int8" */
static void put_image(FILE *out, const struct argument *a) {
  const char *order = a->type + strlen("image."), *dot = strchr(order, '.');
  const int length = dot != NULL ? (int)(dot - order) : (int)strlen(order);
  fprintf(out, "{image: [%s], order: \"%.*s\", type: \"%s\", ", a->count, length, order, dot != NULL ? dot + 1 : "");
}

/* The values that `uniform` takes: of an image's integers all, of everything else 0 to 1. */
static void put_range(FILE *out, const struct argument *a) {
  const char *name = is_image(a) ? strrchr(a->type, '.') + 1 : "";
  for (int type = 0; type < IMAGE_TYPE_COUNT; type++) {
    const enum scalar_type storage = image_storage((struct image_format){.type = (uint8_t)type});
    if (strcmp(name, image_type_name((enum image_type)type)) != 0 || scalar_type_is_float(storage))
      continue;
    const bool is_signed = storage == SCALAR_CHAR || storage == SCALAR_SHORT || storage == SCALAR_INT;
    const long long values = 1LL << (8 * scalar_type_bytes(storage)), low = is_signed ? -values / 2 : 0;
    fprintf(out, "low: %lld, high: %lld", low, low + values - 1);
    return;
  }
  fputs("low: 0, high: 1", out);
}

static void put_buffer(FILE *out, size_t index, const struct argument *a) {
  fprintf(out, "  arg%zu: ", index);
  if (is_image(a))
    put_image(out, a);
  else
    fprintf(out, "{type: %s, count: %s, ", a->type, a->count);
  if (a->value[0] == '\0' || strcmp(a->value, "zero") == 0)
    fputs("init: zero}\n", out);
  else if (strcmp(a->value, "index") == 0)
    fputs("init: index}\n", out);
  else if (strcmp(a->value, "uniform") == 0) {
    fputs("init: uniform, ", out);
    put_range(out, a);
    fputs("}\n", out);
  } else
    fprintf(out, "init: constant, low: %s}\n", a->value);
}

static int put_buffers(FILE *out, const struct option_list *list, struct error *error) {
  bool any = false;
  for (size_t i = 0; i < list->count; i++) {
    struct argument a;
    if (!split(list->items[i], &a))
      return form_error(list->items[i], error);
    if (a.count[0] == '\0')
      continue;
    if (!any)
      fputs("buffers:\n", out);
    any = true;
    put_buffer(out, i, &a);
  }
  return 0;
}

static void put_arguments(FILE *out, const struct option_list *list) {
  fputs("    args: [", out);
  for (size_t i = 0; i < list->count; i++) {
    struct argument a;
    split(list->items[i], &a);
    fputs(i > 0 ? ", " : "", out);
    if (a.count[0] != '\0')
      fprintf(out, "{%s: arg%zu}", is_image(&a) ? "image" : "buffer", i);
    else if (strcmp(a.type, "sampler") == 0)
      fprintf(out, "{sampler: [%s]}", a.value);
    else
      fprintf(out, "{%s: %s}", a.type, a.value);
  }
  fputs("]\n", out);
}

static void put_name(FILE *out, const char *source) {
  const char *slash = strrchr(source, '/');
  const char *name = slash != NULL ? slash + 1 : source;
  const size_t length = strcspn(name, ".");
  fputs(length > 0 ? "name: \"" : "name: \"kernel", out);
  for (size_t i = 0; i < length; i++)
    putc(isalnum((unsigned char)name[i]) ? name[i] : '-', out);
  fputs("\"\n", out);
}

static int check_sizes(const char *option, const char *text, struct error *error) {
  if (consists_of(text, "0123456789, ") && is_list(text, strlen(text)))
    return 0;
  return error_set(error, ERROR_INPUT,
                   "--%s: found \"%.100s\", expected one to three whole numbers, such as 64 or 64,64", option, text);
}

bool kernel_file_is(const char *name) {
  const size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".cl") == 0;
}

int kernel_file_yaml(const struct kernel_file *kernel, char **out, struct error *error) {
  char source[PATH_MAX];
  if (realpath(kernel->source, source) == NULL)
    return error_at(error, ERROR_INPUT, kernel->source, 0, 0, "", "no such file");
  if (kernel->kernel == NULL || kernel->global == NULL || kernel->local == NULL)
    return error_set(error, ERROR_INPUT, "%.200s: a kernel file needs --kernel, --global and --local", kernel->source);
  if (check_sizes("global", kernel->global, error) != 0 || check_sizes("local", kernel->local, error) != 0)
    return -1;
  size_t size;
  FILE *text = open_memstream(out, &size);
  if (text == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  fputs("schema: reassemble.workload/1\n", text);
  put_name(text, kernel->source);
  fputs("about: from the command line\nsource: ", text);
  put_quoted(text, source);
  fputs("\noptions: ", text);
  put_quoted(text, kernel->build_options != NULL ? kernel->build_options : "");
  fprintf(text, "\nseed: %llu\n", (unsigned long long)kernel->seed);
  int status = put_buffers(text, kernel->arguments, error);
  fputs("launches:\n  - kernel: ", text);
  put_quoted(text, kernel->kernel);
  fprintf(text, "\n    global: [%s]\n    local: [%s]\n", kernel->global, kernel->local);
  if (status == 0)
    put_arguments(text, kernel->arguments);
  if (fclose(text) != 0 && status == 0)
    status = error_set(error, ERROR_WORK, "out of memory");
  if (status != 0)
    free(*out);
  return status;
}
