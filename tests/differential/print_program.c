/* Statements, functions, whole programs, and the workload that runs them. */
#include <stdlib.h>

#include "base/random.h"
#include "print.h"

/* What is used. */

static void mark(struct kernel *k, struct function *f, const struct node *n) {
  if (n->kind == EXPR_VARIABLE || n->kind == STMT_ASSIGN || n->kind == STMT_LANES)
    f->variables[n->index].used = true;
  if (n->kind == STMT_EXCHANGE || n->kind == STMT_TALLY)
    f->variables[n->bits].used = true;
  if (n->kind == EXPR_LOAD || n->kind == STMT_STORE || n->kind == STMT_EXCHANGE || n->kind == STMT_TALLY ||
      n->kind == STMT_ATOMIC)
    k->objects[n->index].used = true;
  if (n->kind == EXPR_CALL && !k->helpers[n->index].used) {
    struct function *helper = &k->helpers[n->index];
    helper->used = true;
    mark(k, helper, helper->body);
    mark(k, helper, helper->result);
  }
  for (const struct node *c = n->first; c; c = c->next)
    mark(k, f, c);
}

static void clear_marks(struct kernel *k) {
  for (uint32_t i = 0; i < k->object_count; i++)
    k->objects[i].used = false;
  for (uint32_t h = 0; h <= k->helper_count; h++) {
    struct function *f = h < k->helper_count ? &k->helpers[h] : &k->main;
    f->used = false;
    for (uint32_t v = 0; v < f->variable_count; v++)
      f->variables[v].used = false;
  }
}

/* Statements. */

static void line(struct printer *p) {
  fprintf(p->out, "%*s", (int)(2 * p->indent), "");
}

static void statement(struct printer *p, const struct node *n);

static void block(struct printer *p, const struct node *n, const char *after) {
  fprintf(p->out, "{\n");
  p->indent++;
  statement(p, n);
  p->indent--;
  line(p);
  fprintf(p->out, "}%s", after);
}

static void print_store(struct printer *p, const struct node *n) {
  const struct object *o = &p->kernel->objects[n->index];
  if (object_is_scalar_pointer(o)) {
    fprintf(p->out, "vstore%u(", o->type.width);
    print_expression(p, child(n, 1));
    fprintf(p->out, ", ");
    print_place(p, o, child(n, 0));
    fprintf(p->out, ", ");
    print_object_name(p->out, p->kernel, n->index);
    fprintf(p->out, ");\n");
    return;
  }
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[");
  print_place(p, o, child(n, 0));
  fprintf(p->out, "] = ");
  print_expression(p, child(n, 1));
  fprintf(p->out, ";\n");
}

static void print_loop(struct printer *p, const struct node *n) {
  static const char *const heads[] = {"for (uint v%u = 0; v%u < n%u; v%u++) ", "for (uint v%u = 0; v%u++ < n%u;) ",
                                      "uint v%u = 0;\n"};
  fprintf(p->out, "{\n");
  p->indent++;
  line(p);
  fprintf(p->out, "const uint n%u = (", n->index);
  print_expression(p, child(n, 0));
  fprintf(p->out, ") & 7u;\n");
  line(p);
  if (n->bits == 0)
    fprintf(p->out, heads[0], n->index, n->index, n->index, n->index);
  else if (n->bits == 1)
    fprintf(p->out, heads[1], n->index, n->index, n->index);
  else {
    fprintf(p->out, heads[2], n->index);
    line(p);
    fprintf(p->out, "do ");
  }
  block(p, child(n, 1), "");
  if (n->bits == 2)
    fprintf(p->out, " while (++v%u < n%u);", n->index, n->index);
  fprintf(p->out, "\n");
  p->indent--;
  line(p);
  fprintf(p->out, "}\n");
}

static void print_switch(struct printer *p, const struct node *n) {
  uint32_t cases = 0;
  for (const struct node *c = n->first->next; c; c = c->next)
    cases++;
  fprintf(p->out, "switch ((");
  print_expression(p, n->first);
  fprintf(p->out, ") %% %uu) {\n", cases + 1);
  uint32_t i = 0;
  for (const struct node *c = n->first->next; c; c = c->next, i++) {
    line(p);
    if (c->next)
      fprintf(p->out, "case %u: ", i);
    else
      fprintf(p->out, "default: ");
    block(p, c, n->bits >> i & 1 ? "\n" : " break;\n");
  }
  line(p);
  fprintf(p->out, "}\n");
}

static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);\n";

