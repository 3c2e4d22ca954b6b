/* Random expressions of a wanted type. */
#include <stdlib.h>

#include "generate.h"

static const uint8_t widths[] = {1, 2, 3, 4, 8, 16};

struct type random_type(struct generator *g) {
  const uint32_t base = random_below(&g->random, BASE_COUNT);
  const uint32_t narrow = random_below(&g->random, 3);
  return (struct type){(uint8_t)base,
                       narrow ? widths[random_below(&g->random, 4)] : widths[random_below(&g->random, 6)]};
}

bool one_in(struct generator *g, uint32_t n) {
  return random_below(&g->random, n) == 0;
}

struct node *add_child(struct node *parent, struct node *c) {
  struct node **at = &parent->first;
  while (*at)
    at = &(*at)->next;
  *at = c;
  return parent;
}

static struct node *make(struct generator *g, enum node_kind kind, struct type type) {
  return program_node(g->program, kind, type);
}

static const double reals[] = {0,  0.5,  1,        -1,       1.5,      -2.25, 3,     1e-3,
                               -7, 1e10, 0x1p-130, 0x1p-149, 16777216, 1e30,  -1e-30};
static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    3,
                                    5,
                                    7,
                                    10,
                                    31,
                                    64,
                                    127,
                                    128,
                                    255,
                                    0x7fff,
                                    0x8000,
                                    0x7fffffff,
                                    0x80000000u,
                                    UINT64_MAX,
                                    (uint64_t)INT64_MAX,
                                    (uint64_t)INT64_MAX + 1,
                                    (uint64_t)-7};

struct node *random_constant(struct generator *g, struct type type) {
  struct node *n = make(g, EXPR_CONST, type);
  n->real = one_in(g, 3) ? random_unit(&g->random) * 200 - 100
                         : reals[random_below(&g->random, sizeof reals / sizeof *reals)];
  n->bits =
      one_in(g, 4) ? random_next(&g->random) : integers[random_below(&g->random, sizeof integers / sizeof *integers)];
  return n;
}

/* A variable of the type that the function may read; NULL without one. */
static struct node *random_variable(struct generator *g, struct type type) {
  uint32_t found[MAX_VARIABLES], count = 0;
  for (uint32_t i = g->function == &g->kernel->main ? 0 : FIXED_VARIABLES; i < g->function->variable_count; i++)
    if (same_type(g->function->variables[i].type, type) && (!g->function->variables[i].is_counter || g->open[i]))
      found[count++] = i;
  if (!count)
    return NULL;
  struct node *n = make(g, EXPR_VARIABLE, type);
  n->index = found[random_below(&g->random, count)];
  return n;
}

static struct node *random_load(struct generator *g, struct type type, uint32_t depth) {
  uint32_t found[MAX_OBJECTS], count = 0;
  const bool in_kernel = g->function == &g->kernel->main;
  for (uint32_t i = 0; i < g->kernel->object_count; i++) {
    const struct object *o = &g->kernel->objects[i];
    const bool readable =
        o->kind == OBJECT_TABLE || (in_kernel && (o->kind == OBJECT_INPUT || o->kind == OBJECT_OUTPUT ||
                                                  o->kind == OBJECT_PRIVATE || o->kind == OBJECT_VALUE));
    if (readable && same_type(o->type, type))
      found[count++] = i;
  }
  if (!count)
    return NULL;
  struct node *n = make(g, EXPR_LOAD, type);
  n->index = found[random_below(&g->random, count)];
  return add_child(n, random_expression(g, (struct type){BASE_UINT, 1}, depth ? depth - 1 : 0));
}

static struct node *random_site(struct generator *g, struct type type) {
  struct node *n = NULL;
  if (!one_in(g, 4))
    n = random_variable(g, type);
  if (!n && !one_in(g, 3) && g->loads-- > 0)
    n = random_load(g, type, 0);
  return n ? n : random_constant(g, type);
}

static struct node *sub(struct generator *g, struct node *parent, struct type type, uint32_t depth) {
  return add_child(parent, random_expression(g, type, depth - 1));
}

static struct node *random_operator(struct generator *g, struct type type, uint32_t depth) {
  static const char of_floats[] = "++-**", of_integers[] = "++--**/%&|^<>";
  const bool floats = base_is_float(type.base);
  struct node *n;
  if (one_in(g, 8)) {
    n = make(g, EXPR_UNARY, type);
    n->index = floats || one_in(g, 2) ? '-' : '~';
    return sub(g, n, type, depth);
  }
  n = make(g, EXPR_BINARY, type);
  n->index =
      floats ? (uint32_t)of_floats[random_below(&g->random, 5)] : (uint32_t)of_integers[random_below(&g->random, 13)];
  sub(g, n, type, depth);
  return sub(g, n, type, depth);
}

static struct node *random_builtin(struct generator *g, struct type type, uint32_t depth) {
  struct node *n = make(g, EXPR_BUILTIN, type);
  const bool floats = base_is_float(type.base);
  do
    n->index = random_below(&g->random, builtin_count);
  while (floats ? !builtins[n->index].floats : !builtins[n->index].integers);
  for (uint32_t i = 0; i < builtins[n->index].arity; i++) /* the last of select is a condition */
    sub(g, n, builtins[n->index].floats && builtins[n->index].integers && i == 2 ? signed_of(type) : type, depth);
  return n;
}

