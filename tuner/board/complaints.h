/* Collects errors about one input, so that a user sees all of them at once.
 *
 * A complaint about a key of a JSON file gets its line. The first complaint gives the resulting error its place; the
 * others follow in its text, one line each, as error_print would write them. Limits: 20 complaints, then their number.
 * Threads: one. */
#ifndef TUNER_COMPLAINTS_H
#define TUNER_COMPLAINTS_H

#include <stddef.h>

#include "base/error.h"

struct complaints {
  struct error first;
  size_t count;
  char rest[3072];
  size_t used;
};

/* Adds the error `found` and empties it; does nothing if it is empty. Returns -1 for an error that is not about the
 * input, such as a lack of memory, which ends the reading; else 0. */
int complaints_add(struct complaints *c, struct error *found);
/* Returns 0 if there was no complaint; else -1 and the error of all of them. */
int complaints_end(const struct complaints *c, struct error *error);

#endif
