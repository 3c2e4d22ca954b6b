#include "trace/format/shared_code.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "trace/format/code_codec.h"
#include "trace/format/frame.h"
#include "trace/format/header.h"
#include "trace/format/header_texts.h"

uint64_t shared_code_digest(const void *payload, size_t length) {
  return text_hash(TEXT_HASH_START, payload, length);
}

void shared_code_put(uint64_t digest, unsigned char bytes[SHARED_CODE_BYTES]) {
  for (unsigned i = 0; i < SHARED_CODE_BYTES; i++)
    bytes[i] = (unsigned char)(digest >> 8 * i);
}

/* Returns the path of the other trace; NULL: memory ran out. */
static char *beside(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  return text_format("%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
}

static bool is_regular(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* Takes the next frame, of this kind. */
static int next(struct frame_reader *r, enum frame_kind kind, struct frame *f, struct error *error) {
  const int result = frame_read(r, f, error);
  return result > 0 && f->kind == kind ? 0 : error_set(error, ERROR_INPUT, "it is cut off or damaged");
}

static int take_header(struct frame_reader *r, struct trace_header *owner, struct error *error) {
  struct frame f;
  if (next(r, FRAME_HEADER, &f, error) || header_from_json((const char *)f.raw, f.length, owner, error))
    return -1;
  return owner->code_of ? error_set(error, ERROR_INPUT, "it has no code table of its own") : 0;
}

static int take_code(struct frame_reader *r, const unsigned char *digest, const struct trace_header *owner,
                     struct trace_code *code, struct error *error) {
  unsigned char found[SHARED_CODE_BYTES];
  struct frame f;
  if (next(r, FRAME_CODE, &f, error))
    return -1;
  shared_code_put(shared_code_digest(f.raw, f.length), found);
  if (memcmp(found, digest, sizeof found) != 0)
    return error_set(error, ERROR_INPUT, "it has another code table: write both again");
  if (code_decode(f.raw, f.length, code, error))
    return -1;
  return owner->ir_count == 0 || owner->ir_count == code->op_count
             ? 0
             : error_set(error, ERROR_INPUT, "its list \"ir\" has not one text for each operation");
}

/* Gives the listing of the other trace to the header. */
static void move_listing(struct trace_header *to, struct trace_header *from) {
  free(to->code_of);
  to->code_of = NULL;
  to->ir = from->ir;
  to->ir_count = from->ir_count;
  from->ir = NULL;
  from->ir_count = 0;
}

static int read_owner(FILE *stream, const char *name, const unsigned char *digest, struct trace_header *header,
                      struct trace_code *code, struct error *error) {
  struct frame_reader r = {0};
  struct trace_header owner = {0};
  int status = frame_reader_begin(&r, stream, name, error) || take_header(&r, &owner, error) ||
                       take_code(&r, digest, &owner, code, error)
                   ? -1
                   : 0;
  if (!status)
    status = header_take_texts(header, &owner, error);
  if (!status)
    move_listing(header, &owner);
  trace_header_clear(&owner);
  frame_reader_clear(&r);
  return status;
}

int shared_code_read(const char *path, const unsigned char bytes[SHARED_CODE_BYTES], struct trace_header *header,
                     struct trace_code *code, struct error *error) {
  struct error inner = ERROR_INIT;
  char *other = beside(path, header->code_of);
  if (!other)
    return error_set(error, ERROR_WORK, "out of memory for a trace");
  FILE *stream = is_regular(other) ? fopen(other, "rbe") : NULL;
  const int status = stream ? read_owner(stream, other, bytes, header, code, &inner)
                            : error_set(&inner, ERROR_INPUT, "there is no such file: keep both in one folder");
  if (stream)
    fclose(stream);
  if (status)
    error_at(error, inner.kind, path, 0, 0, "", "its code table is that of %.1000s: %.2000s", other, inner.text);
  free(other);
  return status;
}
