/* Trees -> OpenCL C. Every operation is written so that it is defined for all operands: signed arithmetic goes through
 * unsigned types, shift counts and indices are masked, divisors are not zero (and, signed, positive). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "print.h"

const char *type_text(struct type t) {
  static char texts[8][16];
  static unsigned turn;
  char *text = texts[turn++ % 8];
  if (t.width == 1)
    snprintf(text, sizeof texts[0], "%s", base_names[t.base]);
  else
    snprintf(text, sizeof texts[0], "%s%u", base_names[t.base], t.width);
  return text;
}

static struct type unsigned_of(struct type t) {
  return (struct type){base_is_signed(t.base) ? (uint8_t)(t.base + 1) : t.base, t.width};
}

/* C computes char and short as int. */
static bool is_promoted(struct type t) {
  return t.width == 1 && base_bytes(t.base) < 4;
}

static void print_real(struct printer *p, struct type t, double value) {
  const double rounded = t.base == BASE_FLOAT ? (double)(float)value : value;
  fprintf(p->out, t.base == BASE_FLOAT ? "(%s)(%af)" : "(%s)(%a)", type_text(t), rounded);
}

void print_constant(struct printer *p, struct type t, uint64_t bits, double value) {
  if (base_is_float(t.base)) {
    print_real(p, t, value);
    return;
  }
  const uint32_t size = 8 * base_bytes(t.base);
  const uint64_t kept = size == 64 ? bits : bits & (((uint64_t)1 << size) - 1);
  fprintf(p->out, "(%s)((%s)0x%" PRIx64 "%s)", type_text(t), base_names[t.base], kept, size == 64 ? "ul" : "u");
}

static void expression(struct printer *p, const struct node *n);

static void wrapped(struct printer *p, const char *before, const struct node *n, const char *after) {
  fprintf(p->out, "%s", before);
  expression(p, n);
  fprintf(p->out, "%s", after);
}

/* `left op right` in the unsigned type of the same size. */
static void print_modular(struct printer *p, const struct node *n) {
  const struct node *a = child(n, 0), *b = child(n, 1);
  char to[32];
  if (is_promoted(n->type)) {
    snprintf(to, sizeof to, "(uint)");
    fprintf(p->out, "(%s)", type_text(n->type));
  } else {
    snprintf(to, sizeof to, "as_%s", type_text(unsigned_of(n->type)));
    fprintf(p->out, "as_%s", type_text(n->type));
  }
  fprintf(p->out, "(%s", to);
  wrapped(p, "(", a, ")");
  fprintf(p->out, " %c %s", (char)n->index, to);
  wrapped(p, "(", b, "))");
}

static void print_shift(struct printer *p, const struct node *n) {
  const struct type count = n->index == '<' ? unsigned_of(n->type) : n->type;
  const char *op = n->index == '<' ? "<<" : ">>";
  if (is_promoted(n->type)) {
    fprintf(p->out, "(%s)(", type_text(n->type));
    wrapped(p, n->index == '<' ? "(uint)(" : "(", child(n, 0), ")");
    fprintf(p->out, " %s ((uint)", op);
    wrapped(p, "(", child(n, 1), ")");
    fprintf(p->out, " & %uu))", 8 * base_bytes(n->type.base) - 1);
    return;
  }
  fprintf(p->out, "as_%s(as_%s", type_text(n->type), type_text(count));
  wrapped(p, "(", child(n, 0), ")");
  fprintf(p->out, " %s (as_%s", op, type_text(count));
  wrapped(p, "(", child(n, 1), ") & ");
  print_constant(p, count, 8 * base_bytes(n->type.base) - 1, 0);
  fprintf(p->out, "))");
}

static void print_division(struct printer *p, const struct node *n) {
  fprintf(p->out, "(%s)(", type_text(n->type));
  expression(p, child(n, 0));
  fprintf(p->out, " %c ((", (char)n->index);
  expression(p, child(n, 1));
  fprintf(p->out, " & ");
  print_constant(p, n->type, base_is_signed(n->type.base) ? 0x3f : UINT64_MAX, 0);
  fprintf(p->out, ") | ");
  print_constant(p, n->type, 1, 0);
  fprintf(p->out, "))");
}

static void print_binary(struct printer *p, const struct node *n) {
  const bool floats = base_is_float(n->type.base);
  if (!floats && (n->index == '<' || n->index == '>'))
    print_shift(p, n);
  else if (!floats && (n->index == '/' || n->index == '%'))
    print_division(p, n);
  else if (!floats && (n->index == '+' || n->index == '-' || n->index == '*'))
    print_modular(p, n);
  else {
    fprintf(p->out, "(%s)(", type_text(n->type));
    expression(p, child(n, 0));
    fprintf(p->out, " %c ", (char)n->index);
    expression(p, child(n, 1));
    fprintf(p->out, ")");
  }
}

