#include "tracegen/front/clang/clang_front_end.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "tracegen/abi/kept_file.h"
#include "trace/format/bytes.h"
#include "tracegen/abi/phases.h"
#include "tracegen/front/clang/clang_arguments.h"
#include "tracegen/front/clang/compiler_process.h"
#include "tracegen/front/clang/lone_source.h"
#include "tracegen/front/opencl_options.h"

#define KIND              "bitcode" /* of what is kept (tracegen/abi/kept_file.h) */
#define MAX_SOURCE_BYTES  ((size_t)64 << 20)
#define MAX_BITCODE_BYTES ((size_t)256 << 20)

/* Clang's input for a source, in both ways of giving it. */
struct compiler_input {
  struct bytes arguments;      /* for a source in a file */
  struct bytes common, stream; /* for a source through standard input: the arguments, and the text to send */
  bool can_stream;
  struct bytes folders; /* in which a source in a file may include others (confine_compiler.h) */
  struct bytes key;     /* of its bitcode, which is kept on disk (tracegen/abi/kept_file.h); no data: it is not */
};

/* The input that the next source is expected to need. The arguments are those of clang_stream_arguments. */
static struct {
  struct bytes arguments; /* of the source before; no data: there was none */
  struct bytes given;     /* to the compiler that waits; no data: it has none */
  struct bytes folders;   /* of the source before, or the one that was announced; no data: not known */
  bool changes;           /* the last two sources had different arguments */
} expected;

/* The arguments for the file of the source that was sent through standard input; no data: it was not sent so. */
static struct bytes file_arguments, file_folders;

/* The key of the bitcode that clang makes; no data: it is not kept. And what was found in place of it. */
static struct bytes begun_key;
static struct kept_data found;

static void move_bytes(struct bytes *to, struct bytes *from) {
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
  if (opencl_options_split(options, &words, &count, error))
    return -1;
  clang_stream_arguments(words, count, out);
  free(words);
  return out->failed ? error_no_memory(error) : 0;
}

void clang_expect(void) {
  struct error ignored = ERROR_INIT;
  if (compiler_waits())
    return;
  bytes_clear(&expected.given);
  if (expected.arguments.data)
    bytes_append(&expected.given, expected.arguments.data, expected.arguments.length);
  else
    make_common("", &expected.given, &ignored);
  if (expected.changes || expected.given.failed)
    bytes_clear(&expected.given);
  compiler_expect((const char *)expected.given.data, (const char *)expected.folders.data);
}

/* Returns whether clang can read the source through a pipe; *common becomes its arguments then. */
static bool can_stream(const char *source, const char *options, struct bytes *common) {
  struct error ignored = ERROR_INIT;
  char *text;
  size_t length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, &ignored))
    return false;
  const bool can = lone_source_is(text, length) && make_common(options, common, &ignored) == 0;
  free(text);
  return can;
}

static void note_folders(const char *source, const char *options) {
  struct error ignored = ERROR_INIT;
  char **words;
  size_t count;
  bytes_clear(&expected.folders);
  if (opencl_options_split(options, &words, &count, &ignored))
    return;
  clang_folders(words, count, source, &expected.folders);
  free(words);
  if (expected.folders.failed)
    bytes_clear(&expected.folders);
}

void clang_remember(const char *source, const char *options) {
  struct bytes common = {0};
  note_folders(source, options);
  const bool can = can_stream(source, options, &common);
  expected.changes = !can || (expected.arguments.data && !are_equal(&common, &expected.arguments));
  if (can)
    move_bytes(&expected.arguments, &common);
  bytes_clear(&common);
}

void clang_correct(const char *source, const char *options) {
  struct bytes common = {0};
  note_folders(source, options);
  const char *folders = (const char *)expected.folders.data;
  const bool fits = compiler_awaits_source()
                        ? can_stream(source, options, &common) && are_equal(&common, &expected.given)
                        : compiler_waits_for(folders);
  if (compiler_waits() && !fits) {
    compiler_dismiss();
    bytes_clear(&expected.given);
    compiler_expect(NULL, folders);
  }
  bytes_clear(&common);
}

