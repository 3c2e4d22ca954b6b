#include "trace/write/renamed_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/format/frame.h"
#include "trace/format/header.h"

static int rename_text(char **text, const char *name, struct error *error) {
  free(*text);
  *text = strdup(name);
  return *text ? 0 : error_set(error, ERROR_WORK, "out of memory for a trace header");
}

static int rename_header(struct trace_header *h, const struct trace_names *names, struct error *error) {
  int status = rename_text(&h->workload, names->workload, error);
  for (size_t i = 0; !status && i < names->buffer_count && i < h->buffer_count; i++)
    status = rename_text(&h->buffers[i].name, names->buffers[i], error);
  return status;
}

/* Reads the header frame and writes it with the other names. */
static int copy_header(struct frame_reader *from, struct frame_writer *to, const struct trace_names *names,
                       struct error *error) {
  struct frame frame;
  struct trace_header header;
  char *text = NULL;
  const int found = frame_read(from, &frame, error);
  if (found <= 0 || frame.kind != FRAME_HEADER)
    return found < 0 ? -1 : error_at(error, ERROR_WORK, from->name, 0, 0, NULL, "the trace has no header");
  if (header_from_json((const char *)frame.raw, frame.length, &header, error))
    return -1;
  int status = rename_header(&header, names, error) || header_to_json(&header, &text, error) ? -1 : 0;
  if (!status)
    status = frame_write(to, FRAME_HEADER, text, strlen(text), error);
  free(text);
  trace_header_clear(&header);
  return status;
}

static int copy_rest(FILE *from, FILE *to, uint64_t *bytes, struct error *error) {
  char part[1 << 16];
  for (size_t got; (got = fread(part, 1, sizeof part, from)) > 0; *bytes += got)
    if (fwrite(part, 1, got, to) != got)
      break;
  return ferror(from) || ferror(to) || fflush(to)
             ? error_set(error, ERROR_WORK, "cannot copy a trace: %s", strerror(errno))
             : 0;
}

static int copy(FILE *in, FILE *out, const char *name, const struct trace_names *names, uint64_t *bytes,
                struct error *error) {
  struct frame_reader reader = {0};
  struct frame_writer writer = {0};
  int status = frame_reader_begin(&reader, in, name, error) || frame_writer_begin(&writer, out, error) ||
                       copy_header(&reader, &writer, names, error)
                   ? -1
                   : 0;
  *bytes = writer.bytes;
  frame_reader_clear(&reader);
  frame_writer_clear(&writer);
  return status || copy_rest(in, out, bytes, error) ? -1 : 0;
}

int trace_copy_renamed(const char *from, const char *to, const struct trace_names *names, uint64_t *bytes,
                       struct error *error) {
  FILE *in = fopen(from, "rbe"), *out = in ? fopen(to, "wbe") : NULL;
  int status = out ? copy(in, out, from, names, bytes, error)
                   : error_at(error, ERROR_WORK, in ? to : from, 0, 0, NULL, "cannot be opened: %s", strerror(errno));
  if (out && fclose(out) && !status)
    status = error_at(error, ERROR_WORK, to, 0, 0, NULL, "cannot be written: %s", strerror(errno));
  if (in)
    fclose(in);
  if (out && status)
    unlink(to);
  return status;
}
