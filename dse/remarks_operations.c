/* Remarks on operations that cost many issue slots where a cheaper one may do: doubles, divisions, functions. Those of
 * a kind are judged together, wherever they stand, and the line with most of their time is named. */
#include "dse/remarks_making.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double costly_slots = 3; /* of an operation for each element: an addition takes about one (chosen) */

enum kind { KIND_DOUBLE, KIND_DIVISION, KIND_FUNCTION, KIND_OTHER };

static const char *name_of(const struct trace_code *code, const struct trace_op *op) {
  return op->name < code->name_count ? code->names[op->name] : "";
}

static bool computes(const struct trace_op *op) {
  return op->op_class != OP_LOAD && op->op_class != OP_STORE && op->op_class != OP_ATOMIC && op->op_class != OP_MOVE &&
         op->op_class != OP_SHUFFLE && op->op_class != OP_SELECT;
}

static bool is_function(const struct trace_code *code, const struct trace_op *op) {
  static const char *const others[] = {"printf", "read_image", "write_image", "sub_group_", "work_group_", "get_"};
  const char *name = name_of(code, op);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strncmp(name, others[i], strlen(others[i])) == 0)
      return false;
  return op->op_class == OP_MATH && name[0] != '\0';
}

static enum kind kind_of(const struct making *m, uint32_t index) {
  const struct trace_code *code = &m->trace->code;
  const struct trace_op *op = &code->ops[index];
  const double slots = m->result->ops[index].slots / (op->width > 0 ? op->width : 1);
  if (op->type == TYPE_F64 && computes(op))
    return KIND_DOUBLE;
  if (slots < costly_slots)
    return KIND_OTHER;
  if (op->op_class == OP_INT_DIV || op->op_class == OP_FLOAT_DIV)
    return KIND_DIVISION;
  return is_function(code, op) ? KIND_FUNCTION : KIND_OTHER;
}

/* ---- costs ---- */

/* Returns how long an operation's work waits in its pipe, relative to other operations; 0: its pipe is not modelled. */
static double pipe_weight(const struct gpu_spec *spec, enum kind kind) {
  return kind == KIND_DOUBLE ? spec->double_pipe_cycles : kind == KIND_FUNCTION ? spec->special_pipe_cycles : 0;
}

/* The cost of the operations of a kind. */
struct sum {
  double cycles, weight; /* of issue; of the waiting for pipes */
  double *lines;         /* cycles of each line of the result */
};

static size_t line_index(const struct sim_result *result, uint32_t line) {
  size_t low = 0, high = result->line_count;
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    *(result->lines[middle].line <= line ? &low : &high) = middle;
  }
  return low;
}

/* Returns the sum of the weights. */
static double add_up(const struct making *m, struct sum sums[KIND_OTHER]) {
  double weights = 0;
  for (uint32_t i = 0; i < m->trace->code.op_count; i++) {
    const enum kind kind = kind_of(m, i);
    const double cycles = m->ops[i].issue + m->ops[i].divergence, weight = cycles * pipe_weight(m->spec, kind);
    if (kind == KIND_OTHER)
      continue;
    weights += weight;
    sums[kind].cycles += cycles;
    sums[kind].weight += weight;
    sums[kind].lines[line_index(m->result, m->trace->code.ops[i].line)] += cycles;
  }
  return weights;
}

/* Returns the costliest operation of the kind on the line that has most of the kind's cycles. */
static uint32_t costliest(const struct making *m, enum kind kind, const double *lines) {
  uint32_t best = 0;
  size_t line = 0;
  double most = -1;
  for (size_t i = 1; i < m->result->line_count; i++)
    line = lines[i] > lines[line] ? i : line;
  for (uint32_t i = 0; i < m->trace->code.op_count; i++)
    if (m->trace->code.ops[i].line == m->result->lines[line].line && kind_of(m, i) == kind && m->ops[i].issue > most) {
      most = m->ops[i].issue;
      best = i;
    }
  return best;
}

/* ---- sentences ---- */

static bool has_doubles_in_memory(const struct trace_code *code) {
  for (uint32_t i = 0; i < code->mem_count; i++)
    if (code->ops[code->mem_ops[i]].type == TYPE_F64)
      return true;
  return false;
}

