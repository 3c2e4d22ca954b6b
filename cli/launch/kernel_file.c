#include "cli/launch/kernel_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/launch/launch_argument.h"

#define WANTED_ITEMS 64 /* of a work-group that nobody asked for */

bool kernel_file_is(const char *name) {
  const size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".cl") == 0;
}

int kernel_file_check_inputs(const struct kernel_file *k, const struct options *options, struct error *error) {
  const char *given = k->kernel                ? "--kernel"
                      : k->global              ? "--global"
                      : k->local               ? "--local"
                      : k->sub_group           ? "--sub-group"
                      : k->build_options       ? "--options"
                      : k->arguments.count > 0 ? "--arg"
                      : k->sizes.count > 0     ? "--sizes"
                      : k->vary.count > 0      ? "--vary"
                      : k->require.count > 0   ? "--require"
                                               : NULL;
  for (size_t i = 0; i < options->argument_count && given; i++)
    if (!kernel_file_is(options->arguments[i]))
      return error_set(error, ERROR_INPUT, "%s is for kernel files (*.cl) only; found \"%.200s\"", given,
                       options->arguments[i]);
  return 0;
}

int kernel_file_sizes(const char *option, const char *text, uint64_t sizes[3], struct error *error) {
  int count = 0;
  const char *at = text;
  sizes[0] = sizes[1] = sizes[2] = 1;
  while (count < 3) {
    char *end;
    at += strspn(at, " ");
    const unsigned long long size = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
    if (!isdigit((unsigned char)*at) || size == 0 || size > UINT32_MAX)
      break;
    sizes[count++] = size;
    end += strspn(end, " ");
    if (*end == '\0')
      return count;
    if (*end != ',' && *end != 'x')
      break;
    at = end + 1;
  }
  return error_set(error, ERROR_INPUT,
                   "--%s: found \"%.100s\", expected one to three whole numbers, such as 64, 64,64 or 64x64", option,
                   text);
}

/* Returns whether "a,b=..." begins with a list that holds the kernel. */
static bool lists_kernel(const char *text, const char *kernel) {
  const size_t length = strlen(kernel);
  for (const char *at = text;; at += strcspn(at, ",=") + 1) {
    const size_t here = strcspn(at, ",=");
    if (here == length && strncmp(at, kernel, length) == 0)
      return true;
    if (at[here] != ',')
      return false;
  }
}

int kernel_file_apply_sizes(struct kernel_file *launch, char storage[SIZES_TEXT_BYTES], struct error *error) {
  for (size_t i = 0; i < launch->sizes.count; i++) {
    const char *text = launch->sizes.items[i], *equals = strchr(text, '=');
    if (!equals || equals == text || strlen(equals + 1) >= SIZES_TEXT_BYTES)
      return error_set(error, ERROR_INPUT,
                       "--sizes: found \"%.200s\", expected kernels with their sizes, such as tiled=512x128/32x8",
                       text);
    if (!lists_kernel(text, launch->kernel))
      continue;
    snprintf(storage, SIZES_TEXT_BYTES, "%s", equals + 1);
    char *slash = strchr(storage, '/');
    launch->global = storage;
    if (slash) {
      *slash = '\0';
      launch->local = slash + 1;
    }
  }
  return 0;
}

int kernel_file_default_local(const char *global, char *text, size_t size, struct error *error) {
  uint64_t sizes[3], room = WANTED_ITEMS;
  const int count = kernel_file_sizes("global", global, sizes, error);
  size_t used = 0;
  for (int d = 0; d < count && used < size; d++) {
    uint64_t local = room;
    while (sizes[d] % local)
      local--;
    room /= local;
    used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, d > 0 ? "," : "", local);
  }
  return count > 0 ? 0 : -1;
}

static void put_name(const char *source, const char *suffix, FILE *out) {
  const char *slash = strrchr(source, '/');
  const char *name = slash ? slash + 1 : source;
  const size_t length = strcspn(name, ".");
  fputs(length > 0 ? "name: \"" : "name: \"kernel", out);
  for (size_t i = 0; i < length; i++)
    putc(isalnum((unsigned char)name[i]) ? name[i] : '-', out);
  fprintf(out, "%s\"\n", suffix ? suffix : "");
}

static int put_sizes(const char *option, const char *text, FILE *out, struct error *error) {
  uint64_t sizes[3];
  const int count = kernel_file_sizes(option, text, sizes, error);
  fprintf(out, "    %s: [", option);
  for (int i = 0; i < count; i++)
    fprintf(out, "%s%" PRIu64, i > 0 ? ", " : "", sizes[i]);
  fputs("]\n", out);
  return count > 0 ? 0 : -1;
}

#define GIVEN "  # --arg " /* stands before the option's text, behind what was made of it */

