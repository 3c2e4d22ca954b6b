/* Declarations that the two halves of the generator share. */
#ifndef DIFFERENTIAL_GENERATE_H
#define DIFFERENTIAL_GENERATE_H

#include "base/random.h"
#include "program.h"

struct generator {
  struct random_state random;
  struct program *program;
  struct kernel *kernel;
  struct function *function;
  bool open[MAX_VARIABLES]; /* counters of the loops around */
  uint32_t loops;           /* around */
  bool may_leave;           /* the innermost loop has no barriers */
  int budget, loads;        /* operators and loads that the kernel may still have */
};

bool one_in(struct generator *g, uint32_t n);
struct type random_type(struct generator *g);
struct node *add_child(struct node *parent, struct node *c); /* returns the parent */
struct node *random_constant(struct generator *g, struct type type);
struct node *random_expression(struct generator *g, struct type type, uint32_t depth);

#endif
