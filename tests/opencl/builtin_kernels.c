#include "builtin_kernels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_BYTES ((size_t)64 << 10)
#define MOST_KERNELS 1000

static const unsigned widths[] = {1, 4, 2, 16, 3, 8};
#define WIDTHS (sizeof widths / sizeof *widths)

static struct builtin_kernel *kernels;
static size_t kernel_count;

static const char *suffix(unsigned width) {
  static const char *const texts[17] = {[1] = "", [2] = "2", [3] = "3", [4] = "4", [8] = "8", [16] = "16"};
  return texts[width];
}

static enum scalar_type integer_like(enum scalar_type type, bool is_signed) {
  switch (scalar_type_bytes(type)) {
  case 1:
    return is_signed ? SCALAR_CHAR : SCALAR_UCHAR;
  case 2:
    return is_signed ? SCALAR_SHORT : SCALAR_USHORT;
  case 4:
    return is_signed ? SCALAR_INT : SCALAR_UINT;
  default:
    return is_signed ? SCALAR_LONG : SCALAR_ULONG;
  }
}

static enum scalar_type twice_as_wide(enum scalar_type type) {
  static const enum scalar_type wider[SCALAR_COUNT] = {
      [SCALAR_CHAR] = SCALAR_SHORT,  [SCALAR_UCHAR] = SCALAR_USHORT, [SCALAR_SHORT] = SCALAR_INT,
      [SCALAR_USHORT] = SCALAR_UINT, [SCALAR_INT] = SCALAR_LONG,     [SCALAR_UINT] = SCALAR_ULONG};
  return wider[type];
}

