/* Finds the line of a member in a JSON file, for messages: jansson keeps places for syntax errors only.
 *
 * Errors: none. Cost: the file is read again. Threads: any. */
#ifndef BASE_JSON_PLACE_H
#define BASE_JSON_PLACE_H

#include "base/error.h"

/* Gives an error that names a JSON file and a key such as "measurements[3].value" the line of that member, or of the
 * innermost part of the key that the file has. Does nothing to other errors and to those that have a line. */
void json_place(struct error *error);

#endif
