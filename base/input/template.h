/* Texts with `${expression}` in them, as in "gemm:N=${columns * 2}".
 *
 * Each expression (base/input/expression.h) is replaced by its value, a whole number.
 * Errors: the text of the error says which expression is wrong; it has no place of its own.
 * Cost: linear in the text. Threads: none is shared. */
#ifndef BASE_TEMPLATE_H
#define BASE_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/input/expression.h"

/* Returns whether the text holds an expression. */
bool template_is(const char *text);
/* Writes the text with its values to `out`. `value` returns the value of the name with this index. */
int template_put(FILE *out, const char *text, const struct expression_names *names,
                 double (*value)(const void *user, size_t index), const void *user, struct error *error);
/* Returns the text with its values as a new string in *out, which the caller frees. Otherwise like template_put. */
int template_text(const char *text, const struct expression_names *names,
                  double (*value)(const void *user, size_t index), const void *user, char **out, struct error *error);

#endif
