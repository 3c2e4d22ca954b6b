#include "tracegen/front/front_end.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "trace/format/bytes.h"
#include "tracegen/front/clang/clang_arguments.h"
#include "tracegen/front/clang/compiler_process.h"
#include "tracegen/front/clang/lone_source.h"
#include "tracegen/abi/phases.h"

#define MAX_SOURCE_BYTES  ((size_t)64 << 20)
#define MAX_BITCODE_BYTES ((size_t)256 << 20)

/* What clang is told of a source in a file, and of one that comes through its standard input. */
struct told {
  struct bytes arguments;      /* of the former */
  struct bytes common, stream; /* of the latter: arguments, and what it reads */
  bool can_stream;
};

/* Expected is a source like the one before, at first one without options. After two that were not alike nothing is,
 * until two are. */
static struct {
  struct bytes arguments; /* of the source before, without its definitions; no data: there was none */
  struct bytes given;     /* to the compiler that waits; no data: nothing */
  bool changes;
} expected;

/* Should what comes through standard input fail: the arguments with the file's name; no data: there is none. */
static struct bytes otherwise;

static void move(struct bytes *to, struct bytes *from) {
  bytes_clear(to);
  *to = *from;
  *from = (struct bytes){0};
}

static bool are_equal(const struct bytes *a, const struct bytes *b) {
  return a->data && b->data && strcmp((const char *)a->data, (const char *)b->data) == 0;
}

static int make_common(const char *options, struct bytes *out, struct error *error) {
  char **words;
  size_t count;
  if (clang_options_split(options, &words, &count, error))
    return -1;
  clang_stream_arguments(words, count, out);
  free(words);
  return out->failed ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

void front_end_expect(void) {
  struct error later = ERROR_INIT;
  if (compiler_waits())
    return;
  bytes_clear(&expected.given);
  if (expected.arguments.data)
    bytes_append(&expected.given, expected.arguments.data, expected.arguments.length);
  else
    make_common("", &expected.given, &later);
  if (expected.changes || expected.given.failed)
    bytes_clear(&expected.given);
  compiler_expect((const char *)expected.given.data);
}

/* Whether the source can come through a pipe, and what clang is told then. */
static bool can_come_alone(const char *source, const char *options, struct bytes *common) {
  struct error ignored = ERROR_INIT;
  char *text;
  size_t length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, &ignored))
    return false;
  const bool alone = lone_source_is(text, length) && make_common(options, common, &ignored) == 0;
  free(text);
  return alone;
}

void front_end_remember(const char *source, const char *options) {
  struct bytes common = {0};
  const bool alone = can_come_alone(source, options, &common);
  expected.changes = !alone || (expected.arguments.data && !are_equal(&common, &expected.arguments));
  if (alone)
    move(&expected.arguments, &common);
  bytes_clear(&common);
}

void front_end_correct(const char *source, const char *options) {
  struct bytes common = {0};
  if (compiler_awaits_source() && !(can_come_alone(source, options, &common) && are_equal(&common, &expected.given))) {
    compiler_dismiss();
    bytes_clear(&expected.given);
    compiler_expect(NULL);
  }
  bytes_clear(&common);
}

static void clear_told(struct told *t) {
  bytes_clear(&t->arguments);
  bytes_clear(&t->common);
  bytes_clear(&t->stream);
}

static int tell(const char *source, const char *options, const char *text, size_t length, struct told *t,
                struct error *error) {
  char **words;
  size_t count;
  if (clang_options_split(options, &words, &count, error))
    return -1;
  clang_arguments(words, count, source, &t->arguments);
  clang_stream_arguments(words, count, &t->common);
  t->can_stream = lone_source_is(text, length) && lone_source_is(options, strlen(options)) &&
                  clang_prelude(words, count, &t->stream);
  lone_source_stream(source, text, length, &t->stream);
  free(words);
  return t->arguments.failed || t->common.failed || t->stream.failed ? error_set(error, ERROR_WORK, "out of memory")
                                                                     : 0;
}

int front_end_begin(const char *source, const char *options, struct error *error) {
  struct told t = {0};
  char *text;
  size_t length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, error)) /* a clear message for what clang cannot read */
    return -1;
  int status = tell(source, options, text, length, &t, error);
  free(text);
  bytes_clear(&otherwise);
  if (!status && t.can_stream && compiler_awaits_source() && are_equal(&t.common, &expected.given)) {
    compiler_begin_source((const char *)t.stream.data, t.stream.length);
    move(&otherwise, &t.arguments);
  } else if (!status)
    status = compiler_begin((const char *)t.arguments.data, error);
  clear_told(&t);
  return status;
}

/* What does not compile as it came through standard input is compiled from its file, for the messages. */
static int finish(const char *source, struct compiler_bytes *out, struct error *error) {
  struct error first = ERROR_INIT;
  struct bytes again = {0};
  move(&again, &otherwise);
  int status = compiler_finish(source, out, again.data ? &first : error);
  if (status && first.kind == ERROR_INPUT) {
    out->length = 0;
    out->overflow = false;
    status = compiler_begin((const char *)again.data, error) || compiler_finish(source, out, error) ? -1 : 0;
  } else if (status && again.data && error)
    *error = first;
  bytes_clear(&again);
  return status;
}

int front_end_finish(const char *source, char **bitcode, size_t *length, struct error *error) {
  struct compiler_bytes out = {.limit = MAX_BITCODE_BYTES};
  phase_mark(NULL);
  const int status = finish(source, &out, error);
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
