/* The code table block by block: what each operation costs under an ISA profile, on which pipe, by which rule. */
#include "cli/info/info.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/core/table.h"
#include "model/isa/bundle.h"
#include "model/isa/price.h"

/* A code table with prices. Rules are numbered from 1 in the order in which operations first use them. */
struct priced {
  const struct trace *trace;
  const struct trace_summary *summary; /* NULL: it never ran */
  const struct isa_profile *isa;
  double *slots;  /* by operation */
  unsigned *rule; /* by operation: index in the profile */
  unsigned *note; /* by rule of the profile: its number here, 0: not used */
  unsigned *rule_of_note;
  unsigned note_count;
  double executed;              /* slots of all executions */
  struct bundle_count *bundles; /* by block; NULL: the profile does not say what issues side by side */
};

static int price_operations(struct priced *p, struct error *error) {
  const struct trace_code *code = &p->trace->code;
  unsigned most = 0;
  for (uint32_t i = 0; i < code->op_count; i++) {
    if (isa_op_slots(p->isa, code, &code->ops[i], &p->slots[i], &p->rule[i], error) != 0)
      return -1;
    most = p->rule[i] > most ? p->rule[i] : most;
  }
  p->note = calloc(most + 1u, sizeof *p->note);
  p->rule_of_note = calloc(most + 2u, sizeof *p->rule_of_note);
  if (p->note == NULL || p->rule_of_note == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (uint32_t i = 0; i < code->op_count; i++)
    if (p->note[p->rule[i]] == 0) {
      p->note[p->rule[i]] = ++p->note_count;
      p->rule_of_note[p->note_count] = p->rule[i];
    }
  return 0;
}

static void priced_clear(struct priced *p) {
  free(p->slots);
  free(p->rule);
  free(p->note);
  free(p->rule_of_note);
  free(p->bundles);
}

static int count_bundles(struct priced *p, struct error *error) {
  const struct trace_code *code = &p->trace->code;
  if (isa_bundle(p->isa) == NULL)
    return 0;
  p->bundles = calloc(code->block_count + 1u, sizeof *p->bundles);
  if (p->bundles == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  return price_bundle_counts(code, p->isa, p->bundles, error);
}

static double block_slots(const struct priced *p, const struct trace_block *block, double by_pipe[ISA_PIPE_COUNT]) {
  double sum = 0;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    by_pipe[i] = 0;
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    by_pipe[isa_rule_pipe(p->isa, p->rule[i])] += p->slots[i];
    sum += p->slots[i];
  }
  return sum;
}

static uint64_t executions_of(const struct priced *p, uint32_t block) {
  return p->summary != NULL ? p->summary->blocks[block] : 0;
}

static int priced_init(struct priced *p, struct error *error) {
  const struct trace_code *code = &p->trace->code;
  double by_pipe[ISA_PIPE_COUNT];
  p->slots = calloc(code->op_count + 1u, sizeof *p->slots);
  p->rule = calloc(code->op_count + 1u, sizeof *p->rule);
  if (p->slots == NULL || p->rule == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  if (price_operations(p, error) != 0)
    return -1;
  for (uint32_t b = 0; b < code->block_count; b++)
    p->executed += (double)executions_of(p, b) * block_slots(p, &code->blocks[b], by_pipe);
  return count_bundles(p, error);
}

static double share_percent(const struct priced *p, uint64_t executions, double slots) {
  return p->executed > 0 ? 100 * (double)executions * slots / p->executed : 0;
}

static bool has_space(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
}

/* What tells operations of a class apart: the function's name, or the address space. */
static const char *detail_of(const struct trace_code *code, const struct trace_op *op) {
  if (op->name != TRACE_NO_NAME)
    return code->names[op->name];
  return has_space(op) ? trace_space_name((enum trace_space)op->space) : "";
}

static bool has_ir(const struct priced *p) {
  return p->trace->header.ir_count > 0;
}

/* What `issue: bundles` lets the block cost. */
static double bundled_slots(const struct priced *p, uint32_t index) {
  return (double)p->bundles[index].bundles * (double)isa_bundle(p->isa)->slots / PRICE_ONE;
}

/* Text. */

static void print_block_head(const struct priced *p, uint32_t index) {
  const struct trace_block *block = &p->trace->code.blocks[index];
  const uint64_t executions = executions_of(p, index);
  double by_pipe[ISA_PIPE_COUNT];
  const double slots = block_slots(p, block, by_pipe);
  if (p->summary != NULL)
    printf("\nblock %u, line %u: executed %" PRIu64 " times, %.4g slots a time, %.1f %% of all slots\n", index,
           block->line, executions, slots, share_percent(p, executions, slots));
  else
    printf("\nblock %u, line %u: %.4g slots\n", index, block->line, slots);
  printf("  slots by pipe:");
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    if (by_pipe[i] > 0)
      printf("  %s %.4g", isa_pipe_name((enum isa_pipe)i), by_pipe[i]);
  if (p->bundles != NULL)
    printf("\n  side by side:  %" PRIu64 " bundles in %" PRIu64 " clauses, %.4g slots with empty ones",
           p->bundles[index].bundles, p->bundles[index].clauses, bundled_slots(p, index));
  printf("\n  next:");
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    if (p->summary != NULL)
      printf("  block %u (%" PRIu64 ")", p->trace->code.successors[s], p->summary->edges[s]);
    else
      printf("  block %u", p->trace->code.successors[s]);
  puts(block->successor_count > 0 ? "\n" : "  end of the work-item\n");
}

static int print_operations(const struct priced *p, uint32_t index, struct error *error) {
  const struct trace_code *code = &p->trace->code;
  const struct trace_block *block = &code->blocks[index];
  struct table_column columns[10] = {{"operation", false}, {"type", false}, {"width", true},
                                     {"name", false},      {"line", true},  {"slots", true}};
  size_t count = 6;
  if (p->summary != NULL)
    columns[count++] = (struct table_column){"share %", true};
  columns[count++] = (struct table_column){"pipe", false};
  columns[count++] = (struct table_column){"rule", true};
  if (has_ir(p))
    columns[count++] = (struct table_column){"IR", false};
  struct table *table = table_create(columns, count);
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    const struct trace_op *op = &code->ops[i];
    table_add(table, "%s", trace_op_class_name((enum trace_op_class)op->op_class));
    table_add(table, "%s", trace_type_name((enum trace_type)op->type));
    table_add(table, "%u", op->width);
    table_add(table, "%s", detail_of(code, op));
    table_add(table, "%u", op->line);
    table_add(table, "%.4g", p->slots[i]);
    if (p->summary != NULL)
      table_add(table, "%.1f", share_percent(p, executions_of(p, index), p->slots[i]));
    table_add(table, "%s", isa_pipe_name(isa_rule_pipe(p->isa, p->rule[i])));
    table_add(table, "[%u]", p->note[p->rule[i]]);
    if (has_ir(p))
      table_add(table, "%s", p->trace->header.ir[i]);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_priced(const struct priced *p, struct error *error) {
  printf("Code table, priced by the ISA profile ");
  table_print_text(isa_name(p->isa), stdout);
  putchar('\n');
  if (!has_ir(p))
    puts("The trace holds no IR: it comes from another program or an older version, or the kernel is very long.");
  for (uint32_t b = 0; b < p->trace->code.block_count; b++) {
    print_block_head(p, b);
    if (print_operations(p, b, error) != 0)
      return -1;
  }
  printf("\nRules of the profile and where they come from:\n");
  if (p->bundles != NULL) {
    printf("  bundles: ");
    table_print_text(isa_bundle(p->isa)->source, stdout);
    putchar('\n');
  }
  for (unsigned n = 1; n <= p->note_count; n++) {
    printf("  [%u] ", n);
    table_print_text(isa_rule_source(p->isa, p->rule_of_note[n]), stdout);
    putchar('\n');
  }
  return 0;
}

int info_blocks_check(const struct trace *trace, const struct isa_profile *isa, struct error *error) {
  double slots;
  for (uint32_t i = 0; i < trace->code.op_count; i++)
    if (isa_op_slots(isa, &trace->code, &trace->code.ops[i], &slots, NULL, error) != 0)
      return -1;
  return 0;
}

int info_blocks_print(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                      struct error *error) {
  struct priced p = {.trace = trace, .summary = summary, .isa = isa};
  const int status = priced_init(&p, error) != 0 ? -1 : print_priced(&p, error);
  priced_clear(&p);
  return status;
}

/* JSON. */

/* NULL where nothing ran. */
static json_t *share_json(const struct priced *p, uint64_t executions, double slots) {
  return p->summary != NULL ? json_real(share_percent(p, executions, slots)) : NULL;
}

static json_t *count_json(const struct priced *p, uint64_t count) {
  return p->summary != NULL ? json_integer((json_int_t)count) : NULL;
}

static json_t *operation_json(const struct priced *p, uint32_t index, uint64_t executions) {
  const struct trace_op *op = &p->trace->code.ops[index];
  json_t *object = json_pack(
      "{s:s, s:s, s:i, s:I, s:f, s:o*, s:s, s:i}", "class", trace_op_class_name((enum trace_op_class)op->op_class),
      "type", trace_type_name((enum trace_type)op->type), "width", (int)op->width, "line", (json_int_t)op->line,
      "slots", p->slots[index], "share_percent", share_json(p, executions, p->slots[index]), "pipe",
      isa_pipe_name(isa_rule_pipe(p->isa, p->rule[index])), "rule", (int)p->note[p->rule[index]]);
  int failed = 0;
  if (op->name != TRACE_NO_NAME)
    failed |= json_object_set_new(object, "name", command_json_text(p->trace->code.names[op->name]));
  if (has_space(op))
    failed |= json_object_set_new(object, "space", json_string(trace_space_name((enum trace_space)op->space)));
  if (has_ir(p))
    failed |= json_object_set_new(object, "ir", command_json_text(p->trace->header.ir[index]));
  if (failed == 0)
    return object;
  json_decref(object);
  return NULL;
}

/* NULL where the profile does not say what issues side by side. */
static json_t *bundles_json(const struct priced *p, uint32_t index) {
  if (p->bundles == NULL)
    return NULL;
  return json_pack("{s:I, s:I, s:f}", "bundles", (json_int_t)p->bundles[index].bundles, "clauses",
                   (json_int_t)p->bundles[index].clauses, "slots", bundled_slots(p, index));
}

static json_t *block_json(const struct priced *p, uint32_t index) {
  const struct trace_code *code = &p->trace->code;
  const struct trace_block *block = &code->blocks[index];
  const uint64_t executions = executions_of(p, index);
  double by_pipe[ISA_PIPE_COUNT];
  const double slots = block_slots(p, block, by_pipe);
  json_t *pipes = json_object(), *successors = json_array(), *operations = json_array();
  int failed = 0;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    if (by_pipe[i] > 0)
      failed |= json_object_set_new(pipes, isa_pipe_name((enum isa_pipe)i), json_real(by_pipe[i]));
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    failed |=
        json_array_append_new(successors, json_pack("{s:I, s:o*}", "block", (json_int_t)code->successors[s], "taken",
                                                    count_json(p, p->summary != NULL ? p->summary->edges[s] : 0)));
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++)
    failed |= json_array_append_new(operations, operation_json(p, i, executions));
  if (failed != 0) {
    json_decref(pipes);
    json_decref(successors);
    json_decref(operations);
    return NULL;
  }
  return json_pack("{s:I, s:I, s:o*, s:f, s:o*, s:o, s:o*, s:o, s:o}", "block", (json_int_t)index, "line",
                   (json_int_t)block->line, "executions", count_json(p, executions), "slots", slots, "share_percent",
                   share_json(p, executions, slots), "slots_by_pipe", pipes, "side_by_side", bundles_json(p, index),
                   "successors", successors, "operations", operations);
}

static json_t *priced_json(const struct priced *p) {
  json_t *blocks = json_array(), *rules = json_array();
  int failed = 0;
  for (uint32_t b = 0; b < p->trace->code.block_count; b++)
    failed |= json_array_append_new(blocks, block_json(p, b));
  for (unsigned n = 1; n <= p->note_count; n++)
    failed |= json_array_append_new(rules, json_pack("{s:i, s:o}", "rule", (int)n, "source",
                                                     command_json_text(isa_rule_source(p->isa, p->rule_of_note[n]))));
  if (failed != 0) {
    json_decref(blocks);
    json_decref(rules);
    return NULL;
  }
  return json_pack("{s:o, s:o, s:o}", "isa", command_json_text(isa_name(p->isa)), "blocks", blocks, "rules", rules);
}

int info_blocks_json(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                     json_t **out, struct error *error) {
  struct priced p = {.trace = trace, .summary = summary, .isa = isa};
  *out = NULL;
  int status = priced_init(&p, error);
  if (status == 0 && (*out = priced_json(&p)) == NULL)
    status = error_set(error, ERROR_WORK, "out of memory");
  priced_clear(&p);
  return status;
}
