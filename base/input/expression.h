/* Arithmetic with names, as users write it in files: "l1_bytes * cores <= l2_bytes", "M / MWG * MDIMC".
 *
 * Grammar: a sum consists of + - * / % ( ), numbers with the suffixes of configuration files (16Ki) and names, which
 * the caller resolves to indices. A comparison is sum (< | <= | > | >= | == | !=) sum; its value is 1 when it holds,
 * else 0. Numbers are doubles; % is fmod; a comparison with not-a-number does not hold.
 * Limits: 1,000 characters, parentheses 32 deep. Ownership: expression_compile allocates, expression_destroy frees.
 * Cost: evaluation is linear in the text. Threads: a compiled expression is read-only and may be shared. */
#ifndef BASE_EXPRESSION_H
#define BASE_EXPRESSION_H

#include <stddef.h>

#include "base/error.h"

struct expression;

enum expression_form { EXPRESSION_SUM, EXPRESSION_COMPARISON };

struct expression_names {
  const char *noun; /* what a name is, for messages: "a GPU parameter" */
  /* Writes the index of the name, or returns -1 with an error that says which names there are. */
  int (*find)(const void *user, const char *name, size_t *index, struct error *error);
  const void *user;
};

/* Compiles `text` into *out. The error says what stands at which character; it has no file or line. */
int expression_compile(const char *text, enum expression_form form, const struct expression_names *names,
                       struct expression **out, struct error *error);
/* Returns the value of the expression. `value` returns the value of the name with this index. */
double expression_value(const struct expression *expression, double (*value)(const void *user, size_t index),
                        const void *user);
const char *expression_text(const struct expression *expression);
void expression_destroy(struct expression *expression);

#endif