static void clear_input(struct compiler_input *input) {
  bytes_clear(&input->arguments);
  bytes_clear(&input->common);
  bytes_clear(&input->stream);
  bytes_clear(&input->folders);
  bytes_clear(&input->key);
}

/* Returns whether the bitcode may depend on the name of the source's file, or on the day. */
static bool asks_for_more(const char *text, size_t length) {
  static const char *const words[] = {"FILE", "__DATE__", "__TIME__"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (memmem(text, length, words[i], strlen(words[i])))
      return true;
  return false;
}

/* Makes the key of a source that can come through standard input: its text, without the name of its file, after all
 * that is said of it. Only debug information has that name, and messages take it from elsewhere (source_place). */
static void make_key(struct compiler_input *input, const char *options, const char *text, size_t length) {
  struct stat compiler;
  if (asks_for_more(text, length) || asks_for_more(options, strlen(options)) || stat(REASSEMBLE_CLANG, &compiler))
    return;
  const uint64_t facts[] = {(uint64_t)compiler.st_size, (uint64_t)compiler.st_mtim.tv_sec,
                            (uint64_t)compiler.st_mtim.tv_nsec, input->common.length, input->stream.length};
  bytes_text(&input->key, REASSEMBLE_CLANG " " REASSEMBLE_LLVM_VERSION);
  bytes_append(&input->key, facts, sizeof facts);
  bytes_append(&input->key, input->common.data, input->common.length);
  bytes_append(&input->key, input->stream.data, input->stream.length);
  bytes_append(&input->key, text, length);
}

static int make_input(const char *source, const char *options, const char *text, size_t length,
                      struct compiler_input *out, struct error *error) {
  char **words;
  size_t count;
  if (opencl_options_split(options, &words, &count, error))
    return -1;
  clang_arguments(words, count, source, &out->arguments);
  clang_folders(words, count, source, &out->folders);
  clang_stream_arguments(words, count, &out->common);
  out->can_stream = lone_source_is(text, length) && lone_source_is(options, strlen(options)) &&
                    clang_prelude(words, count, &out->stream);
  if (out->can_stream)
    make_key(out, options, text, length);
  lone_source_stream(source, text, length, &out->stream);
  free(words);
  return out->arguments.failed || out->folders.failed || out->common.failed || out->stream.failed || out->key.failed
             ? error_no_memory(error)
             : 0;
}

static int read_input(const char *source, const char *options, struct compiler_input *input, struct error *error) {
  char *text;
  size_t length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, error))
    return -1;
  const int status = make_input(source, options, text, length, input, error);
  free(text);
  return status;
}

/* Returns whether the bitcode of the input is kept; it is in `found` then. */
static bool find_kept(const struct compiler_input *input) {
  free(found.memory);
  found = (struct kept_data){0};
  return input->key.data && kept_file_find(KIND, input->key.data, input->key.length, &found);
}

bool clang_is_needed(const char *source, const char *options) {
  struct compiler_input input = {0};
  struct error ignored = ERROR_INIT;
  const bool needed = read_input(source, options, &input, &ignored) || !find_kept(&input);
  free(found.memory);
  found = (struct kept_data){0};
  clear_input(&input);
  return needed;
}

int clang_begin(const char *source, const char *options, struct error *error) {
  struct compiler_input input = {0};
  int status = read_input(source, options, &input, error);
  bytes_clear(&file_arguments);
  bytes_clear(&begun_key);
  if (!status && find_kept(&input)) {
    clear_input(&input);
    return 0;
  }
  move_bytes(&begun_key, &input.key);
  if (!status && input.can_stream && compiler_awaits_source() && are_equal(&input.common, &expected.given)) {
    compiler_begin_source((const char *)input.stream.data, input.stream.length);
    move_bytes(&file_arguments, &input.arguments);
    move_bytes(&file_folders, &input.folders);
  } else if (!status)
    status = compiler_begin((const char *)input.arguments.data, (const char *)input.folders.data, error);
  clear_input(&input);
  return status;
}