static struct node *random_select(struct generator *g, struct type type, uint32_t depth) {
  struct node *n = make(g, EXPR_SELECT, type);
  sub(g, n, type.width == 1 ? (struct type){BASE_INT, 1} : signed_of(type), depth);
  sub(g, n, type, depth);
  return sub(g, n, type, depth);
}

static struct node *random_compare(struct generator *g, struct type type, uint32_t depth) {
  struct type operand = {(uint8_t)random_below(&g->random, BASE_COUNT), type.width};
  while (type.width > 1 && !same_type(signed_of(operand), type))
    operand.base = (uint8_t)random_below(&g->random, BASE_COUNT);
  struct node *n = make(g, EXPR_COMPARE, type);
  n->index = random_below(&g->random, base_is_float(operand.base) ? COMPARE_COUNT : COMPARE_OPERATORS);
  sub(g, n, operand, depth);
  return sub(g, n, operand, depth);
}

static struct node *random_logic(struct generator *g, struct type type, uint32_t depth) {
  struct node *n = make(g, EXPR_LOGIC, type);
  static const char operators[] = {'&', '|', '!'};
  n->index = (uint32_t)operators[random_below(&g->random, 3)];
  sub(g, n, type, depth);
  return n->index == '!' ? n : sub(g, n, type, depth);
}

static struct node *random_conversion(struct generator *g, struct type type, uint32_t depth) {
  struct type from = {(uint8_t)random_below(&g->random, BASE_COUNT), type.width};
  if (!one_in(g, 3) && type.width != 3) { /* from integers of the same size */
    const uint32_t bytes = base_bytes(type.base) * type.width;
    const uint8_t base = (uint8_t)random_below(&g->random, BASE_FLOAT);
    const uint32_t width = bytes / base_bytes(base);
    if (width == 1 || width == 2 || width == 4 || width == 8 || width == 16) {
      struct node *n = make(g, EXPR_REINTERPRET, type);
      n->bits = one_in(g, 3);
      return sub(g, n, (struct type){base, (uint8_t)width}, depth);
    }
  }
  return sub(g, make(g, EXPR_CONVERT, type), from, depth);
}

static struct node *random_swizzle(struct generator *g, struct type type, uint32_t depth) {
  const uint8_t from = widths[1 + random_below(&g->random, one_in(g, 3) ? 5 : 3)];
  struct node *n = make(g, EXPR_SWIZZLE, type);
  for (uint32_t i = 0; i < type.width; i++)
    n->lanes[i] = (uint8_t)random_below(&g->random, from);
  return sub(g, n, (struct type){type.base, from}, depth);
}

static struct node *random_vector(struct generator *g, struct type type, uint32_t depth) {
  const uint8_t half = type.width / 2;
  if (one_in(g, 2) || type.width == 3)
    return sub(g, make(g, EXPR_SPLAT, type), (struct type){type.base, 1}, depth);
  struct node *n = make(g, EXPR_HALVES, type);
  sub(g, n, (struct type){type.base, half}, depth);
  return sub(g, n, (struct type){type.base, half}, depth);
}

/* PoCL knows sizes of the dimensions 0, 1 and 2 only, and needs to know which one when it compiles. */
static struct node *random_id(struct generator *g, struct type type) {
  struct node *n = make(g, EXPR_ID, type);
  n->index = random_below(&g->random, ID_COUNT);
  n->bits = random_below(&g->random, 3);
  return n;
}

static struct node *random_call(struct generator *g, struct type type, uint32_t depth) {
  for (uint32_t i = 0; g->function == &g->kernel->main && i < g->kernel->helper_count; i++) {
    const struct function *f = &g->kernel->helpers[i];
    if (!same_type(f->result_type, type))
      continue;
    struct node *n = make(g, EXPR_CALL, type);
    n->index = i;
    for (uint32_t a = 0; a < f->parameter_count; a++)
      sub(g, n, f->variables[FIXED_VARIABLES + a].type, depth);
    return n;
  }
  return NULL;
}

struct node *random_expression(struct generator *g, struct type type, uint32_t depth) {
  struct node *n = NULL;
  if (depth == 0 || one_in(g, 6) || g->budget-- <= 0)
    return random_site(g, type);
  switch (random_below(&g->random, 12)) {
  case 0:
    n = random_builtin(g, type, depth);
    break;
  case 1:
    n = random_builtin(g, type, depth);
    break;
  case 2:
    n = random_select(g, type, depth);
    break;
  case 3:
    if (type.width > 1 ? base_is_signed(type.base) : type.base == BASE_INT)
      n = random_compare(g, type, depth);
    break;
  case 4:
    if (type.width == 1 && type.base == BASE_INT)
      n = random_logic(g, type, depth);
    break;
  case 5:
    n = random_conversion(g, type, depth);
    break;
  case 6:
    n = random_swizzle(g, type, depth);
    break;
  case 7:
    n = type.width > 1 ? random_vector(g, type, depth) : NULL;
    break;
  case 8:
    n = g->loads-- > 0 ? random_load(g, type, depth) : NULL;
    break;
  case 9:
    n = random_call(g, type, depth);
    break;
  case 10:
    if (type.width == 1 && type.base == BASE_UINT)
      n = random_id(g, type);
    break;
  default:
    break;
  }
  return n ? n : random_operator(g, type, depth);
}
