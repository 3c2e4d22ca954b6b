#include "dse/line_costs.h"

#include <stdbool.h>

static bool is_observed(const struct line_costs *costs) {
  return costs->observer && costs->observer->ops && costs->code;
}

static double part_of_stack(const struct sim_stack *stack, enum stack_component first, enum stack_component last) {
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(stack, values);
  for (int c = (int)first; c <= (int)last; c++)
    sum += values[c];
  return sum;
}

/* Returns the line to which most busy time of the components is charged; *charged: to all lines. */
static uint32_t busiest_line(const struct sim_result *result, enum stack_component first, enum stack_component last,
                             double *charged) {
  uint32_t line = 0;
  double most = 0;
  *charged = 0;
  for (size_t i = 0; i < result->line_count; i++) {
    const double cycles = part_of_stack(&result->lines[i].stack, first, last);
    *charged += cycles;
    if (cycles > most) {
      most = cycles;
      line = result->lines[i].line;
    }
  }
  return line;
}

/* Returns how long warps waited for an operation as far as a component is concerned, in ticks. */
static double waited_for(const struct trace_op *op, const struct observed_op *seen, enum stack_component component) {
  const double waited = (double)seen->waited;
  const bool at_port = seen->port != STACK_issue;
  switch (component) {
  case STACK_barrier:
    return op->op_class == OP_BARRIER ? waited : 0;
  case STACK_local:
  case STACK_uniform:
    return seen->port == component ? waited : 0;
  case STACK_lsu:
    return op->op_class != OP_BARRIER ? waited : 0;
  case STACK_atomic:
    return op->op_class == OP_ATOMIC && !at_port ? waited : 0;
  case STACK_store:
    return op->op_class == OP_STORE && !at_port ? waited : 0;
  case STACK_l1:
    return seen->accesses > 0 ? waited : 0;
  case STACK_l2:
  case STACK_bandwidth:
  case STACK_translation:
    return seen->l2_accesses > 0 ? waited : 0;
  case STACK_dram:
    return seen->l2_accesses > 0 ? waited * (double)seen->l2_misses / (double)seen->l2_accesses : 0;
  default:
    return 0;
  }
}

/* Returns the waiting for all operations of a line, by the components from `first` to `last`. */
static double waited_at(const struct line_costs *costs, uint32_t line, enum stack_component first,
                        enum stack_component last) {
  double sum = 0;
  for (uint32_t i = 0; i < costs->observer->op_count; i++)
    for (int c = (int)first; c <= (int)last && costs->code->ops[i].line == line; c++)
      sum += waited_for(&costs->code->ops[i], &costs->observer->ops[i], (enum stack_component)c);
  return sum;
}

static uint32_t line_waited_for(const struct line_costs *costs, enum stack_component first, enum stack_component last) {
  uint32_t line = 0;
  double most = 0;
  for (uint32_t i = 0; i < costs->observer->op_count; i++) {
    if (costs->observer->ops[i].waited == 0 || costs->code->ops[i].line == line)
      continue;
    const double waited = waited_at(costs, costs->code->ops[i].line, first, last);
    if (waited > most) {
      most = waited;
      line = costs->code->ops[i].line;
    }
  }
  return line;
}

uint32_t line_costs_most(const struct line_costs *costs, enum stack_component first, enum stack_component last) {
  double charged;
  const uint32_t busiest = busiest_line(costs->result, first, last, &charged);
  if (!is_observed(costs) || 2 * charged > part_of_stack(&costs->result->stack, first, last))
    return busiest;
  const uint32_t waited = line_waited_for(costs, first, last);
  return waited > 0 ? waited : busiest;
}

/* Gives the waiting for a component that is charged to no operation to those that warps waited for. */
static void spread_waiting(const struct line_costs *costs, enum stack_component c, struct sim_stack *ops) {
  double all = 0, left = part_of_stack(&costs->result->stack, c, c);
  for (uint32_t i = 0; i < costs->code->op_count; i++) {
    all += waited_for(&costs->code->ops[i], &costs->observer->ops[i], c);
    left -= *sim_stack_field(&ops[i], c);
  }
  for (uint32_t i = 0; i < costs->code->op_count && all > 0 && left > 0; i++)
    *sim_stack_field(&ops[i], c) += left * waited_for(&costs->code->ops[i], &costs->observer->ops[i], c) / all;
}

void line_costs_of_ops(const struct line_costs *costs, struct sim_stack *ops) {
  for (size_t i = 0; i < costs->result->op_count; i++)
    ops[i] = costs->result->ops[i].stack;
  for (enum stack_component c = STACK_store; c <= STACK_barrier && is_observed(costs); c++)
    spread_waiting(costs, c, ops);
}