/* Ends a line that was made of an --arg, so that an error in the line can name it. */
static void put_given(const char *text, FILE *out) {
  fputs(GIVEN, out);
  launch_argument_put_quoted(text, out);
  fputs("\n", out);
}

static int put_buffers(const struct option_list *list, FILE *out, struct error *error) {
  bool any = false;
  for (size_t i = 0; i < list->count; i++) {
    struct launch_argument argument;
    if (launch_argument_parse(list->items[i], &argument, error) != 0)
      return -1;
    if (argument.is_buffer && !any)
      fputs("buffers:\n", out);
    any |= argument.is_buffer;
    launch_argument_put_buffer(&argument, i, out);
    if (argument.is_buffer)
      put_given(list->items[i], out);
  }
  return 0;
}

static int put_arguments(const struct option_list *list, FILE *out, struct error *error) {
  fputs(list->count > 0 ? "    args:\n" : "    args: []\n", out);
  for (size_t i = 0; i < list->count; i++) {
    struct launch_argument argument;
    if (launch_argument_parse(list->items[i], &argument, error) != 0)
      return -1;
    fputs("      - ", out);
    launch_argument_put(&argument, i, out);
    put_given(list->items[i], out);
  }
  return 0;
}

static void put_head(const struct kernel_file *kernel, const char *source, FILE *out) {
  fputs("schema: reassemble.workload/1\n", out);
  put_name(kernel->source, kernel->suffix, out);
  fputs("about: from the command line\nsource: ", out);
  launch_argument_put_quoted(source, out);
  fputs("\noptions: ", out);
  launch_argument_put_quoted(kernel->build_options ? kernel->build_options : "", out);
  fprintf(out, "\nseed: %llu\n", (unsigned long long)kernel->seed);
}

static int put_launch(const struct kernel_file *kernel, FILE *out, struct error *error) {
  fputs("launches:\n  - kernel: ", out);
  launch_argument_put_quoted(kernel->kernel, out);
  fputs("\n", out);
  if (put_sizes("global", kernel->global, out, error) != 0 || put_sizes("local", kernel->local, out, error) != 0)
    return -1;
  if (kernel->sub_group > 0)
    fprintf(out, "    sub_group: %" PRId64 "\n", kernel->sub_group);
  return put_arguments(&kernel->arguments, out, error);
}

int kernel_file_yaml(const struct kernel_file *kernel, char **out, struct error *error) {
  char source[PATH_MAX];
  if (!realpath(kernel->source, source))
    return error_at(error, ERROR_INPUT, kernel->source, 0, 0, "", "no such file");
  if (!kernel->kernel || !kernel->global || !kernel->local)
    return error_set(error, ERROR_INPUT, "%.200s: a kernel file needs --kernel, --global and --local", kernel->source);
  size_t size;
  FILE *text = text_stream_begin(out, &size);
  if (!text)
    return error_no_memory(error);
  put_head(kernel, source, text);
  int status = put_buffers(&kernel->arguments, text, error);
  if (status == 0)
    status = put_launch(kernel, text, error);
  if (!text_stream_end(text, out) && status == 0)
    status = error_no_memory(error);
  if (status != 0) {
    free(*out);
    *out = NULL;
  }
  return status;
}

/* Copies the line with this number, counted from 1. */
static void copy_line(const char *text, unsigned number, char *line, size_t size) {
  while (number-- > 1 && *text != '\0') {
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  snprintf(line, size, "%.*s", (int)strcspn(text, "\n"), text);
}

static bool begins_with_key(const char *text, const char *key) {
  return strncmp(text, key, strlen(key)) == 0 && strncmp(text + strlen(key), ": ", 2) == 0;
}

void kernel_file_blame_option(const char *text, struct error *error) {
  static const char *const options[] = {"global", "local", "groups", "sub_group", "options", "kernel", NULL};
  char line[2048];
  if (strcmp(error->file, KERNEL_FILE_TEXT) != 0 || !text)
    return;
  copy_line(text, error->line, line, sizeof line);
  const char *given = strstr(line, GIVEN), *key = line + strspn(line, " -");
  const bool counts = strcmp(error->key, "args") == 0; /* the launch has too few or too many */
  error->file[0] = error->key[0] = '\0';
  error->line = error->column = 0;
  if (given || counts)
    snprintf(error->key, sizeof error->key, "%.100s", given ? given + strspn(GIVEN, " #") : "--arg");
  for (size_t i = 0; options[i] && !given && !counts; i++)
    if (begins_with_key(error->text, options[i]) || begins_with_key(key, options[i])) {
      snprintf(error->key, sizeof error->key, strcmp(options[i], "sub_group") == 0 ? "--sub-group" : "--%s",
               options[i]);
      if (begins_with_key(error->text, options[i])) /* the message names it */
        memmove(error->text, error->text + strlen(options[i]) + 2, strlen(error->text) - strlen(options[i]) - 1);
      return;
    }
}
