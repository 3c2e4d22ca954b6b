/* The registers of random kernels without branches equal those of a list of their instructions in which each load of
 * local memory has been moved: to just before the first use of its value, or before the first store, where that comes
 * earlier. Where loads are not placed late, the list stays as it is. */
#include "expect_error.h"

#include "base/random.h"
#include "emulate_text.h"
#include "rounds.h"
#include "trace/trace.h"

#define CASES      12
#define MOST_LOADS 8
#define MOST       64 /* instructions */

/* t[i] to a value; the next value is a loaded one minus the last sum; the sum to memory, at an address of 64 bits. */
enum kind { LOAD, SUBTRACT, STORE };

struct instruction {
  enum kind kind;
  int operand, sum; /* values that it uses; -1: none */
  int value;        /* that it defines; -1: none */
};

struct program {
  struct instruction list[MOST];
  int count, values;
};

static void add(struct program *p, enum kind kind, int operand, int sum) {
  p->list[p->count++] = (struct instruction){kind, operand, sum, kind == STORE ? -1 : p->values++};
}

/* Each value that is loaded is used: the first two by the first subtraction, others by one of their own. */
static void make(struct random_state *r, struct program *p) {
  const int loads = 2 + (int)random_below(r, MOST_LOADS - 1);
  int order[MOST_LOADS], sum = 0;
  *p = (struct program){.count = 0};
  for (int i = 0; i < loads; i++) {
    const int place = (int)random_below(r, (uint32_t)i + 1);
    add(p, LOAD, -1, -1);
    order[i] = order[place];
    order[place] = i;
  }
  sum = order[0];
  for (int i = 1; i < loads; i++) {
    add(p, SUBTRACT, order[i], sum);
    sum = p->values - 1;
    if (random_below(r, 6) == 0)
      add(p, STORE, -1, sum);
    if (random_below(r, 3) == 0) {
      add(p, SUBTRACT, order[random_below(r, (uint32_t)i + 1)], sum);
      sum = p->values - 1;
    }
  }
  add(p, STORE, -1, sum);
}

static bool uses(const struct instruction *i, int value) {
  return i->operand == value || i->sum == value;
}

static void move(struct program *p, int from) {
  const struct instruction load = p->list[from];
  for (; p->list[from + 1].kind != STORE && !uses(&p->list[from + 1], load.value); from++)
    p->list[from] = p->list[from + 1];
  p->list[from] = load;
}

/* The last load first: those in front of it find it at its new place, which is no use and no store. */
static struct program moved(const struct program *p) {
  struct program out = *p;
  for (int i = p->count - 1; i >= 0; i--)
    if (p->list[i].kind == LOAD)
      move(&out, i);
  return out;
}

/* Behind each instruction the values wait that were defined and are used later, and the address of a store that is
 * next. */
static uint32_t most_alive(const struct program *p) {
  uint32_t most = 0;
  for (int i = 0; i + 1 < p->count; i++) {
    uint32_t alive = p->list[i + 1].kind == STORE ? 2 : 0;
    for (int defined = 0; defined <= i; defined++) {
      bool later = false;
      for (int user = i + 1; user < p->count; user++)
        later |= p->list[defined].value >= 0 && uses(&p->list[user], p->list[defined].value);
      alive += later;
    }
    most = alive > most ? alive : most;
  }
  return most;
}

static void print(const struct program *p, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size,
                                 "kernel void k(global const float *x, global float *y) {\n"
                                 "  local float t[16];\n  t[get_local_id(0)] = x[get_local_id(0)];\n"
                                 "  barrier(CLK_LOCAL_MEM_FENCE);\n");
  int stores = 0, loads = 0;
  for (int i = 0; i < p->count; i++) {
    const struct instruction *at = &p->list[i];
    if (at->kind == LOAD)
      used += (size_t)snprintf(text + used, size - used, "  float v%d = t[%d];\n", at->value, loads++);
    else if (at->kind == SUBTRACT)
      used += (size_t)snprintf(text + used, size - used, "  float v%d = v%d - v%d;\n", at->value, at->operand, at->sum);
    else
      used += (size_t)snprintf(text + used, size - used, "  y[%d] = v%d;\n", ++stores, at->sum);
    assert_true(used < size);
  }
  snprintf(text + used, size - used, "}");
}

/* The three of the copy into local memory are alive in every kernel. */
static uint32_t at_least_three(uint32_t registers) {
  return registers > 3 ? registers : 3;
}

static void check_case(uint32_t seed) {
  struct random_state r = {seed};
  struct program p;
  make(&r, &p);
  char kernel[4096], name[32];
  print(&p, kernel, sizeof kernel);
  snprintf(name, sizeof name, "late-%u", seed);
  const struct emulate_options options = {.trace_directory = "late-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  if (emulate_text_run(&t, name, kernel,
                       "buffers:\n  X: {type: float, count: 64, init: index}\n  Y: {type: float, count: 64}\n"
                       "launches:\n  - {kernel: k, global: 16, local: 16, args: [{buffer: X}, {buffer: Y}]}\n",
                       &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  const struct program late = moved(&p);
  if (trace->header.registers != at_least_three(most_alive(&late)) ||
      trace->header.early_load_registers != at_least_three(most_alive(&p)))
    fprintf(stderr, "seed %u: %s\n", seed, kernel);
  assert_int_equal(trace->header.registers, at_least_three(most_alive(&late)));
  assert_int_equal(trace->header.early_load_registers, at_least_three(most_alive(&p)));
  trace_destroy(trace);
  emulate_text_clear(&t);
}

static void registers_equal_those_of_the_moved_list(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_case(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(registers_equal_those_of_the_moved_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
