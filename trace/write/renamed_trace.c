#include "trace/write/renamed_trace.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/format/frame.h"
#include "trace/format/header.h"
#include "trace/format/limits.h"

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

/* The beginning of the member `ir` where it is the last one, as writers write it (header.c). No line inside of a text
 * or a list begins like this: line ends in texts are escaped, and lists are indented further. */
#define LISTING    ",\n \"ir\": [\n"
#define OBJECT_END "\n}"
#define END_LENGTH (sizeof OBJECT_END - 1)

/* Returns the place where the listing begins in a header, or NULL if it has none as its last member. */
static const char *find_listing(const struct frame *frame) {
  const char *text = (const char *)frame->raw, *found = memmem(text, frame->length, LISTING, sizeof LISTING - 1);
  const bool is_last = found && memcmp(text + frame->length - END_LENGTH, OBJECT_END, END_LENGTH) == 0 &&
                       text[frame->length - END_LENGTH - 1] == ']';
  return is_last ? found : NULL;
}

/* Returns the header's JSON with other names, or NULL on an error. */
static char *rename_json(const char *json, size_t length, const struct trace_names *names, struct error *error) {
  struct trace_header header;
  char *text = NULL;
  if (header_from_json(json, length, &header, error))
    return NULL;
  if (!rename_header(&header, names, error))
    header_to_json(&header, &text, error);
  trace_header_clear(&header);
  return text;
}

/* Returns the header's JSON with other names and a copy of its listing, or NULL if that is not possible. The listing is
 * most of a large kernel's header, and parsing and writing it would take most of the time. */
static char *rename_before_listing(const struct frame *frame, const struct trace_names *names) {
  struct error ignored = ERROR_INIT;
  const char *text = (const char *)frame->raw, *listing = find_listing(frame);
  char *head = listing ? text_format("%.*s" OBJECT_END, (int)(listing - text), text) : NULL;
  char *renamed = head ? rename_json(head, strlen(head), names, &ignored) : NULL;
  char *whole = renamed ? text_format("%.*s%.*s", (int)(strlen(renamed) - END_LENGTH), renamed,
                                      (int)(text + frame->length - listing), listing)
                        : NULL;
  const bool fits = whole && strlen(whole) <= LIMIT_HEADER_BYTES;
  free(renamed);
  free(head);
  if (fits)
    return whole;
  free(whole);
  return NULL;
}

/* Reads the header frame and writes it with the other names. */
static int copy_header(struct frame_reader *from, struct frame_writer *to, const struct trace_names *names,
                       struct error *error) {
  struct frame frame;
  const int found = frame_read(from, &frame, error);
  if (found <= 0 || frame.kind != FRAME_HEADER)
    return found < 0 ? -1 : error_at(error, ERROR_WORK, from->name, 0, 0, NULL, "the trace has no header");
  char *text = rename_before_listing(&frame, names);
  if (!text)
    text = rename_json((const char *)frame.raw, frame.length, names, error);
  const int status = text ? frame_write(to, FRAME_HEADER, text, strlen(text), error) : -1;
  free(text);
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
