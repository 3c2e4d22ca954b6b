/* JSON documents from files, with typed members. jansson does the parsing.
 *
 * Purpose: board files and journals are untrusted. A reader asks for typed members and gets the value, or an error of
 *          the form "file: key: found X, expected Y". jansson keeps places for syntax errors only; those have line and
 *          column.
 * Limits:  64 MiB a file; a key that occurs twice in one object is an error.
 * Ownership: json_load_document gives a new reference, which the caller gives back with json_decref; the getters
 *          borrow from `object`. Errors: 0 or -1. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "base/input/json_parse.h"

int json_load_document(const char *path, json_t **out, struct error *error);

/* Writes the document to `path`, which appears whole or not at all (base/file.h). Real numbers get `digits` significant
 * digits; 0 means 17, from which a reader gets the same number back. A `document` of NULL means that memory ran out
 * while it was made, and is an error. */
int json_save_document(const json_t *document, const char *path, unsigned digits, struct error *error);

/* These functions read members of `object`. A missing member is an error. `file` is the name for messages. */
int json_need_object(const json_t *object, const char *key, json_t **out, const char *file, struct error *error);
int json_need_array(const json_t *object, const char *key, json_t **out, const char *file, struct error *error);
int json_need_string(const json_t *object, const char *key, const char **out, const char *file, struct error *error);
int json_need_int(const json_t *object, const char *key, int64_t minimum, int64_t maximum, int64_t *out,
                  const char *file, struct error *error);
/* Reads a real number. A whole number is also accepted. */
int json_need_real(const json_t *object, const char *key, double minimum, double maximum, double *out, const char *file,
                   struct error *error);
int json_need_bool(const json_t *object, const char *key, bool *out, const char *file, struct error *error);

/* Checks that the root is an object whose "schema" is `schema`. */
int json_check_schema(const json_t *root, const char *schema, const char *file, struct error *error);

/* Checks that every key of `object` is among `allowed`, which ends with NULL. The error names the nearest allowed
 * key. */
int json_check_keys(const json_t *object, const char *const *allowed, const char *file, struct error *error);

#endif
