/* Statements -> OpenCL C. */
#include <stdlib.h>

#include "print.h"

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

static void print_two_halves(struct printer *p, const struct node *n) {
  fprintf(p->out, "{\n");
  p->indent++;
  statement(p, child(n, 1));
  line(p);
  fprintf(p->out, "middle%u:;\n", n->index);
  statement(p, child(n, 2));
  p->indent--;
  line(p);
  fprintf(p->out, "}");
}

static void print_loop(struct printer *p, const struct node *n) {
  const uint32_t v = n->index;
  fprintf(p->out, "{\n");
  p->indent++;
  line(p);
  fprintf(p->out, "const uint n%u = (", v);
  print_expression(p, child(n, 0));
  fprintf(p->out, ") & 7u;\n");
  line(p);
  if (n->bits == LOOP_FOR)
    fprintf(p->out, "for (uint v%u = 0; v%u < n%u; v%u++) ", v, v, v, v);
  else if (n->bits == LOOP_WHILE)
    fprintf(p->out, "for (uint v%u = 0; v%u++ < n%u;) ", v, v, v);
  else {
    fprintf(p->out, "uint v%u = 0;\n", v);
    line(p);
    if (n->bits == LOOP_ENTERED_IN_THE_MIDDLE)
      fprintf(p->out, "if (n%u & 1u) goto middle%u;\n%*s", v, v, (int)(2 * p->indent), "");
    fprintf(p->out, "do ");
  }
  if (n->bits == LOOP_ENTERED_IN_THE_MIDDLE)
    print_two_halves(p, n);
  else
    block(p, child(n, 1), "");
  if (n->bits >= LOOP_DO)
    fprintf(p->out, " while (++v%u < n%u);", v, v);
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

static void receive(struct printer *p, const struct node *n, uint32_t target, const struct node *from) {
  line(p);
  fprintf(p->out, "%s", barrier);
  line(p);
  print_variable_name(p, target);
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
  receive(p, n, (uint32_t)n->bits, child(n, 1));
}

/* Functions whose order does not matter, one for each object; floats are whole numbers, whose sum is exact. */
static void print_atomic(struct printer *p, const struct node *n) {
  static const char *const names[] = {"add", "sub", "xor", "or", "max", "min", "and", "inc", "dec"};
  const struct object *o = &p->kernel->objects[n->index];
  const uint64_t chosen = o->seed % 12;
  const bool own = object_has_own_atomic(o), is_unary = chosen == 7 || chosen == 8;
  if (own)
    fprintf(p->out, "k%ua%u(&", p->kernel->number, n->index);
  else
    fprintf(p->out, "%s_%s(&", base_bytes(o->type.base) == 8 ? "atom" : "atomic", names[chosen]);
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[");
  print_place(p, o, child(n, 0));
  fprintf(p->out, "]");
  if (own || !is_unary) {
    fprintf(p->out, ", ");
    print_expression(p, child(n, 1));
  }
  fprintf(p->out, ");\n");
}

static void print_tally(struct printer *p, const struct node *n) {
  const struct object *o = &p->kernel->objects[n->index];
  fprintf(p->out, "for (uint i = lane; i < %u; i += %u)\n", o->count, group_size(p->kernel));
  line(p);
  fprintf(p->out, "  ");
  print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "[i] = 0;\n");
  line(p);
  fprintf(p->out, "%s", barrier);
  line(p);
  print_atomic(p, n);
  receive(p, n, (uint32_t)n->bits, child(n, 2));
}

/* From places of an input to local memory, or from local memory to one place of each work-item's output. */
static void print_copy(struct printer *p, const struct node *n) {
  const struct copy c = copy_of(n);
  const struct object *o = &p->kernel->objects[c.object];
  const uint32_t size = group_size(p->kernel);
  const char *function = c.stride == 1 ? "async_work_group_copy" : "async_work_group_strided_copy";
  if (c.out) {
    print_object_name(p->out, p->kernel, n->index);
    fprintf(p->out, "[lane] = ");
    print_expression(p, child(n, 1));
    fprintf(p->out, ";\n");
    line(p);
    fprintf(p->out, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
    line(p);
  }
  fprintf(p->out, "{\n");
  line(p);
  fprintf(p->out, "  event_t done = %s(", function);
  if (!c.out) {
    print_object_name(p->out, p->kernel, n->index);
    fprintf(p->out, ", ");
  }
  fprintf(p->out, "&");
  print_object_name(p->out, p->kernel, c.object);
  if (c.out)
    fprintf(p->out, "[(item - lane) * %u + %u], ", o->count, c.start);
  else
    fprintf(p->out, "[%u], ", c.start);
  if (c.out)
    print_object_name(p->out, p->kernel, n->index);
  fprintf(p->out, "%s%u", c.out ? ", " : "", size);
  if (c.stride > 1)
    fprintf(p->out, ", %u", c.stride);
  fprintf(p->out, ", 0);\n");
  line(p);
  fprintf(p->out, "  wait_group_events(1, &done);\n");
  line(p);
  fprintf(p->out, "}\n");
  receive(p, n, c.target, child(n, 0));
}

static void print_pointers(struct printer *p, const struct node *n) {
  const struct type type = p->function->variables[n->index].type;
  fprintf(p->out, "{\n");
  line(p);
  fprintf(p->out, "  %s *one = &v%u, *other = &v%u, **chosen = (", type_text(type), n->index, (uint32_t)n->bits);
  print_expression(p, child(n, 0));
  fprintf(p->out, ") & 1u ? &one : &other;\n");
  line(p);
  fprintf(p->out, "  **chosen = ");
  print_expression(p, child(n, 1));
  fprintf(p->out, ";\n");
  line(p);
  fprintf(p->out, "}\n");
}

/* A copy of the structure changes, and one of the two comes back. */
static void print_record(struct printer *p, const struct node *n) {
  fprintf(p->out, "{\n");
  line(p);
  fprintf(p->out, "  struct k%ur saved = r;\n", p->kernel->number);
  line(p);
  fprintf(p->out, "  ");
  print_variable_name(p, n->index);
  fprintf(p->out, " = ");
  print_expression(p, child(n, 1));
  fprintf(p->out, ";\n");
  line(p);
  fprintf(p->out, "  r = k%us(saved, r, ", p->kernel->number);
  print_expression(p, child(n, 0));
  fprintf(p->out, ");\n");
  line(p);
  fprintf(p->out, "}\n");
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
  case STMT_POINTERS:
    print_pointers(p, n);
    break;
  case STMT_RECORD:
    print_record(p, n);
    break;
  case STMT_COPY:
    print_copy(p, n);
    break;
  default:
    abort();
  }
}

void print_statement(struct printer *p, const struct node *n) {
  statement(p, n);
}
