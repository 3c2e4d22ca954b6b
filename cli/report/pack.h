/* A smaller form of a document for the page: a list of objects with the same keys becomes {"#keys": [key, ...],
 * "#rows": [[value, ...], ...]}. A value that is an object, with the same keys in all rows, has [key, its keys ...]
 * among the keys and a list of its values in each row. The page's script (page/main.js) undoes it.
 *
 * Returns a new reference, or NULL when memory ran out. Cost: linear in the document. */
#ifndef CLI_PACK_H
#define CLI_PACK_H

#include <jansson.h>

json_t *pack(json_t *value);

#endif
