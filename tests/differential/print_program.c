/* Statements, functions, whole programs, and the workload that runs them. */
#include <stdlib.h>

#include "base/random.h"
#include "print.h"

/* Marks the objects and functions that are used. */

static void mark(struct kernel *k, struct function *f, const struct node *n) {
  const struct copy copy = copy_of(n);
  if (n->kind == EXPR_VARIABLE || n->kind == STMT_ASSIGN || n->kind == STMT_LANES || n->kind == STMT_POINTERS ||
      n->kind == STMT_RECORD)
    f->variables[n->index].used = true;
  if (n->kind == STMT_EXCHANGE || n->kind == STMT_TALLY || n->kind == STMT_POINTERS)
    f->variables[n->bits].used = true;
  if (n->kind == EXPR_LOAD || n->kind == STMT_STORE || n->kind == STMT_EXCHANGE || n->kind == STMT_TALLY ||
      n->kind == STMT_ATOMIC || n->kind == STMT_COPY)
    k->objects[n->index].used = true;
  if (n->kind == STMT_COPY)
    f->variables[copy.target].used = k->objects[copy.object].used = true;
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
    if (f->variables[v].in_record)
      fprintf(p->out, "  r.%sv%u = ", v % 2 ? "in." : "", v);
    else
      fprintf(p->out, "  %s%s v%u = ", f->variables[v].is_volatile ? "volatile " : "", type_text(f->variables[v].type),
              v);
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
  p->function = f;
  print_statement(p, f->body);
  fprintf(p->out, "  return ");
  print_expression(p, f->result);
  fprintf(p->out, ";\n}\n\n");
}

bool object_is_buffer(const struct object *o) {
  return o->used && (o->kind == OBJECT_INPUT || o->kind == OBJECT_OUTPUT || o->kind == OBJECT_ATOMIC);
}

bool object_is_parameter(const struct object *o) {
  return object_is_buffer(o) || (o->used && (o->kind == OBJECT_VALUE || (o->kind == OBJECT_LOCAL && o->is_argument)));
}

static void print_parameters(struct printer *p) {
  const char *between = "";
  for (uint32_t i = 0; i < p->kernel->object_count; i++) {
    const struct object *o = &p->kernel->objects[i];
    if (!object_is_parameter(o))
      continue;
    const struct type type = {o->type.base, object_is_scalar_pointer(o) ? 1 : o->type.width};
    fprintf(p->out, "%s%s%s%s ", between,
            o->kind == OBJECT_VALUE   ? ""
            : o->kind == OBJECT_LOCAL ? "__local "
                                      : "__global ",
            o->kind == OBJECT_INPUT || o->kind == OBJECT_VALUE ? "const " : "", type_text(type));
    fprintf(p->out, o->kind == OBJECT_VALUE ? "" : "*");
    print_object_name(p->out, p->kernel, i);
    between = ", ";
  }
}

bool object_has_own_atomic(const struct object *o) {
  return (o->kind == OBJECT_ATOMIC || o->kind == OBJECT_TALLY) && (base_is_float(o->type.base) || o->seed % 12 > 8);
}

/* An addition by compare and exchange. */
static void print_own_atomic(struct printer *p, uint32_t index) {
  const struct object *o = &p->kernel->objects[index];
  const bool is_float = base_is_float(o->type.base), is_wide = base_bytes(o->type.base) == 8;
  const char *type = type_text(o->type), *space = o->kind == OBJECT_TALLY ? "__local" : "__global";
  const char *bits = is_float ? "int" : type;
  fprintf(p->out, "void k%ua%u(volatile %s %s *at, %s value) {\n  %s old = *at, seen;\n", p->kernel->number, index,
          space, type, type, type);
  if (is_float)
    fprintf(p->out, "  value = (float)(as_int(value) & 0xff);\n");
  fprintf(p->out,
          "  for (;; old = seen) {\n    seen = as_%s(%s_cmpxchg((volatile %s %s *)at, as_%s(old), as_%s(%sold + "
          "%svalue%s)));\n",
          type, is_wide ? "atom" : "atomic", space, bits, bits, bits,
          is_float  ? ""
          : is_wide ? "(ulong)"
                    : "(uint)",
          is_float  ? ""
          : is_wide ? "(ulong)"
                    : "(uint)",
          "");
  fprintf(p->out, "    if (as_%s(seen) == as_%s(old))\n      return;\n  }\n}\n\n", bits, bits);
}