static void write(struct builtin_kernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write(struct builtin_kernel *k, const char *format, ...) {
  const size_t used = strlen(k->source);
  va_list arguments;
  va_start(arguments, format);
  if ((size_t)vsnprintf(k->source + used, SOURCE_BYTES - used, format, arguments) >= SOURCE_BYTES - used)
    abort();
  va_end(arguments);
}

static void define(struct builtin_kernel *k, const char *name, enum scalar_type type, unsigned width) {
  write(k, "#define %s %s%s\n", name, scalar_type_name(type), suffix(width));
}

static const char *values_name(enum builtin_values values) {
  return values == ANY_VALUE ? "any" : values == TAME_VALUE ? "tame" : "small";
}

/* The kernel for that type, width and input: functions share one, because starting compilers takes longer than calling
 * them. */
static struct builtin_kernel *kernel_for(enum scalar_type type, unsigned width, enum builtin_values values) {
  for (size_t i = 0; i < kernel_count; i++)
    if (kernels[i].type == type && kernels[i].width == width && kernels[i].values == values)
      return &kernels[i];
  if (kernel_count == MOST_KERNELS)
    abort();
  struct builtin_kernel *k = &kernels[kernel_count++];
  *k = (struct builtin_kernel){.type = type, .width = width, .values = values, .source = calloc(1, SOURCE_BYTES)};
  if (!k->source)
    abort();
  snprintf(k->name, sizeof k->name, "%s%s_%s", scalar_type_name(type), suffix(width), values_name(values));
  write(k, "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n");
  define(k, "T", type, width);
  define(k, "S", type, 1);
  define(k, "I", SCALAR_INT, width);
  define(k, "J", integer_like(type, true), width);
  define(k, "U", integer_like(type, false), width);
  write(k, "#define N %s\n", suffix(width));
  write(k, "__kernel void f(__global S *X, __global S *Y, __global S *Z, __global S *copies, __global uchar *out) {\n"
           "  const size_t i = get_global_id(0), lid = get_local_id(0), group = get_group_id(0);\n");
  if (width == 1)
    write(k, "  const T x = X[i], y = Y[i], z = Z[i];\n");
  else
    write(k, "  const T x = CAT(vload, N)(i, X), y = CAT(vload, N)(i, Y), z = CAT(vload, N)(i, Z);\n");
  write(k, "  __global uchar *o = out + i * COUNT * %d;\n", BUILTIN_SLOT_BYTES);
  return k;
}

static void end(struct builtin_kernel *k) {
  char *text = malloc(SOURCE_BYTES);
  write(k, "}\n");
  if (!text || (size_t)snprintf(text, SOURCE_BYTES, "#define COUNT %u\n%s", k->slot_count, k->source) >= SOURCE_BYTES)
    abort();
  free(k->source);
  k->source = text;
}

static unsigned add_slot(struct builtin_kernel *k, enum scalar_type type, unsigned elements, double ulps,
                         const char *expression) {
  if (k->slot_count == BUILTIN_MAX_SLOTS)
    abort();
  struct builtin_slot *slot = &k->slots[k->slot_count];
  *slot = (struct builtin_slot){.type = type, .elements = elements, .ulps = ulps};
  snprintf(slot->expression, sizeof slot->expression, "%.95s", expression);
  return k->slot_count++;
}

/* Stores an expression of that type. */
static void put(struct builtin_kernel *k, enum scalar_type type, unsigned width, double ulps, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void put(struct builtin_kernel *k, enum scalar_type type, unsigned width, double ulps, const char *format, ...) {
  char expression[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(expression, sizeof expression, format, arguments);
  va_end(arguments);
  const unsigned slot = add_slot(k, type, width, ulps, expression);
  write(k, "  *(__global %s%s *)(o + %u) = %s;\n", scalar_type_name(type), suffix(width), slot * BUILTIN_SLOT_BYTES,
        expression);
}

/* The table. */

static void put_row(struct builtin_kernel *k, const struct builtin_row *row) {
  enum scalar_type type = k->type;
  unsigned width = k->width;
  if (strcmp(row->result, "I") == 0 || (strcmp(row->result, "TEST") == 0 && width == 1))
    type = SCALAR_INT;
  else if (strcmp(row->result, "U") == 0)
    type = integer_like(type, false);
  else if (strcmp(row->result, "TEST") == 0)
    type = integer_like(type, true);
  else if (strcmp(row->result, "DOUBLE") == 0)
    type = twice_as_wide(type);
  else if (row->result[0] == '1') {
    width = 1;
    type = strcmp(row->result, "1S") == 0 ? type : SCALAR_INT;
  }
  put(k, type, width, row->ulps, "%s", row->expression);
}

static unsigned class_of(enum scalar_type type) {
  switch (type) {
  case SCALAR_FLOAT:
  case SCALAR_DOUBLE:
    return FLOATING;
  case SCALAR_INT:
  case SCALAR_UINT:
    return INTS;
  case SCALAR_LONG:
  case SCALAR_ULONG:
    return LONGS;
  case SCALAR_HALF:
    return 0;
  default:
    return SMALL_INTEGERS;
  }
}

static void add_group(const struct builtin_group *g, enum scalar_type type, unsigned width) {
  struct builtin_kernel *k = kernel_for(type, width, g->values);
  for (size_t i = 0; i < g->count; i++)
    put_row(k, &g->rows[i]);
}

/* 6.2.3: from one type to all others, with rounding and saturation. */
static void add_conversions(enum scalar_type from, unsigned width, bool saturated) {
  static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  struct builtin_kernel *k = kernel_for(from, width, saturated || !scalar_type_is_float(from) ? ANY_VALUE : TAME_VALUE);
  for (int to = 0; to < SCALAR_COUNT; to++)
    for (size_t m = 0; to != SCALAR_HALF && m < sizeof modes / sizeof *modes; m++)
      if (!saturated || !scalar_type_is_float((enum scalar_type)to))
        put(k, (enum scalar_type)to, width, 0, "convert_%s%s%s%s(x)", scalar_type_name((enum scalar_type)to),
            suffix(width), saturated ? "_sat" : "", modes[m]);
}

/* 6.2.4.2: all types of the same size. */
static void add_reinterpretations(enum scalar_type from, unsigned width) {
  struct builtin_kernel *k = kernel_for(from, width, ANY_VALUE);
  const size_t bytes = width * scalar_type_bytes(from);
  for (int to = 0; to < SCALAR_COUNT; to++)
    for (size_t w = 0; to != SCALAR_HALF && w < WIDTHS; w++)
      if (widths[w] * scalar_type_bytes((enum scalar_type)to) == bytes && (widths[w] == 3) == (width == 3))
        put(k, (enum scalar_type)to, widths[w], 0, "as_%s%s(x)", scalar_type_name((enum scalar_type)to),
            suffix(widths[w]));
}

/* 6.12.7: at addresses that suit an element only. */
static void add_vector_accesses(enum scalar_type type, unsigned width) {
  struct builtin_kernel *k = kernel_for(type, width, ANY_VALUE);
  put(k, type, width, 0, "vload%u(i + 1, Y + 1)", width);
  put(k, type, width, 0, "({ S p[40]; vstore%u(x, 1, p + 1); vload%u(1, p + 1); })", width, width);
  const unsigned slot = add_slot(k, type, width + 1, 0, "vstore");
  write(k, "  vstore%u(y, 0, (__global S *)(o + %u) + 1);\n", width, slot * BUILTIN_SLOT_BYTES);
}

static void add_half_accesses(enum scalar_type type, unsigned width) {
  static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  struct builtin_kernel *k = kernel_for(type, width, ANY_VALUE);
  if (type == SCALAR_FLOAT) {
    put(k, type, width, 0, "vload_half%s(i, (__global half *)Z + 1)", suffix(width));
    if (width > 1)
      put(k, type, width, 0, "vloada_half%s(i, (__global half *)Z)", suffix(width));
  }
  for (int aligned = 0; aligned < (width > 1 ? 2 : 1); aligned++)
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
      char call[40];
      snprintf(call, sizeof call, "vstore%s_half%s%s", aligned ? "a" : "", suffix(width), modes[m]);
      write(k, "  %s(x, 0, (__global half *)(o + %u));\n", call,
            add_slot(k, SCALAR_HALF, width, 0, call) * BUILTIN_SLOT_BYTES);
    }
}

/* 6.12.11: on a place of the work-item's own, in global and in local memory; what was there before is the second
 * element. */
static void add_atomics(enum scalar_type type) {
  static const char *const calls[] = {"add(p, y)", "sub(p, y)",        "xchg(p, y)", "inc(p)",
                                      "dec(p)",    "cmpxchg(p, x, y)", "min(p, y)",  "max(p, y)",
                                      "and(p, y)", "or(p, y)",         "xor(p, y)"};
  struct builtin_kernel *k = kernel_for(type, 1, ANY_VALUE);
  write(k, "  __local S places[%d];\n", BUILTIN_LOCAL);
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (int form = 0; form < 4; form++) {
      char call[60];
      if (type == SCALAR_FLOAT && (strncmp(calls[c], "xchg", 4) != 0 || form & 2))
        continue;
      snprintf(call, sizeof call, "%s_%s", form & 2 ? "atom" : "atomic", calls[c]);
      const unsigned at = add_slot(k, type, 2, 0, call) * BUILTIN_SLOT_BYTES;
      char place[60];
      snprintf(place, sizeof place, form & 1 ? "&places[lid]" : "(__global S *)(o + %u)", at);
      write(k,
            "  {\n    volatile %s S *p = %s;\n    *p = x;\n    const S before = %s;\n    const S after = *p;\n"
            "    ((__global S *)(o + %u))[0] = after;\n    ((__global S *)(o + %u))[1] = before;\n  }\n",
            form & 1 ? "__local" : "__global", place, call, at, at);
    }
}

/* 6.12.10 */
static void add_copies(enum scalar_type type, unsigned width) {
  struct builtin_kernel *k = kernel_for(type, width, ANY_VALUE);
  write(k, "  __local T l[32];\n  const __global T *from = (const __global T *)X + group * 16;\n"
           "  __global T *to = (__global T *)copies + group * 16;\n  prefetch(from, 16);\n"
           "  event_t e = async_work_group_copy(l, from, 16, 0);\n"
           "  e = async_work_group_strided_copy(l + 16, (const __global T *)Y + group * 32, 16, 2, e);\n"
           "  wait_group_events(1, &e);\n");
  put(k, type, width, 0, "l[15 - lid]");
  put(k, type, width, 0, "l[16 + lid]");
  write(k, "  barrier(CLK_LOCAL_MEM_FENCE);\n  e = async_work_group_copy(to, l + 16, 16, 0);\n"
           "  wait_group_events(1, &e);\n");
  put(k, type, width, 0, "to[15 - lid]");
  write(k, "  barrier(CLK_GLOBAL_MEM_FENCE);\n  e = async_work_group_strided_copy(to, l, 8, 2, 0);\n"
           "  wait_group_events(1, &e);\n");
  put(k, type, width, 0, "to[15 - lid]");
}

static void add_others(enum scalar_type type, unsigned width) {
  add_conversions(type, width, false);
  add_conversions(type, width, true);
  add_reinterpretations(type, width);
  if (width > 1)
    add_vector_accesses(type, width);
  if (scalar_type_is_float(type))
    add_half_accesses(type, width);
  if (width == 1 && (class_of(type) == INTS || type == SCALAR_FLOAT))
    add_atomics(type);
  if (width != 3)
    add_copies(type, width);
}

size_t builtin_kernels(bool all, struct builtin_kernel **list) {
  kernels = calloc(MOST_KERNELS, sizeof *kernels);
  if (!kernels)
    abort();
  for (int type = 0; type < SCALAR_COUNT; type++)
    for (size_t w = 0; w < WIDTHS; w++) {
      const enum scalar_type t = (enum scalar_type)type;
      const bool wanted =
          all || w == (size_t)type % WIDTHS || (class_of(t) == INTS && w == 0) || (t == SCALAR_FLOAT && w < 2);
      for (size_t g = 0; wanted && g < builtin_group_count; g++)
        if (builtin_groups[g].types & class_of(t) && builtin_groups[g].widths >> widths[w] & 1 &&
            (t == SCALAR_FLOAT || strncmp(builtin_groups[g].name, "native", 6) != 0))
          add_group(&builtin_groups[g], t, widths[w]);
      if (wanted && t != SCALAR_HALF)
        add_others(t, widths[w]);
    }
  for (size_t i = 0; i < kernel_count; i++)
    end(&kernels[i]);
  *list = kernels;
  return kernel_count;
}
