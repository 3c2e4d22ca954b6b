/* The workload that runs kernels as they were printed. */
#include "print.h"

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

static void print_sizes(const struct kernel *k, const char *key, FILE *out) {
  fprintf(out, "    %s: [", key);
  for (uint32_t d = 0; d < k->dimensions; d++)
    fprintf(out, "%s%u", d ? ", " : "",
            key[0] == 'o'   ? k->offset[d]
            : key[0] == 'l' ? k->local[d]
                            : k->local[d] * k->groups[d]);
  fprintf(out, "]\n");
}

static void print_value(const struct object *o, FILE *out) {
  fprintf(out, "%s: ", type_text(o->type));
  for (uint32_t i = 0; i < o->type.width; i++)
    fprintf(out, "%s%u", i ? ", " : o->type.width > 1 ? "[" : "", (uint32_t)(o->seed >> i) % 100);
  fprintf(out, o->type.width > 1 ? "]" : "");
}

static void print_argument(const struct kernel *k, uint32_t index, FILE *out) {
  const struct object *o = &k->objects[index];
  fprintf(out, "{");
  if (o->kind == OBJECT_VALUE)
    print_value(o, out);
  else if (o->kind == OBJECT_LOCAL)
    fprintf(out, "local: %u", group_size(k) * base_bytes(o->type.base) * (o->type.width == 3 ? 4 : o->type.width));
  else {
    fprintf(out, "buffer: k%u", k->number);
    print_object_name(out, k, index);
  }
  fprintf(out, "}");
}

static void print_launch(const struct kernel *k, FILE *out) {
  fprintf(out, "  - kernel: k%u\n", k->number);
  print_sizes(k, "global", out);
  print_sizes(k, "local", out);
  print_sizes(k, "offset", out);
  fprintf(out, "    args: [");
  const char *between = "";
  for (uint32_t i = 0; i < k->object_count; i++) {
    if (!object_is_parameter(&k->objects[i]))
      continue;
    fprintf(out, "%s", between);
    print_argument(k, i, out);
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
      if (object_is_buffer(&p->kernels[k].objects[i]))
        print_buffer(&p->kernels[k], i, out);
  fprintf(out, "  unused: {type: int, count: 1}\nlaunches:\n"); /* a shrunk kernel may have no buffer */
  for (uint32_t k = from; k < from + count; k++)
    print_launch(&p->kernels[k], out);
}
