/* YAML documents as trees in which each node knows its place in the file. libyaml does the parsing.
 *
 * Purpose: configuration files are untrusted. A reader asks for typed values and gets the value, or an error of the
 *          form "file:line:column: key: found X, expected Y (allowed range), did you mean Z".
 * Limits:  16 MiB a file, 64 levels, 1,000,000 nodes. Aliases, anchors and tags are refused, so that no small file can
 *          expand to a large one. Also refused: several documents in one file, NUL characters, text that is not UTF-8,
 *          and a key that occurs twice in one mapping.
 * Cost:    linear in the file, and one sort of the keys of each mapping.
 * Ownership: conf_load_* allocate one document; conf_destroy frees it with all nodes and texts.
 * Threads: a loaded document is read-only and may be shared. */
#ifndef BASE_CONF_H
#define BASE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum conf_kind { CONF_SCALAR, CONF_LIST, CONF_MAP };

struct conf_node {
  enum conf_kind kind;
  const char *file;
  unsigned line, column;         /* of the value, 1-based */
  unsigned key_line, key_column; /* of the key; 0 where there is none */
  const char *key;          /* the key under which this node stands in its mapping, NULL in lists and at the root */
  const char *text;         /* CONF_SCALAR: NUL-terminated value */
  bool quoted;              /* CONF_SCALAR: whether it is written in quotes, so that it is a string */
  size_t count;             /* CONF_LIST, CONF_MAP: number of items */
  struct conf_node **items; /* in file order */
};

struct conf_doc;

int conf_load_file(const char *path, struct conf_doc **out, struct error *error);
int conf_load_text(const char *name, const char *text, size_t length, struct conf_doc **out, struct error *error);
const struct conf_node *conf_root(const struct conf_doc *doc);
void conf_destroy(struct conf_doc *doc);
/* Calls `rewrite` for every scalar of the document in file order. A rewrite that sets *text to a new allocated text
 * gives the scalar that value (the document takes it over), as written with or without quotes by *quoted; NULL leaves
 * it alone. */
typedef int conf_rewrite(void *user, const struct conf_node *scalar, char **text, bool *quoted, struct error *error);
int conf_rewrite_scalars(struct conf_doc *doc, conf_rewrite *rewrite, void *user, struct error *error);

/* Returns the value of `key`; NULL when `map` has no such key or is not a mapping. */
const struct conf_node *conf_get(const struct conf_node *map, const char *key);
/* Returns the value of `key`; a missing key is an error that names the place of the mapping. */
const struct conf_node *conf_need(const struct conf_node *map, const char *key, struct error *error);

/* Checks that every key of `map` is among `allowed`, which ends with NULL. The error names the nearest allowed key. */
int conf_check_keys(const struct conf_node *map, const char *const *allowed, struct error *error);

/* These functions read typed values. Numbers may have one of the suffixes k, M, G, Ki, Mi, Gi, and integers may be
 * hexadecimal (0x40). A scalar in quotes is a string and never a number. */
int conf_int(const struct conf_node *node, int64_t minimum, int64_t maximum, int64_t *out, struct error *error);
int conf_real(const struct conf_node *node, double minimum, double maximum, double *out, struct error *error);
int conf_bool(const struct conf_node *node, bool *out, struct error *error);
int conf_string(const struct conf_node *node, const char **out, struct error *error); /* borrowed from the document */
/* Writes the index of the scalar among `choices`, which ends with NULL. */
int conf_choice(const struct conf_node *node, const char *const *choices, int *out, struct error *error);
/* Checks that the mapping's key `schema` has the value `schema`. `what` says in the message what such a file is. */
int conf_check_schema(const struct conf_node *map, const char *schema, const char *what, struct error *error);
int conf_expect(const struct conf_node *node, enum conf_kind kind, struct error *error);

/* Sets an error at this node's place with the formatted text. Returns -1. */
int conf_error(const struct conf_node *node, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the text and the kind of its cause, which may be a lack of memory. */
int conf_cause(const struct conf_node *node, const struct error *cause, struct error *error);

#endif
