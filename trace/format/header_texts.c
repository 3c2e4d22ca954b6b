#include "trace/format/header_texts.h"

#include <stdlib.h>
#include <string.h>

const struct header_text_row header_text_rows[HEADER_TEXTS] = {
    {"kernel", offsetof(struct trace_header, kernel)},
    {"workload", offsetof(struct trace_header, workload)},
    {"source_file", offsetof(struct trace_header, source_file)},
    {"source_digest", offsetof(struct trace_header, source_digest)},
    {"options", offsetof(struct trace_header, options)},
    {"front_end", offsetof(struct trace_header, front_end)},
};

void header_leave_texts(struct trace_header *h, const struct trace_header *owner) {
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    if (strcmp(header_const_text(h, i), header_const_text(owner, i)) == 0) {
      free(*header_text_of(h, i));
      *header_text_of(h, i) = NULL;
    }
}

int header_take_texts(struct trace_header *to, const struct trace_header *from, struct error *error) {
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    if (!*header_text_of(to, i) && !(*header_text_of(to, i) = strdup(header_const_text(from, i))))
      return error_set(error, ERROR_WORK, "out of memory for a trace header");
  return 0;
}
