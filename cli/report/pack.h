/* A smaller form of a document for the page: a list of objects with the same keys becomes {"#keys": [key, ...],
 * "#rows": [[value, ...], ...]}. The page's script (page/main.js) undoes it.
 *
 * Returns a new reference, or NULL when memory ran out. Cost: linear in the document. */
#ifndef CLI_PACK_H
#define CLI_PACK_H

#include <jansson.h>

json_t *pack(json_t *value);

#endif
