#include "program.h"

#include <stdlib.h>

const char *const base_names[BASE_COUNT] = {"char", "uchar", "short", "ushort", "int",
                                            "uint", "long",  "ulong", "float",  "double"};

const char *const id_names[ID_COUNT] = {"get_global_id",  "get_local_id",   "get_group_id",      "get_global_size",
                                        "get_local_size", "get_num_groups", "get_global_offset", "get_work_dim"};

const char *const compare_names[] = {
    "==",         "!=",        "<",      ">",           "<=",        ">=",         "isequal",
    "isnotequal", "isgreater", "isless", "islessequal", "isordered", "isunordered"};

/* Exact on every implementation; those of floats give the same for all zeros and all NaNs. */
const struct builtin builtins[] = {
    {"min", 2, true, false},     {"max", 2, true, false},      {"add_sat", 2, true, false},
    {"sub_sat", 2, true, false}, {"mul_hi", 2, true, false},   {"hadd", 2, true, false},
    {"rhadd", 2, true, false},   {"rotate", 2, true, false},   {"popcount", 1, true, false},
    {"clz", 1, true, false},     {"mad_sat", 3, true, false},  {"bitselect", 3, true, false},
    {"abs", 1, true, false},     {"abs_diff", 2, true, false}, {"mul24", 2, true, false},
    {"mad24", 3, true, false},   {"select", 3, true, true},    {"fabs", 1, false, true},
    {"floor", 1, false, true},   {"ceil", 1, false, true},     {"trunc", 1, false, true},
    {"rint", 1, false, true},    {"round", 1, false, true},    {"fmin", 2, false, true},
    {"fmax", 2, false, true},    {"fma", 3, false, true},      {"clamp", 1, true, false},
};
const uint32_t builtin_count = sizeof builtins / sizeof *builtins;

struct node *program_node(struct program *p, enum node_kind kind, struct type type) {
  if (p->node_count == p->node_capacity) {
    p->node_capacity = p->node_capacity ? 2 * p->node_capacity : 1024;
    p->nodes = realloc(p->nodes, p->node_capacity * sizeof *p->nodes);
  }
  struct node *n = calloc(1, sizeof *n);
  if (!p->nodes || !n) {
    fprintf(stderr, "differential: out of memory\n");
    exit(1);
  }
  n->kind = kind;
  n->type = type;
  p->nodes[p->node_count++] = n;
  return n;
}

void program_clear(struct program *p) {
  for (size_t i = 0; i < p->node_count; i++)
    free(p->nodes[i]);
  free(p->nodes);
  free(p->kernels);
  *p = (struct program){0};
}
