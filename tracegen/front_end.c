#include "tracegen/front_end.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "trace/bytes.h"
#include "tracegen/compiler_process.h"
#include "tracegen/phases.h"

#define MAX_SOURCE_BYTES  ((size_t)64 << 20)
#define MAX_BITCODE_BYTES ((size_t)256 << 20)
#define MAX_OPTIONS       512

/* Copies the next word of *text to *out (quotes and backslashes as in a shell), NUL-terminated. */
static bool next_word(const char **text, char **out) {
  const char *t = *text;
  while (*t == ' ' || *t == '\t' || *t == '\n')
    t++;
  if (!*t)
    return false;
  char quote = 0;
  for (; *t && (quote || (*t != ' ' && *t != '\t' && *t != '\n')); t++) {
    if (quote ? *t == quote : *t == '"' || *t == '\'')
      quote = quote ? 0 : *t;
    else {
      if (*t == '\\' && quote != '\'' && t[1])
        t++;
      *(*out)++ = *t;
    }
  }
  *(*out)++ = 0;
  *text = t;
  return true;
}

/* OpenCL 1.2, 5.6.4: the options of clBuildProgram. Anything else (plug-ins, outputs, ...) never reaches clang. */
static bool is_opencl_option(const char *word, bool *takes_next) {
  *takes_next = strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0;
  return *takes_next || strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-cl-", 4) == 0 ||
         strcmp(word, "-w") == 0 || strcmp(word, "-Werror") == 0;
}

int front_end_options(const char *options, char ***words, size_t *count, struct error *error) {
  const size_t length = strlen(options);
  char **list = malloc((MAX_OPTIONS + 1) * sizeof *list + length + 2);
  if (!list)
    return error_set(error, ERROR_WORK, "out of memory");
  char *out = (char *)(list + MAX_OPTIONS + 1);
  const char *start = out;
  bool takes_next = false;
  *count = 0;
  while (next_word(&options, &out)) {
    if (*count == MAX_OPTIONS) {
      free(list);
      return error_set(error, ERROR_INPUT, "more than %d build options", MAX_OPTIONS);
    }
    list[(*count)++] = (char *)start;
    if (takes_next)
      takes_next = false;
    else if (!is_opencl_option(start, &takes_next)) {
      error_at(error, ERROR_INPUT, NULL, 0, 0, "options",
               "build option \"%s\" is not supported; expected -D, -I, -cl-..., -w or -Werror (OpenCL 1.2, section "
               "5.6.4)",
               start);
      free(list);
      return -1;
    }
    start = out;
  }
  list[*count] = NULL;
  if (takes_next) {
    error_set(error, ERROR_INPUT, "build option \"%s\" lacks its value", list[*count - 1]);
    free(list);
    return -1;
  }
  *words = list;
  return 0;
}

static bool has_option(char **words, size_t count, const char *start) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(words[i], start, strlen(start)) == 0)
      return true;
  return false;
}

/* PoCL does not contract a*b+c unless the program allows it; the same here, so that results agree bit by bit. */
static const char *contraction(char **words, size_t count) {
  const bool fast = has_option(words, count, "-cl-fast-relaxed-math");
  const bool mad = has_option(words, count, "-cl-mad-enable") || has_option(words, count, "-cl-unsafe-math");
  return fast ? "-ffp-contract=fast" : mad ? "-ffp-contract=on" : "-ffp-contract=off";
}

/* Appends a word in quotes, as the compiler takes response files apart. */
static bool put_word(struct bytes *b, const char *word) {
  bytes_append(b, "\"", 1);
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      bytes_append(b, "\\", 1);
    bytes_append(b, word, 1);
  }
  bytes_append(b, "\"\n", 2);
  return !b->failed;
}

/* The words of a response file. Options of two words become one: no word may begin with '@', which would name another
 * response file. */
static bool put_arguments(struct bytes *b, const char *const *fixed, size_t fixed_count, char **words, size_t count,
                          const char *source) {
  for (size_t i = 0; i < fixed_count; i++)
    put_word(b, fixed[i]);
  for (size_t i = 0; i < count; i++) {
    const bool takes_next = strcmp(words[i], "-D") == 0 || strcmp(words[i], "-I") == 0;
    char *joined = takes_next ? text_format("%s%s", words[i], words[i + 1]) : NULL;
    if (takes_next && !joined)
      return false;
    put_word(b, takes_next ? joined : words[i]);
    free(joined);
    i += takes_next;
  }
  char *path = text_format("%s%s", source[0] == '-' || source[0] == '@' ? "./" : "", source);
  const bool ok = path && put_word(b, path);
  free(path);
  bytes_append(b, "", 1);
  return ok && !b->failed;
}

int front_end_begin(const char *source, const char *options, struct error *error) {
  char **words, *text;
  size_t word_count, text_length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &text_length, error)) /* a clear message for what clang cannot read */
    return -1;
  free(text);
  if (front_end_options(options, &words, &word_count, error))
    return -1;
  /* clang-format off */
  const char *const fixed[] = {
    "-x", "cl", "-target", "spir64",
    "-Xclang", "-finclude-default-header",
#if REASSEMBLE_LLVM_MAJOR < 17
    "-Xclang", "-opaque-pointers",
#endif
    /* O2 without its passes: functions stay free of `optnone`; the passes run in lower.c. */
    "-O2",
    "-Xclang", "-disable-llvm-passes",
    "-fno-builtin",
    "-fno-discard-value-names", /* messages and the listing in a trace name values as the source does */
    "-cl-kernel-arg-info",
    "-gline-tables-only",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-emit-llvm", "-c", "-o", "-",
    has_option(words, word_count, "-cl-std=") ? "-Wno-unused-command-line-argument" : "-cl-std=CL1.2",
    contraction(words, word_count)
  };
  /* clang-format on */
  struct bytes response = {0};
  const int status = put_arguments(&response, fixed, sizeof fixed / sizeof *fixed, words, word_count, source)
                         ? compiler_begin((const char *)response.data, error)
                         : error_set(error, ERROR_WORK, "out of memory");
  bytes_clear(&response);
  free(words);
  return status;
}

int front_end_finish(const char *source, char **bitcode, size_t *length, struct error *error) {
  struct compiler_bytes out = {.limit = MAX_BITCODE_BYTES};
  phase_mark(NULL);
  const int status = compiler_finish(source, &out, error);
  phase_mark("waiting for clang");
  if (status) {
    free(out.data);
    return -1;
  }
  *bitcode = out.data;
  *length = out.length;
  return 0;
}

int front_end_compile(const char *source, const char *options, char **bitcode, size_t *length, struct error *error) {
  return front_end_begin(source, options, error) || front_end_finish(source, bitcode, length, error) ? -1 : 0;
}