/* A source that does not compile through standard input is compiled again from its file, for clang's messages. */
static int finish(const char *source, struct compiler_bytes *out, struct error *error) {
  struct error first = ERROR_INIT;
  struct bytes arguments = {0};
  move_bytes(&arguments, &file_arguments);
  int status = compiler_finish(source, out, arguments.data ? &first : error);
  if (status && first.kind == ERROR_INPUT) {
    out->length = 0;
    out->overflow = false;
    status = compiler_begin((const char *)arguments.data, (const char *)file_folders.data, error) ||
                     compiler_finish(source, out, error)
                 ? -1
                 : 0;
  } else if (status && arguments.data && error)
    *error = first;
  bytes_clear(&arguments);
  return status;
}

/* Gives the bitcode that was found, in memory of its own. */
static int take_found(char **bitcode, size_t *length, struct error *error) {
  *length = found.length;
  *bitcode = malloc(found.length + 1);
  if (*bitcode)
    memcpy(*bitcode, found.data, found.length);
  free(found.memory);
  found = (struct kept_data){0};
  phase_mark("reading the kept bitcode");
  return *bitcode ? 0 : error_no_memory(error);
}

int clang_finish(const char *source, char **bitcode, size_t *length, struct error *error) {
  struct compiler_bytes out = {.limit = MAX_BITCODE_BYTES};
  phase_mark(NULL);
  if (found.memory)
    return take_found(bitcode, length, error);
  const int status = finish(source, &out, error);
  phase_mark("waiting for clang");
  if (status) {
    free(out.data);
    return -1;
  }
  if (begun_key.data)
    kept_file_put(KIND, begun_key.data, begun_key.length, out.data, out.length);
  bytes_clear(&begun_key);
  *bitcode = out.data;
  *length = out.length;
  return 0;
}

/* The front end's table. */

static const char *version(void) {
  static char text[256];
  const char *slash = strrchr(REASSEMBLE_POCL_LIBRARY, '/');
  snprintf(text, sizeof text, "clang %s + LLVM %s + PoCL built-ins %s", REASSEMBLE_LLVM_VERSION,
           REASSEMBLE_LLVM_VERSION, slash ? slash + 1 : REASSEMBLE_POCL_LIBRARY);
  return text;
}

static int finish_module(const char *source, struct front_module *out, struct error *error) {
  *out = (struct front_module){.source = source};
  return clang_finish(source, &out->bytes, &out->length, error);
}

static int list_kernels(const struct front_module *module, char ***names, size_t *count, struct error *error) {
  return kernel_names(module->bytes, module->length, names, count, error);
}

static int build(const struct front_module *module, const struct front_request *r, struct kernel_program **out,
                 struct error *error) {
  return kernel_program_create(module->bytes, module->length, module->source, r->kernel, r->opaques, r->opaque_count,
                               r->arena, r->purpose, out, error);
}

/* Where the bitcode is kept, no compiler is started, and one that waits is for nothing. */
static void before_fork(const char *source, const char *options) {
  if (source && !clang_is_needed(source, options)) {
    if (compiler_waits())
      compiler_dismiss();
    return;
  }
  clang_expect();
  if (source)
    clang_correct(source, options);
  kernel_load_compiler(); /* while clang loads */
}

static void after_fork(const char *next_source, const char *next_options) {
  compiler_hand_over();
  if (!next_source)
    return;
  clang_remember(next_source, next_options);
  if (clang_is_needed(next_source, next_options))
    clang_expect();
}

/* LLVM is prepared while clang loads. The warm-up takes 8 ms of processor time, which clang would wait for later. Where
 * the bitcode is kept, the program probably is, too, and needs no LLVM. */
static void prepare_llvm(void) {
  struct error ignored = ERROR_INIT;
  if (compiler_loads())
    kernel_warm_up(&ignored);
  else if (!found.memory)
    kernel_prepare();
}

static const struct front_end_early early = {.expect = clang_expect,
                                             .before_fork = before_fork,
                                             .after_fork = after_fork,
                                             .child_ended = compiler_take_back,
                                             .in_child = prepare_llvm};

const struct front_end front_end_clang = {.version = version,
                                          .begin = clang_begin,
                                          .finish = finish_module,
                                          .kernel_names = list_kernels,
                                          .build = build,
                                          .files = kernel_program_files,
                                          .compiler_files = kernel_compiler_files,
                                          .load_compiler = kernel_load_compiler,
                                          .early = &early};
