/* Published predictions or scores (schema reassemble.reference/1, in datasets/predictions), to be shown beside those of
 * this program: rows of a point's name and a value, in groups. The caller decides what a point is.
 *
 * Ownership: reference_load fills, reference_clear frees; texts belong to the document. */
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

struct reference_row {
  const char *group, *point; /* of the document */
  double theirs;
  size_t design; /* the caller's: which of ours it is */
};

struct reference {
  json_t *document;
  const char *source;
  struct reference_row *rows;
  size_t count; /* at least 1 */
};

int reference_load(const char *path, struct reference *out, struct error *error);
void reference_clear(struct reference *reference);

#endif