static void print_unary(struct printer *p, const struct node *n) {
  if (base_is_float(n->type.base) || n->index == '~')
    fprintf(p->out, "(%s)(%c", type_text(n->type), (char)n->index);
  else if (is_promoted(n->type))
    fprintf(p->out, "(%s)(0u - (uint)", type_text(n->type));
  else
    fprintf(p->out, "as_%s(-as_%s", type_text(n->type), type_text(unsigned_of(n->type)));
  wrapped(p, "(", child(n, 0), "))");
}

static void print_compare(struct printer *p, const struct node *n) {
  const bool is_function = n->index >= COMPARE_OPERATORS;
  if (is_function)
    fprintf(p->out, "%s", compare_names[n->index]);
  wrapped(p, "(", child(n, 0), "");
  fprintf(p->out, "%s%s%s", is_function ? "" : " ", is_function ? "," : compare_names[n->index], " ");
  wrapped(p, "", child(n, 1), ")");
}

static void print_logic(struct printer *p, const struct node *n) {
  if (n->index == '!') {
    wrapped(p, "(!", child(n, 0), ")");
    return;
  }
  wrapped(p, "(", child(n, 0), n->index == '&' ? " && " : " || ");
  wrapped(p, "", child(n, 1), ")");
}

static void print_conversion(struct printer *p, const struct node *n) {
  const bool saturated = base_is_float(child(n, 0)->type.base) && !base_is_float(n->type.base);
  fprintf(p->out, "convert_%s%s", type_text(n->type), saturated ? "_sat" : "");
  wrapped(p, "(", child(n, 0), ")");
}

/* Floats from integers: without the bit that makes infinities and NaNs, whose payload may get lost. */
static void print_reinterpret(struct printer *p, const struct node *n) {
  if (n->bits && !base_is_float(n->type.base)) {
    fprintf(p->out, "((union {%s from; %s to;})", type_text(child(n, 0)->type), type_text(n->type));
    wrapped(p, "{", child(n, 0), "}).to");
    return;
  }
  if (!base_is_float(n->type.base)) {
    fprintf(p->out, "as_%s", type_text(n->type));
    wrapped(p, "(", child(n, 0), ")");
    return;
  }
  const struct type integers = {n->type.base == BASE_FLOAT ? BASE_UINT : BASE_ULONG, n->type.width};
  fprintf(p->out, "as_%s(as_%s", type_text(n->type), type_text(integers));
  wrapped(p, "(", child(n, 0), ") & ");
  print_constant(p, integers, n->type.base == BASE_FLOAT ? 0xbfffffffu : 0xbfffffffffffffffu, 0);
  fprintf(p->out, ")");
}

static void print_lanes(struct printer *p, const uint8_t *lanes, uint32_t count) {
  fprintf(p->out, ".s");
  for (uint32_t i = 0; i < count; i++)
    fprintf(p->out, "%x", lanes[i]);
}

/* clang 15 crashes on lanes of a constant inside a vector literal; as_type keeps the two apart. */
static void print_swizzle(struct printer *p, const struct node *n) {
  fprintf(p->out, "as_%s(as_%s", type_text(n->type), type_text(child(n, 0)->type));
  wrapped(p, "(", child(n, 0), ")");
  print_lanes(p, n->lanes, n->type.width);
  fprintf(p->out, ")");
}

static void print_builtin(struct printer *p, const struct node *n) {
  const struct builtin *b = &builtins[n->index];
  const bool is_24 = b->name[0] == 'm' && b->name[3] == '2';
  const bool is_clamp = b->name[0] == 'c' && b->name[3] == 'm';
  const bool gives_unsigned = b->name[0] == 'a' && b->name[1] == 'b';
  if (is_24 && n->type.base != BASE_INT && n->type.base != BASE_UINT) { /* defined for these only */
    expression(p, child(n, 0));
    return;
  }
  if (gives_unsigned)
    fprintf(p->out, "as_%s(", type_text(n->type));
  fprintf(p->out, "%s(", b->name);
  for (uint32_t i = 0; i < b->arity; i++) {
    wrapped(p, i ? ", (" : "(", child(n, i), ")");
    if (is_24 && i < 2) { /* only the sum of mad24 has 32 bits; it may not overflow */
      fprintf(p->out, " & ");
      print_constant(p, n->type, b->arity == 3 ? 0x3fff : n->type.base == BASE_INT ? 0x7fff : 0xffff, 0);
    } else if (is_24) {
      fprintf(p->out, " & ");
      print_constant(p, n->type, 0x3fffffff, 0);
    }
  }
  if (is_clamp) {
    fprintf(p->out, ", ");
    print_constant(p, n->type, 3, 0);
    fprintf(p->out, ", ");
    print_constant(p, n->type, 100, 0);
  }
  fprintf(p->out, gives_unsigned ? "))" : ")");
}

uint32_t object_elements(const struct kernel *k, const struct object *o) {
  return o->kind == OBJECT_LOCAL ? group_size(k) : o->count;
}

