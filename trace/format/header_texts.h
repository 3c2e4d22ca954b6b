/* The texts of a trace header: their names in the file and their places in the structure. Internal to trace/. */
#ifndef TRACE_HEADER_TEXTS_H
#define TRACE_HEADER_TEXTS_H

#include "base/error.h"
#include "trace/trace.h"

#define HEADER_TEXTS 6

struct header_text_row {
  const char *key;
  size_t offset;
};

extern const struct header_text_row header_text_rows[HEADER_TEXTS];

static inline char **header_text_of(struct trace_header *h, size_t i) {
  return (char **)((char *)h + header_text_rows[i].offset);
}

/* Returns the text; "" where there is none. */
static inline const char *header_const_text(const struct trace_header *h, size_t i) {
  const char *text = *(char *const *)((const char *)h + header_text_rows[i].offset);
  return text ? text : "";
}

/* Takes out the texts that are the same in the header of the trace that has the code table, and puts them back. */
void header_leave_texts(struct trace_header *header, const struct trace_header *owner);
int header_take_texts(struct trace_header *header, const struct trace_header *owner, struct error *error);

#endif
