#include "trace/write/share_code.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "trace/format/frame.h"
#include "trace/format/header.h"
#include "trace/format/header_texts.h"
#include "trace/format/shared_code.h"

/* The beginning of a trace: its header and the payload of its code frame. The stream stands behind both. */
struct head {
  FILE *stream;
  struct frame_reader frames;
  struct trace_header header;
  struct frame code;
};

static bool is_regular(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static void clear(struct head *h) {
  trace_header_clear(&h->header);
  frame_reader_clear(&h->frames);
  if (h->stream)
    fclose(h->stream);
}

static int take(struct head *h, enum frame_kind kind, struct error *error) {
  const int found = frame_read(&h->frames, &h->code, error);
  if (found < 0 || (found > 0 && h->code.kind == kind))
    return found < 0 ? -1 : 0;
  return error_at(error, ERROR_WORK, h->frames.name, 0, 0, NULL, "the trace has no header or code table");
}

static int open_head(struct head *h, const char *path, struct error *error) {
  *h = (struct head){.stream = fopen(path, "rbe")};
  if (!h->stream)
    return error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot be opened: %s", strerror(errno));
  if (frame_reader_begin(&h->frames, h->stream, path, error) || take(h, FRAME_HEADER, error) ||
      header_from_json((const char *)h->code.raw, h->code.length, &h->header, error))
    return -1;
  return take(h, FRAME_CODE, error);
}

static bool same_code(const struct head *a, const struct head *b) {
  if (a->header.code_of || b->header.code_of || a->code.length != b->code.length ||
      a->header.ir_count != b->header.ir_count || a->frames.version != b->frames.version)
    return false;
  for (uint32_t i = 0; i < a->header.ir_count; i++)
    if (strcmp(a->header.ir[i], b->header.ir[i]) != 0)
      return false;
  return memcmp(a->code.raw, b->code.raw, a->code.length) == 0;
}

/* Writes header and code frame of the trace that names its owner. */
static int write_head(struct head *h, const struct head *other, const char *owner, struct frame_writer *to,
                      struct error *error) {
  const char *slash = strrchr(owner, '/');
  unsigned char digest[SHARED_CODE_BYTES];
  char *text = NULL;
  for (uint32_t i = 0; i < h->header.ir_count; i++)
    free(h->header.ir[i]);
  h->header.ir_count = 0;
  header_leave_texts(&h->header, &other->header);
  h->header.code_of = strdup(slash ? slash + 1 : owner);
  if (!h->header.code_of)
    return error_set(error, ERROR_WORK, "out of memory for a trace header");
  shared_code_put(shared_code_digest(h->code.raw, h->code.length), digest);
  const int status = header_to_json(&h->header, &text, error) ||
                             frame_write(to, FRAME_HEADER, text, strlen(text), error) ||
                             frame_write(to, FRAME_CODE, digest, sizeof digest, error)
                         ? -1
                         : 0;
  free(text);
  return status;
}

static int copy_rest(FILE *from, FILE *to, uint64_t *bytes, struct error *error) {
  char part[1 << 14];
  for (size_t got; (got = fread(part, 1, sizeof part, from)) > 0; *bytes += got)
    if (fwrite(part, 1, got, to) != got)
      break;
  return ferror(from) || ferror(to) ? error_set(error, ERROR_WORK, "cannot copy a trace: %s", strerror(errno)) : 0;
}

static int rewrite(struct head *h, const struct head *other, const char *path, const char *owner, uint64_t *bytes,
                   struct error *error) {
  struct frame_writer to = {0};
  struct file_replace file;
  uint64_t length = 0;
  if (file_replace_begin(&file, path, error))
    return -1;
  int status = frame_writer_begin(&to, file.stream, error);
  if (!status) {
    frame_writer_pack_small(&to);
    status = write_head(h, other, owner, &to, error);
    length = to.bytes;
  }
  frame_writer_clear(&to);
  if (status || copy_rest(h->stream, file.stream, &length, error)) {
    file_replace_abort(&file);
    return -1;
  }
  *bytes = length;
  return file_replace_commit(&file, error);
}

int trace_share_code(const char *path, const char *owner, uint64_t *bytes, struct error *error) {
  struct head h = {0}, other = {0};
  if (!is_regular(path) || !is_regular(owner)) /* what is written through a pipe can't be read again */
    return 0;
  int status = open_head(&h, path, error) || open_head(&other, owner, error) ? -1 : 0;
  if (!status && same_code(&h, &other))
    status = rewrite(&h, &other, path, owner, bytes, error);
  clear(&h);
  clear(&other);
  return status;
}
