/* Random kernels: objects, variables, helpers, statements. */
#include "generate.h"

#include <stdlib.h>

#define EXPRESSION_DEPTH 3

static const struct type type_int = {BASE_INT, 1}, type_uint = {BASE_UINT, 1};

static struct node *statement(struct generator *g, enum node_kind kind) {
  return program_node(g->program, kind, type_int);
}

static struct node *with(struct generator *g, struct node *parent, struct type type) {
  return add_child(parent, random_expression(g, type, EXPRESSION_DEPTH));
}

static uint32_t add_variable(struct generator *g, struct function *f, struct type type, bool is_counter) {
  f->variables[f->variable_count] =
      (struct variable){.type = type, .is_counter = is_counter, .seed = random_next(&g->random)};
  return f->variable_count++;
}

static uint32_t add_object(struct generator *g, enum object_kind kind, struct type type, uint32_t count) {
  struct kernel *k = g->kernel;
  const uint64_t seed = random_next(&g->random);
  k->objects[k->object_count] =
      (struct object){.kind = kind, .type = type, .count = count, .seed = seed, .vectors_by_function = seed % 2};
  return k->object_count++;
}

/* A variable that may be assigned. */
static uint32_t random_target(struct generator *g) {
  uint32_t i;
  do
    i = FIXED_VARIABLES + random_below(&g->random, g->function->variable_count - FIXED_VARIABLES);
  while (g->function->variables[i].is_counter);
  return i;
}

static bool find_object(struct generator *g, enum object_kind kind, uint32_t *index) {
  uint32_t found[MAX_OBJECTS], count = 0;
  for (uint32_t i = 0; i < g->kernel->object_count; i++)
    if (g->kernel->objects[i].kind == kind)
      found[count++] = i;
  *index = count ? found[random_below(&g->random, count)] : 0;
  return count > 0;
}

static struct node *random_block(struct generator *g, uint32_t statements, uint32_t depth, bool uniform);

static struct node *random_assignment(struct generator *g) {
  const uint32_t target = random_target(g);
  const struct type type = g->function->variables[target].type;
  struct node *n = statement(g, STMT_ASSIGN);
  n->index = target;
  if (type.width < 2 || !one_in(g, 3))
    return with(g, n, type);
  n->kind = STMT_LANES; /* two different lanes, or one */
  n->type = (struct type){type.base, type.width > 2 && one_in(g, 2) ? 2 : 1};
  n->lanes[0] = (uint8_t)random_below(&g->random, type.width);
  n->lanes[1] = (uint8_t)((n->lanes[0] + 1 + random_below(&g->random, type.width - 1u)) % type.width);
  return with(g, n, n->type);
}

static struct node *random_store(struct generator *g) {
  uint32_t object;
  if (g->function != &g->kernel->main || !find_object(g, one_in(g, 2) ? OBJECT_PRIVATE : OBJECT_OUTPUT, &object))
    return random_assignment(g);
  struct node *n = statement(g, STMT_STORE);
  n->index = object;
  with(g, n, type_uint);
  return with(g, n, g->kernel->objects[object].type);
}

static struct node *random_if(struct generator *g, uint32_t depth) {
  struct node *n = with(g, statement(g, STMT_IF), type_int);
  add_child(n, random_block(g, 3, depth - 1, false));
  return add_child(n, random_block(g, one_in(g, 2) ? 2 : 0, depth - 1, false));
}

static struct node *random_loop(struct generator *g, uint32_t depth, bool uniform) {
  if (g->function->variable_count == MAX_VARIABLES || g->loops == 2)
    return random_assignment(g);
  struct node *n = statement(g, STMT_LOOP);
  n->index = add_variable(g, g->function, type_uint, true);
  n->bits = random_below(&g->random, uniform || !g->kernel->irreducible ? 3 : 4);
  if (uniform) { /* the same number in all work-items */
    struct node *times = random_constant(g, type_uint);
    times->bits = 1 + random_below(&g->random, 4);
    add_child(n, times);
  } else
    with(g, n, type_uint);
  const bool may_leave = g->may_leave;
  g->may_leave = !uniform;
  g->open[n->index] = true;
  g->loops++;
  add_child(n, random_block(g, 3, depth - 1, uniform));
  if (n->bits == LOOP_ENTERED_IN_THE_MIDDLE)
    add_child(n, random_block(g, 2, depth - 1, uniform));
  g->loops--;
  g->open[n->index] = false;
  g->may_leave = may_leave;
  return n;
}