static void say_doubles(struct making *m, uint32_t line, double slots, double cost) {
  const char *advice = "compute in float where its 24 bits suffice";
  char times[80] = "";
  if (!m->spec->double_precision)
    advice = "compute in float. The compiler of this GPU takes constants without f (0.1) as floats; "
             "--options -cl-single-precision-constant does the same here";
  else if (!has_doubles_in_memory(&m->trace->code))
    advice = "compute in float: no buffer holds doubles. A constant without f (0.1 in place of 0.1f) makes an "
             "expression one of doubles";
  if (m->spec->double_pipe_cycles > 0)
    snprintf(times, sizeof times, "each takes a warp %.3g cycles of its pipe", m->spec->double_pipe_cycles);
  else
    snprintf(times, sizeof times, "each takes %.3g issue slots, a float about one", slots);
  remarks_say(m, REMARK_DOUBLES, line, cost, advice, "64-bit floats (double): %s%s", times,
              m->spec->double_precision ? "" : "; this GPU has none, and its compiler refuses the type");
}

static void say_division(struct making *m, const struct trace_op *op, double slots, double cost) {
  const bool whole = op->op_class == OP_INT_DIV;
  remarks_say(m, REMARK_DIVISIONS, op->line, cost,
              whole ? "divide by powers of two or by constants, in 32 bits; take positions from get_global_id(1) "
                      "instead of dividing; or divide before the loop"
                    : "multiply by the reciprocal, computed once, or use native_divide where its precision suffices",
              "%s divisions%s: each takes %.3g issue slots, an addition about one",
              whole ? (op->type == TYPE_I64 ? "64-bit integer" : "integer") : "floating-point",
              whole ? " and remainders" : "", slots);
}

static void say_function(struct making *m, const struct trace_op *op, double slots, double cost) {
  static const char *const native[] = {"cos",   "exp", "exp2", "exp10", "log",  "log2",
                                       "log10", "sin", "tan",  "sqrt",  "rsqrt"};
  const char *name = name_of(&m->trace->code, op);
  char advice[160] = "call it less often, or use a cheaper function or a table";
  for (size_t i = 0; i < sizeof native / sizeof native[0]; i++)
    if (strcmp(name, native[i]) == 0)
      snprintf(advice, sizeof advice, "rank a version with native_%s, if its precision suffices, or call it less often",
               name);
  if (strcmp(name, "pow") == 0 || strcmp(name, "pown") == 0)
    snprintf(advice, sizeof advice,
             "multiply for small whole exponents; or rank a version with native_powr, if its precision suffices");
  remarks_say(m, REMARK_FUNCTIONS, op->line, cost, advice,
              "functions, most of all %s: each takes %.3g issue slots, an addition about one", name, slots);
}

static void look_at_kind(struct making *m, enum kind kind, const struct sum *sum, double weights) {
  const bool refused = kind == KIND_DOUBLE && !m->spec->double_precision;
  const double waited = weights > 0 ? m->result->stack.pipe * sum->weight / weights : 0;
  const double cost = share_of_time(m, sum->cycles + waited);
  if (sum->cycles == 0 || (cost < WORTH_SHARE && !refused))
    return;
  const uint32_t index = costliest(m, kind, sum->lines);
  const struct trace_op *op = &m->trace->code.ops[index];
  const double slots = m->result->ops[index].slots / (op->width > 0 ? op->width : 1);
  if (kind == KIND_DOUBLE)
    say_doubles(m, op->line, slots, cost);
  else if (kind == KIND_DIVISION)
    say_division(m, op, slots, cost);
  else
    say_function(m, op, slots, cost);
}

void remarks_on_operations(struct making *m) {
  const size_t lines = m->result->line_count;
  double *memory = calloc(KIND_OTHER * lines + 1, sizeof *memory);
  struct sum sums[KIND_OTHER] = {{.lines = memory}, {.lines = memory + lines}, {.lines = memory + 2 * lines}};
  m->no_memory |= !memory;
  const double weights = memory && lines > 0 ? add_up(m, sums) : 0;
  for (enum kind kind = KIND_DOUBLE; kind < KIND_OTHER && memory && lines > 0; kind++)
    look_at_kind(m, kind, &sums[kind], weights);
  free(memory);
}