static void place(struct printer *p, const struct object *o, const struct node *index) {
  if (o->kind == OBJECT_OUTPUT)
    fprintf(p->out, "item * %u + ", o->count);
  wrapped(p, "((", index, ")");
  if (o->kind == OBJECT_LOCAL) /* any number */
    fprintf(p->out, " %% %uu)", object_elements(p->kernel, o));
  else
    fprintf(p->out, " & %uu)", object_elements(p->kernel, o) - 1);
}

void print_object_name(FILE *out, const struct kernel *k, uint32_t index) {
  static const char letters[] = "ioplctau";
  const char letter = letters[k->objects[index].kind];
  if (k->objects[index].kind == OBJECT_TABLE)
    fprintf(out, "k%u%c%u", k->number, letter, index);
  else
    fprintf(out, "%c%u", letter, index);
}

static bool is_by_function(const struct object *o) {
  if (o->type.width == 3 && o->kind == OBJECT_OUTPUT) /* an array's element has a fourth part with any contents */
    return true;
  return o->vectors_by_function && o->type.width > 1 && (o->kind == OBJECT_INPUT || o->kind == OBJECT_OUTPUT);
}

bool object_is_scalar_pointer(const struct object *o) {
  return is_by_function(o);
}

static void print_load(struct printer *p, const struct node *n) {
  const struct object *o = &p->kernel->objects[n->index];
  if (o->kind == OBJECT_VALUE) {
    print_object_name(p->out, p->kernel, n->index);
    return;
  }
  if (is_by_function(o))
    fprintf(p->out, "vload%u(", o->type.width);
  else
    print_object_name(p->out, p->kernel, n->index);
  if (!is_by_function(o))
    fprintf(p->out, "[");
  place(p, o, child(n, 0));
  if (is_by_function(o)) {
    fprintf(p->out, ", ");
    print_object_name(p->out, p->kernel, n->index);
  }
  fprintf(p->out, is_by_function(o) ? ")" : "]");
}

static void print_call(struct printer *p, const struct node *n) {
  fprintf(p->out, "k%uh%u(", p->kernel->number, n->index);
  for (const struct node *c = n->first; c; c = c->next)
    wrapped(p, "", c, c->next ? ", " : "");
  fprintf(p->out, ")");
}

static void print_variable(struct printer *p, uint32_t index) {
  if (index == VARIABLE_ITEM)
    fprintf(p->out, "item");
  else if (index == VARIABLE_LANE)
    fprintf(p->out, "lane");
  else
    fprintf(p->out, "%sv%u", p->function->variables[index].in_record ? index % 2 ? "r.in." : "r." : "", index);
}

static void print_id(struct printer *p, const struct node *n) {
  if (n->index == ID_COUNT - 1) {
    fprintf(p->out, "(uint)get_work_dim()");
    return;
  }
  fprintf(p->out, "(uint)%s(%u)", id_names[n->index], (uint32_t)n->bits);
}

static void expression(struct printer *p, const struct node *n) {
  switch (n->kind) {
  case EXPR_CONST:
    print_constant(p, n->type, n->bits, n->real);
    break;
  case EXPR_VARIABLE:
    print_variable(p, n->index);
    break;
  case EXPR_UNARY:
    print_unary(p, n);
    break;
  case EXPR_BINARY:
    print_binary(p, n);
    break;
  case EXPR_COMPARE:
    print_compare(p, n);
    break;
  case EXPR_LOGIC:
    print_logic(p, n);
    break;
  case EXPR_SELECT:
    fprintf(p->out, "(%s)", type_text(n->type));
    wrapped(p, "(", child(n, 0), " ? ");
    wrapped(p, "", child(n, 1), " : ");
    wrapped(p, "", child(n, 2), ")");
    break;
  case EXPR_CONVERT:
    print_conversion(p, n);
    break;
  case EXPR_SPLAT:
    fprintf(p->out, "(%s)", type_text(n->type));
    wrapped(p, "(", child(n, 0), ")");
    break;
  case EXPR_HALVES:
    fprintf(p->out, "(%s)", type_text(n->type));
    wrapped(p, "(", child(n, 0), ", ");
    wrapped(p, "", child(n, 1), ")");
    break;
  case EXPR_SWIZZLE:
    print_swizzle(p, n);
    break;
  case EXPR_REINTERPRET:
    print_reinterpret(p, n);
    break;
  case EXPR_BUILTIN:
    print_builtin(p, n);
    break;
  case EXPR_LOAD:
    print_load(p, n);
    break;
  case EXPR_CALL:
    print_call(p, n);
    break;
  case EXPR_ID:
    print_id(p, n);
    break;
  default:
    abort();
  }
}

void print_expression(struct printer *p, const struct node *n) {
  expression(p, n);
}

void print_variable_name(struct printer *p, uint32_t index) {
  print_variable(p, index);
}

void print_place(struct printer *p, const struct object *o, const struct node *index) {
  place(p, o, index);
}

void print_assigned_lanes(struct printer *p, const struct node *n) {
  print_lanes(p, n->lanes, n->type.width);
}