static struct node *random_switch(struct generator *g, uint32_t depth) {
  const uint32_t cases = 2 + random_below(&g->random, 4);
  struct node *n = with(g, statement(g, STMT_SWITCH), type_uint);
  n->bits = random_next(&g->random) & random_next(&g->random);
  for (uint32_t i = 0; i < cases; i++)
    add_child(n, random_block(g, 2, depth - 1, false));
  return n;
}

static struct node *random_exit(struct generator *g) {
  if (g->function != &g->kernel->main && one_in(g, 2)) {
    struct node *n = with(g, statement(g, STMT_RETURN_IF), type_int);
    return with(g, n, g->function->result_type);
  }
  if (!g->may_leave)
    return random_assignment(g);
  struct node *n = with(g, statement(g, STMT_LEAVE_IF), type_int);
  n->bits = random_below(&g->random, 2);
  return n;
}

static struct node *random_exchange(struct generator *g) {
  uint32_t object;
  const bool tally = one_in(g, 3);
  if (!find_object(g, tally ? OBJECT_TALLY : OBJECT_LOCAL, &object))
    return random_assignment(g);
  const struct type type = g->kernel->objects[object].type;
  uint32_t target = random_target(g);
  for (uint32_t i = 0; i < 64 && !same_type(g->function->variables[target].type, type); i++)
    target = random_target(g);
  if (!same_type(g->function->variables[target].type, type))
    return random_assignment(g);
  struct node *n = statement(g, tally ? STMT_TALLY : STMT_EXCHANGE);
  n->index = object;
  n->bits = target;
  if (tally)
    with(g, n, type_uint);
  with(g, n, type);
  return with(g, n, type_uint);
}

static struct node *random_atomic(struct generator *g) {
  uint32_t object;
  if (g->function != &g->kernel->main || !find_object(g, OBJECT_ATOMIC, &object))
    return random_assignment(g);
  struct node *n = statement(g, STMT_ATOMIC);
  n->index = object;
  with(g, n, type_uint);
  return with(g, n, g->kernel->objects[object].type);
}

/* Two variables that pointers may point to. */
static struct node *random_pointers(struct generator *g) {
  const struct variable *v = g->function->variables;
  const uint32_t one = random_target(g), other = random_target(g);
  if (!same_type(v[one].type, v[other].type) || v[one].in_record || v[other].in_record || v[one].is_volatile ||
      v[other].is_volatile)
    return random_assignment(g);
  struct node *n = statement(g, STMT_POINTERS);
  n->index = one;
  n->bits = other;
  with(g, n, type_uint);
  return with(g, n, v[one].type);
}

static struct node *random_record(struct generator *g) {
  const uint32_t target = random_target(g);
  if (!g->function->variables[target].in_record)
    return random_assignment(g);
  struct node *n = statement(g, STMT_RECORD);
  n->index = target;
  with(g, n, type_uint);
  return with(g, n, g->function->variables[target].type);
}

/* Its objects, and the variable that gets an element. */
static bool find_copy(struct generator *g, uint32_t *local, struct copy *c) {
  const struct object *objects = g->kernel->objects;
  uint32_t global;
  c->out = one_in(g, 2);
  if (!find_object(g, OBJECT_LOCAL, local) || !find_object(g, c->out ? OBJECT_OUTPUT : OBJECT_INPUT, &global))
    return false;
  const struct object *o = &objects[global];
  const uint32_t target = random_target(g);
  c->object = (uint8_t)global;
  c->target = (uint8_t)target;
  return same_type(o->type, objects[*local].type) && same_type(o->type, g->function->variables[target].type) &&
         (o->type.width == 1 || (!o->vectors_by_function && o->type.width != 3));
}