static void receive(struct printer *p, const struct node *n, const struct node *from) {
  line(p);
  fprintf(p->out, "%s", barrier);
  line(p);
  print_variable_name(p, (uint32_t)n->bits);
  fprintf(p->out, " = ");
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[");
  print_place(p, &p->kernel->objects[n->index], from);
  fprintf(p->out, "];\n");
  line(p);
  fprintf(p->out, "%s", barrier);
}

static void print_exchange(struct printer *p, const struct node *n) {
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[lane] = ");
  print_expression(p, child(n, 0));
  fprintf(p->out, ";\n");
  receive(p, n, child(n, 1));
}

/* Functions whose order does not matter, one for each object. */
static const char *atomic_name(const struct object *o) {
  static const char *const names[] = {"atomic_add", "atomic_sub", "atomic_xor", "atomic_or", "atomic_max"};
  return names[o->seed % 5];
}

static void print_atomic(struct printer *p, const struct node *n) {
  const struct object *o = &p->kernel->objects[n->index];
  fprintf(p->out, "%s(&", atomic_name(o));
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[");
  print_place(p, o, child(n, 0));
  fprintf(p->out, "], ");
  print_expression(p, child(n, 1));
  fprintf(p->out, ");\n");
}

static void print_tally(struct printer *p, const struct node *n) {
  const struct object *o = &p->kernel->objects[n->index];
  fprintf(p->out, "for (uint i = lane; i < %u; i += %u)\n", o->count, p->kernel->local[0] * p->kernel->local[1]);
  line(p);
  fprintf(p->out, "  ");
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[i] = 0;\n");
  line(p);
  fprintf(p->out, "%s", barrier);
  line(p);
  print_atomic(p, n);
  receive(p, n, child(n, 2));
}

static void print_if(struct printer *p, const struct node *n) {
  fprintf(p->out, "if (");
  print_expression(p, child(n, 0));
  fprintf(p->out, ") ");
  const bool has_else = child(n, 2)->first != NULL;
  block(p, child(n, 1), has_else ? " else " : "\n");
  if (has_else)
    block(p, child(n, 2), "\n");
}

static void print_exit(struct printer *p, const struct node *n) {
  fprintf(p->out, "if (");
  print_expression(p, child(n, 0));
  if (n->kind == STMT_LEAVE_IF) {
    fprintf(p->out, ") %s;\n", n->bits ? "break" : "continue");
    return;
  }
  fprintf(p->out, ") return ");
  print_expression(p, child(n, 1));
  fprintf(p->out, ";\n");
}

static void print_assignment(struct printer *p, const struct node *n) {
  print_variable_name(p, n->index);
  if (n->kind == STMT_LANES)
    print_assigned_lanes(p, n);
  fprintf(p->out, " = ");
  print_expression(p, child(n, 0));
  fprintf(p->out, ";\n");
}

static void statement(struct printer *p, const struct node *n) {
  if (n->kind == STMT_BLOCK) {
    for (const struct node *c = n->first; c; c = c->next)
      statement(p, c);
    return;
  }
  line(p);
  switch (n->kind) {
  case STMT_ASSIGN:
  case STMT_LANES:
    print_assignment(p, n);
    break;
  case STMT_STORE:
    print_store(p, n);
    break;
  case STMT_IF:
    print_if(p, n);
    break;
  case STMT_LOOP:
    print_loop(p, n);
    break;
  case STMT_SWITCH:
    print_switch(p, n);
    break;
  case STMT_LEAVE_IF:
  case STMT_RETURN_IF:
    print_exit(p, n);
    break;
  case STMT_EXCHANGE:
    print_exchange(p, n);
    break;
  case STMT_TALLY:
    print_tally(p, n);
    break;
  case STMT_ATOMIC:
    print_atomic(p, n);
    break;
  default:
    abort();
  }
}

/* Declarations. */

static void print_first_value(struct printer *p, struct type type, struct random_state *random) {
  const uint64_t bits = random_next(random);
  const double value = (double)(int64_t)(random_next(random) >> 56) / 4 - 32;
  print_constant(p, type, bits % 3 ? bits % 100 : bits, value);
}

static void print_variables(struct printer *p, const struct function *f, uint32_t first) {
  for (uint32_t v = first; v < f->variable_count; v++) {
    struct random_state random = {f->variables[v].seed};
    if (!f->variables[v].used || f->variables[v].is_counter)
      continue;
    fprintf(p->out, "  %s v%u = ", type_text(f->variables[v].type), v);
    print_first_value(p, f->variables[v].type, &random);
    fprintf(p->out, ";\n");
  }
}

static void print_array(struct printer *p, uint32_t index, const char *before) {
  const struct object *o = &p->kernel->objects[index];
  struct random_state random = {o->seed};
  fprintf(p->out, "%s%s ", before, type_text(o->type));
  print_object_name(p->out, p->kernel, index);
  fprintf(p->out, "[%u]", object_elements(p->kernel, o));
  for (uint32_t i = 0; i < o->count && o->kind != OBJECT_LOCAL && o->kind != OBJECT_TALLY; i++) {
    fprintf(p->out, i ? ", " : " = {");
    print_first_value(p, o->type, &random);
  }
  fprintf(p->out, o->kind == OBJECT_LOCAL || o->kind == OBJECT_TALLY ? ";\n" : "};\n");
}

static void print_helper(struct printer *p, uint32_t index) {
  const struct function *f = &p->kernel->helpers[index];
  fprintf(p->out, "%s k%uh%u(", type_text(f->result_type), p->kernel->number, index);
  for (uint32_t a = 0; a < f->parameter_count; a++)
    fprintf(p->out, "%s%s v%u", a ? ", " : "", type_text(f->variables[FIXED_VARIABLES + a].type), FIXED_VARIABLES + a);
  fprintf(p->out, ") {\n");
  print_variables(p, f, FIXED_VARIABLES + f->parameter_count);
  p->indent = 1;
  statement(p, f->body);
  fprintf(p->out, "  return ");
  print_expression(p, f->result);
  fprintf(p->out, ";\n}\n\n");
}

static bool is_parameter(const struct object *o) {
  return o->used && (o->kind == OBJECT_INPUT || o->kind == OBJECT_OUTPUT || o->kind == OBJECT_ATOMIC);
}

static void print_parameters(struct printer *p) {
  const char *between = "";
  for (uint32_t i = 0; i < p->kernel->object_count; i++) {
    const struct object *o = &p->kernel->objects[i];
    if (!is_parameter(o))
      continue;
    const struct type type = {o->type.base, object_is_scalar_pointer(o) ? 1 : o->type.width};
    fprintf(p->out, "%s__global %s%s *", between, o->kind == OBJECT_INPUT ? "const " : "", type_text(type));
    print_object_name(p->out, p->kernel, i);
    between = ", ";
  }
}

static void print_kernel(struct printer *p) {
  const struct kernel *k = p->kernel;
  for (uint32_t i = 0; i < k->object_count; i++)
    if (k->objects[i].used && k->objects[i].kind == OBJECT_TABLE)
      print_array(p, i, "__constant ");
  for (uint32_t h = 0; h < k->helper_count; h++)
    if (k->helpers[h].used)
      print_helper(p, h);
  fprintf(p->out, "__kernel void k%u(", k->number);
  print_parameters(p);
  fprintf(p->out, ") {\n  const uint item = (uint)(get_global_id(1) * get_global_size(0) + get_global_id(0));\n");
  fprintf(p->out, "  const uint lane = (uint)(get_local_id(1) * get_local_size(0) + get_local_id(0));\n");
  for (uint32_t i = 0; i < k->object_count; i++)
    if (k->objects[i].used && (k->objects[i].kind == OBJECT_LOCAL || k->objects[i].kind == OBJECT_TALLY))
      print_array(p, i, "  __local ");
    else if (k->objects[i].used && k->objects[i].kind == OBJECT_PRIVATE)
      print_array(p, i, "  ");
  print_variables(p, &k->main, FIXED_VARIABLES);
  p->indent = 1;
  statement(p, k->main.body);
  fprintf(p->out, "}\n\n");
}

void program_print(struct program *p, uint32_t from, uint32_t count, FILE *out) {
  fprintf(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n\n");
  for (uint32_t i = from; i < from + count; i++) {
    struct printer printer = {.out = out, .kernel = &p->kernels[i]};
    clear_marks(&p->kernels[i]);
    mark(&p->kernels[i], &p->kernels[i].main, p->kernels[i].main.body);
    print_kernel(&printer);
  }
}

/* The workload. */

static uint32_t item_count(const struct kernel *k) {
  return k->local[0] * k->local[1] * k->groups[0] * k->groups[1];
}

static void print_buffer(const struct kernel *k, uint32_t index, FILE *out) {
  const struct object *o = &k->objects[index];
  fprintf(out, "  k%u", k->number);
  print_object_name(out, k, index);
  fprintf(out, ": {type: %s, count: %u", type_text(o->type),
          o->kind == OBJECT_OUTPUT ? o->count * item_count(k) : o->count);
  if (o->kind == OBJECT_INPUT && base_is_float(o->type.base))
    fprintf(out, ", init: uniform, low: -100, high: 100");
  else if (o->kind == OBJECT_INPUT)
    fprintf(out, ", init: uniform, low: %d, high: 120", base_is_signed(o->type.base) ? -120 : 0);
  fprintf(out, "}\n");
}

static void print_launch(const struct kernel *k, FILE *out) {
  fprintf(out, "  - kernel: k%u\n    global: [%u, %u]\n    local: [%u, %u]\n    args: [", k->number,
          k->local[0] * k->groups[0], k->local[1] * k->groups[1], k->local[0], k->local[1]);
  const char *between = "";
  for (uint32_t i = 0; i < k->object_count; i++) {
    if (!is_parameter(&k->objects[i]))
      continue;
    fprintf(out, "%s{buffer: k%u", between, k->number);
    print_object_name(out, k, i);
    fprintf(out, "}");
    between = ", ";
  }
  fprintf(out, "]\n");
}

void program_print_workload(struct program *p, uint32_t from, uint32_t count, const char *name, const char *source,
                            const char *about, uint64_t seed, FILE *out) {
  fprintf(out, "schema: reassemble.workload/1\nname: %s\nabout: %s\nsource: %s\noptions: \"-w\"\nseed: %u\nbuffers:\n",
          name, about, source, (uint32_t)(seed & 0x7fffffff));
  for (uint32_t k = from; k < from + count; k++)
    for (uint32_t i = 0; i < p->kernels[k].object_count; i++)
      if (is_parameter(&p->kernels[k].objects[i]))
        print_buffer(&p->kernels[k], i, out);
  fprintf(out, "  unused: {type: int, count: 1}\nlaunches:\n"); /* a shrunk kernel may have no buffer */
  for (uint32_t k = from; k < from + count; k++)
    print_launch(&p->kernels[k], out);
}
