#include "tracegen/front/opencl_options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 512

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

/* OpenCL 1.2, section 5.6.4; and clang's option that does for a whole program what FP_CONTRACT does for a scope. */
static bool is_opencl_option(const char *word, bool *takes_next) {
  *takes_next = strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0;
  return *takes_next || strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-cl-", 4) == 0 ||
         strcmp(word, "-w") == 0 || strcmp(word, "-Werror") == 0 || strcmp(word, "-ffp-contract=off") == 0;
}

int opencl_options_split(const char *options, char ***words, size_t *count, struct error *error) {
  const size_t length = strlen(options);
  char **list = malloc((MAX_OPTIONS + 1) * sizeof *list + length + 2);
  if (!list)
    return error_no_memory(error);
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
    else if (strcmp(start, "-g") == 0) /* most implementations take it; there are lines for messages without it */
      --*count;
    else if (!is_opencl_option(start, &takes_next)) {
      error_at(error, ERROR_INPUT, NULL, 0, 0, "options",
               "build option \"%s\" is not supported; expected -D, -I, -cl-..., -w, -Werror (OpenCL 1.2, section "
               "5.6.4), -g or -ffp-contract=off",
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