static struct node *random_copy(struct generator *g) {
  struct copy c = {0};
  uint32_t local;
  bool found = false;
  for (uint32_t i = 0; i < 32 && !found; i++)
    found = find_copy(g, &local, &c);
  if (!found)
    return random_assignment(g);
  struct node *n = statement(g, STMT_COPY);
  const uint32_t elements = g->kernel->objects[c.object].count, size = group_size(g->kernel);
  const uint32_t most = c.out ? elements : elements / size;
  if (!most)
    return random_assignment(g);
  c.stride = (uint8_t)(c.out ? elements : 1 + random_below(&g->random, most < 3 ? most : 3));
  c.start = (uint8_t)random_below(&g->random, c.out ? elements : 1 + elements - c.stride * size);
  n->index = local;
  memcpy(&n->bits, &c, sizeof c);
  with(g, n, type_uint);
  return c.out ? with(g, n, g->kernel->objects[local].type) : n;
}

static struct node *random_statement(struct generator *g, uint32_t depth, bool uniform) {
  switch (random_below(&g->random, 16)) {
  case 0:
  case 1:
    return depth ? random_if(g, depth) : random_assignment(g);
  case 2:
  case 3:
    return depth ? random_loop(g, depth, uniform && one_in(g, 2)) : random_assignment(g);
  case 4:
    return depth ? random_switch(g, depth) : random_assignment(g);
  case 5:
    return random_exit(g);
  case 6:
    return uniform ? random_exchange(g) : random_assignment(g);
  case 7:
    return uniform ? random_exchange(g) : random_store(g);
  case 8:
    return random_atomic(g);
  case 9:
  case 10:
    return random_store(g);
  case 11:
    return random_pointers(g);
  case 12:
    return random_record(g);
  case 13:
    return uniform && one_in(g, 2) ? random_copy(g) : random_assignment(g);
  default:
    return random_assignment(g);
  }
}

static struct node *random_block(struct generator *g, uint32_t statements, uint32_t depth, bool uniform) {
  struct node *block = statement(g, STMT_BLOCK);
  const uint32_t count = statements ? 1 + random_below(&g->random, statements) : 0;
  for (uint32_t i = 0; i < count; i++)
    add_child(block, random_statement(g, depth, uniform));
  return block;
}

static struct type random_palette_type(struct generator *g, const struct type *palette) {
  return palette[random_below(&g->random, 5)];
}

static void make_helper(struct generator *g, const struct type *palette) {
  struct function *f = &g->kernel->helpers[g->kernel->helper_count];
  g->function = f;
  f->variable_count = FIXED_VARIABLES;
  f->result_type = random_palette_type(g, palette);
  f->parameter_count = 1 + random_below(&g->random, MAX_PARAMETERS);
  for (uint32_t i = 0; i < f->parameter_count + 2; i++)
    add_variable(g, f, random_palette_type(g, palette), false);
  f->body = random_block(g, 3, 1, false);
  f->result = random_expression(g, f->result_type, EXPRESSION_DEPTH);
  g->kernel->helper_count++;
}

static void add_local(struct generator *g, struct type type) {
  const uint32_t index = add_object(g, OBJECT_LOCAL, type, 0);
  g->kernel->objects[index].is_argument = one_in(g, 3);
}

static void make_objects(struct generator *g, const struct type *palette) {
  static const uint32_t places[] = {2, 4, 8, 16};
  static const uint8_t atomics[] = {BASE_INT, BASE_UINT, BASE_LONG, BASE_ULONG, BASE_FLOAT};
  for (uint32_t i = 0; i < 5; i++) {
    add_object(g, OBJECT_OUTPUT, palette[i], 8);
    if (one_in(g, 2))
      add_object(g, OBJECT_INPUT, palette[i], 64);
    if (one_in(g, 3))
      add_local(g, palette[i]);
    if (one_in(g, 3))
      add_object(g, OBJECT_VALUE, palette[i], 1);
  }
  for (uint32_t i = 0; i < 3 && one_in(g, 2); i++) {
    const struct type type = random_palette_type(g, palette);
    const uint32_t count = places[random_below(&g->random, 4)];
    add_object(g, one_in(g, 2) ? OBJECT_PRIVATE : OBJECT_TABLE, type, count);
  }
  if (one_in(g, 3))
    add_object(g, OBJECT_TALLY, type_uint, 8);
  if (one_in(g, 2))
    add_object(g, OBJECT_ATOMIC, (struct type){atomics[random_below(&g->random, 5)], 1}, 16);
}