static bool has_record(const struct kernel *k) {
  for (uint32_t v = FIXED_VARIABLES; v < k->main.variable_count; v++)
    if (k->main.variables[v].used && k->main.variables[v].in_record)
      return true;
  return false;
}

static void print_members(struct printer *p, bool inner) {
  const struct function *f = &p->kernel->main;
  for (uint32_t v = FIXED_VARIABLES; v < f->variable_count; v++)
    if (f->variables[v].used && f->variables[v].in_record && v % 2 == inner)
      fprintf(p->out, "  %s v%u;\n", type_text(f->variables[v].type), v);
}

/* The structure, and a function that gives one of two. */
static void print_record(struct printer *p) {
  const uint32_t k = p->kernel->number;
  fprintf(p->out, "struct k%ui {\n  char first;\n", k);
  print_members(p, true);
  fprintf(p->out, "};\nstruct %sk%ur {\n", p->kernel->packed ? "__attribute__((packed)) " : "", k);
  print_members(p, false);
  fprintf(p->out, "  struct k%ui in;\n};\n", k);
  fprintf(p->out, "struct k%ur k%us(struct k%ur a, struct k%ur b, uint which) {\n  struct k%ur both[2];\n", k, k, k, k,
          k);
  fprintf(p->out, "  both[0] = a;\n  both[1] = b;\n  return both[which & 1u];\n}\n\n");
}

/* The work-item's number, group by group, and its number in the group. */
static void print_numbers(struct printer *p) {
  if (p->kernel->dimensions == 1) {
    fprintf(p->out, "  const uint item = (uint)(get_global_id(0) - get_global_offset(0));\n");
    fprintf(p->out, "  const uint lane = (uint)get_local_id(0);\n");
    return;
  }
  fprintf(p->out,
          "  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) "
          "+ get_local_id(0));\n");
  fprintf(p->out,
          "  const uint item = lane + %u * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
          "get_num_groups(0) + get_group_id(0));\n",
          group_size(p->kernel));
}

static void print_kernel(struct printer *p) {
  const struct kernel *k = p->kernel;
  for (uint32_t i = 0; i < k->object_count; i++)
    if (k->objects[i].used && k->objects[i].kind == OBJECT_TABLE)
      print_array(p, i, "__constant ");
  for (uint32_t i = 0; i < k->object_count; i++)
    if (k->objects[i].used && object_has_own_atomic(&k->objects[i]))
      print_own_atomic(p, i);
  for (uint32_t h = 0; h < k->helper_count; h++)
    if (k->helpers[h].used)
      print_helper(p, h);
  if (has_record(k))
    print_record(p);
  fprintf(p->out, "__kernel void k%u(", k->number);
  print_parameters(p);
  fprintf(p->out, ") {\n");
  print_numbers(p);
  for (uint32_t i = 0; i < k->object_count; i++)
    if (object_is_parameter(&k->objects[i]))
      continue;
    else if (k->objects[i].used && (k->objects[i].kind == OBJECT_LOCAL || k->objects[i].kind == OBJECT_TALLY))
      print_array(p, i, "  __local ");
    else if (k->objects[i].used && k->objects[i].kind == OBJECT_PRIVATE)
      print_array(p, i, "  ");
  p->function = &k->main;
  if (has_record(k))
    fprintf(p->out, "  struct k%ur r;\n", k->number);
  print_variables(p, &k->main, FIXED_VARIABLES);
  p->indent = 1;
  print_statement(p, k->main.body);
  fprintf(p->out, "}\n\n");
}

void program_print(struct program *p, uint32_t from, uint32_t count, FILE *out) {
  fprintf(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
               "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
               "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n#pragma OPENCL FP_CONTRACT OFF\n\n");
  for (uint32_t i = from; i < from + count; i++) {
    struct printer printer = {.out = out, .kernel = &p->kernels[i]};
    clear_marks(&p->kernels[i]);
    mark(&p->kernels[i], &p->kernels[i].main, p->kernels[i].main.body);
    print_kernel(&printer);
  }
}
