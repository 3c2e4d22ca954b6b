/* The results that a report shows: JSON documents of this program's commands.
 *
 * A path is a document, "-" for standard input, or a folder: that of a sweep (results.json) or one that holds documents
 * (*.json, in the order of their names). Large ones are reduced (reduce.h). Documents are untrusted: their schema is
 * checked here, their members are not.
 * Ownership: documents_clear frees everything. Errors: ERROR_INPUT with the file. */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

struct document {
  char *path;
  json_t *json;
  const char *schema;
  const char *kind; /* for people: "prediction" */
  json_t *run;      /* the head of the journal of a sweep's folder; NULL: there is none */
  uint64_t digest;  /* FNV-1a of the file's bytes */
  char *note;       /* what was left out, a sentence for people; NULL: nothing */
};

struct documents {
  struct document *items;
  size_t count;
};

int documents_read(const char *const *paths, size_t count, struct documents *out, struct error *error);
void documents_clear(struct documents *documents);

#endif