/* Every variable's last value goes to a place of its own. */
static void store_variables(struct generator *g) {
  struct function *f = g->function;
  uint32_t places[MAX_OBJECTS] = {0};
  for (uint32_t v = FIXED_VARIABLES; v < f->variable_count; v++)
    for (uint32_t i = 0; !f->variables[v].is_counter && i < g->kernel->object_count; i++) {
      if (g->kernel->objects[i].kind != OBJECT_OUTPUT || !same_type(g->kernel->objects[i].type, f->variables[v].type))
        continue;
      struct node *n = statement(g, STMT_STORE), *place = random_constant(g, type_uint);
      struct node *value = program_node(g->program, EXPR_VARIABLE, f->variables[v].type);
      n->index = i;
      place->bits = places[i]++;
      value->index = v;
      add_child(f->body, add_child(add_child(n, place), value));
      break;
    }
}

static void make_shape(struct generator *g) {
  static const uint32_t along_x[] = {4, 8, 16, 24, 1, 3, 5, 12}, along_others[] = {1, 4, 2, 3};
  struct kernel *k = g->kernel;
  const bool moved = one_in(g, 4);
  k->dimensions = 1 + random_below(&g->random, one_in(g, 3) ? 3 : 2);
  for (uint32_t d = 0; d < 3; d++) {
    const bool there = d < k->dimensions;
    k->local[d] = !there ? 1
                  : d    ? along_others[random_below(&g->random, d == 1 ? 4 : 2) % (d == 1 ? 4 : 3)]
                         : along_x[random_below(&g->random, one_in(g, 2) ? 8 : 3)];
    k->groups[d] = there ? 1 + random_below(&g->random, d ? 2 : 3) : 1;
    k->offset[d] = there && moved ? random_below(&g->random, 100) : 0;
  }
  k->packed = one_in(g, 4);
  k->irreducible = one_in(g, 4);
}

/* PoCL 3.1 crashes on volatile variables that are longer. */
static bool is_at_most_16_bytes(struct type t) {
  return base_bytes(t.base) * (t.width == 3 ? 4u : t.width) <= 16;
}

static void make_kernel(struct generator *g) {
  struct type palette[5] = {type_uint, type_int};
  palette[2] = random_type(g);
  palette[3] = random_type(g);
  palette[4] = (struct type){one_in(g, 3) ? BASE_DOUBLE : BASE_FLOAT, palette[3].width};
  struct function *f = &g->kernel->main;
  make_shape(g);
  make_objects(g, palette);
  for (uint32_t i = random_below(&g->random, 3); i > 0; i--)
    make_helper(g, palette);
  g->function = f;
  g->budget = 120;
  g->loads = 25;
  add_variable(g, f, type_uint, false);
  add_variable(g, f, type_uint, false);
  for (uint32_t i = 0; i < 9; i++) {
    struct variable *v = &f->variables[add_variable(g, f, palette[i % 5], false)];
    v->in_record = one_in(g, 4);
    v->is_volatile = !v->in_record && one_in(g, 16) && is_at_most_16_bytes(v->type);
  }
  f->body = random_block(g, 8, 3, !g->kernel->irreducible);
  store_variables(g);
}

void program_generate(struct program *p, uint64_t seed, uint32_t first, uint32_t count) {
  p->kernels = calloc(count, sizeof *p->kernels);
  if (!p->kernels)
    exit(1);
  for (; p->kernel_count < count; p->kernel_count++) {
    struct random_state mix = {seed ^ (0xd1b54a32d192ed03u * (first + p->kernel_count + 1))};
    struct generator g = {
        .random = {random_next(&mix)}, .program = p, .kernel = &p->kernels[p->kernel_count], .budget = 40, .loads = 10};
    g.kernel->number = first + p->kernel_count;
    make_kernel(&g);
  }
}
