/* JSON documents from files, with typed members (jansson underneath).
 *
 * Purpose: board files and journals are untrusted; a reader asks for typed members and gets the value or an error
 *          "file: key: found X, expected Y". jansson keeps places only for syntax errors: those have line and column.
 * Limits: 64 MiB a file; a key that occurs twice in one object is an error. Ownership: json_load_document gives a new
 * reference that the caller json_decref's; the getters borrow from `object`. Errors: 0 or -1. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

int json_load_document(const char *path, json_t **out, struct error *error);

/* Members of `object`, which stands in `file` (a name for messages). A missing one is an error. */
int json_need_object(const json_t *object, const char *key, json_t **out, const char *file, struct error *error);
int json_need_array(const json_t *object, const char *key, json_t **out, const char *file, struct error *error);
int json_need_string(const json_t *object, const char *key, const char **out, const char *file, struct error *error);
int json_need_int(const json_t *object, const char *key, int64_t minimum, int64_t maximum, int64_t *out,
                  const char *file, struct error *error);
/* Takes whole numbers too. */
int json_need_real(const json_t *object, const char *key, double minimum, double maximum, double *out, const char *file,
                   struct error *error);
int json_need_bool(const json_t *object, const char *key, bool *out, const char *file, struct error *error);

/* The root must be an object whose "schema" is `schema`. */
int json_check_schema(const json_t *root, const char *schema, const char *file, struct error *error);

/* Every key of `object` must be among `allowed` (NULL-terminated); the error has a did-you-mean. */
int json_check_keys(const json_t *object, const char *const *allowed, const char *file, struct error *error);

#endif
