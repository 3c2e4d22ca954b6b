#include "base/input/json_parse.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ran_out; /* any thread may set it; it is never cleared */
static _Thread_local jmp_buf *parsing;

static void *take_noting(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory)
    return memory;
  __atomic_store_n(&ran_out, true, __ATOMIC_RELAXED);
  if (parsing)
    longjmp(*parsing, 1);
  return NULL;
}

void json_watch_memory(void) {
  json_set_alloc_funcs(take_noting, free);
}

bool json_ran_out_of_memory(void) {
  return __atomic_load_n(&ran_out, __ATOMIC_RELAXED);
}

char *json_text(const json_t *value, size_t flags) {
  char *text = json_dumps(value, flags);
  if (text && json_ran_out_of_memory()) {
    free(text);
    text = NULL;
  }
  return text;
}

static const char no_memory[] = "out of memory";

struct source {
  const char *text; /* NULL: the stream */
  size_t length;
  FILE *stream;
};

static json_t *parse(const struct source *from, size_t flags, json_error_t *problem) {
  jmp_buf here;
  *problem = (json_error_t){.line = -1, .column = -1};
  if (setjmp(here)) {
    parsing = NULL;
    snprintf(problem->text, sizeof problem->text, "%s", no_memory);
    return NULL;
  }
  parsing = &here;
  json_t *document =
      from->text ? json_loadb(from->text, from->length, flags, problem) : json_loadf(from->stream, flags, problem);
  parsing = NULL;
  return document;
}

json_t *json_parse(const char *text, size_t length, size_t flags, json_error_t *problem) {
  return parse(&(struct source){.text = text, .length = length}, flags, problem);
}

json_t *json_parse_stream(FILE *stream, size_t flags, json_error_t *problem) {
  return parse(&(struct source){.stream = stream}, flags, problem);
}

/* jansson itself gives no words for it. */
bool json_problem_is_memory(const json_error_t *problem) {
  return !problem->text[0] || strcmp(problem->text, no_memory) == 0;
}
