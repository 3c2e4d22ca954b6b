/* The code table block by block: what each operation costs under an ISA profile, on which pipe, by which rule. */
#include "cli/info/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
  if (!p->note || !p->rule_of_note)
    return error_no_memory(error);
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
  if (!isa_bundle(p->isa))
    return 0;
  p->bundles = calloc(code->block_count + 1u, sizeof *p->bundles);
  if (!p->bundles)
    return error_no_memory(error);
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
  return p->summary ? p->summary->blocks[block] : 0;
}

static int priced_init(struct priced *p, struct error *error) {
  const struct trace_code *code = &p->trace->code;
  double by_pipe[ISA_PIPE_COUNT];
  p->slots = calloc(code->op_count + 1u, sizeof *p->slots);
  p->rule = calloc(code->op_count + 1u, sizeof *p->rule);
  if (!p->slots || !p->rule)
    return error_no_memory(error);
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

/* Returns the name of the function that an operation calls or the address space that it accesses; "" for others. */
static const char *detail_of(const struct trace_code *code, const struct trace_op *op) {
  if (op->name != TRACE_NO_NAME)
    return code->names[op->name];
  return has_space(op) ? trace_space_name((enum trace_space)op->space) : "";
}

static bool has_ir(const struct priced *p) {
  return p->trace->header.ir_count > 0;
}

/* Returns the slots that a block costs under `issue: bundles`. */
static double bundled_slots(const struct priced *p, uint32_t index) {
  return (double)p->bundles[index].bundles * (double)isa_bundle(p->isa)->slots / PRICE_ONE;
}

/* ---- operations ---- */

static const struct view_column operation_columns[] = {
    {.key = "class", .title = "operation"},
    {.key = "type", .title = "type"},
    {.key = "width", .title = "width", .format = "%d"},
    {.title = "name"}, /* of the function, or the address space */
    {.key = "line", .title = "line", .format = "%d"},
    {.key = "slots", .title = "slots", .format = "%.4g"},
    {.key = "share_percent", .title = "share %", .format = "%.1f"},
    {.key = "pipe", .title = "pipe"},
    {.key = "rule"},
    {.title = "rule", .format = "%s"},
    {.key = "name"},
    {.key = "space"},
    {.key = "ir", .title = "IR"},
};
enum { OPERATION_COLUMNS = sizeof operation_columns / sizeof operation_columns[0] };

/* Where nothing ran there is no share. */
static struct view_value share(const struct priced *p, uint64_t executions, double slots) {
  return p->summary ? view_real(share_percent(p, executions, slots)) : view_absent();
}

static void add_operation(const struct priced *p, uint32_t index, uint64_t executions, struct view_list *list) {
  const struct trace_code *code = &p->trace->code;
  const struct trace_op *op = &code->ops[index];
  const unsigned rule = p->note[p->rule[index]];
  char rule_text[32];
  snprintf(rule_text, sizeof rule_text, "[%u]", rule);
  VIEW_ROW(list, view_text(trace_op_class_name((enum trace_op_class)op->op_class)),
           view_text(trace_type_name((enum trace_type)op->type)), view_whole(op->width), view_text(detail_of(code, op)),
           view_whole(op->line), view_real(p->slots[index]), share(p, executions, p->slots[index]),
           view_text(isa_pipe_name(isa_rule_pipe(p->isa, p->rule[index]))), view_whole(rule), view_text(rule_text),
           op->name != TRACE_NO_NAME ? view_text(code->names[op->name]) : view_absent(),
           has_space(op) ? view_text(trace_space_name((enum trace_space)op->space)) : view_absent(),
           has_ir(p) ? view_text(p->trace->header.ir[index]) : view_absent());
}

static void show_operations(const struct priced *p, uint32_t index, struct view *view) {
  const struct trace_block *block = &p->trace->code.blocks[index];
  struct view_list list;
  view_list_begin(view, "operations", operation_columns, OPERATION_COLUMNS, &list);
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++)
    add_operation(p, i, executions_of(p, index), &list);
  view_list_end(&list);
}

/* ---- blocks ---- */

static void show_pipes(const double by_pipe[ISA_PIPE_COUNT], struct view *view) {
  view_object_begin(view, "slots_by_pipe");
  view_say(view, "  slots by pipe:");
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    if (by_pipe[i] > 0) {
      view_member(view, isa_pipe_name((enum isa_pipe)i), view_real(by_pipe[i]));
      view_say(view, "  %s %.4g", isa_pipe_name((enum isa_pipe)i), by_pipe[i]);
    }
  view_object_end(view);
}

static void show_bundles(const struct priced *p, uint32_t index, struct view *view) {
  if (!p->bundles)
    return;
  view_member(view, "side_by_side.bundles", view_whole(p->bundles[index].bundles));
  view_member(view, "side_by_side.clauses", view_whole(p->bundles[index].clauses));
  view_member(view, "side_by_side.slots", view_real(bundled_slots(p, index)));
  view_say(view, "\n  side by side:  %" PRIu64 " bundles in %" PRIu64 " clauses, %.4g slots with empty ones",
           p->bundles[index].bundles, p->bundles[index].clauses, bundled_slots(p, index));
}

static void show_successors(const struct priced *p, const struct trace_block *block, struct view *view) {
  static const struct view_column columns[] = {{.key = "block"}, {.key = "taken"}};
  struct view_list list;
  view_say(view, "\n  next:");
  view_list_begin(view, "successors", columns, 2, &list);
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++) {
    const uint32_t next = p->trace->code.successors[s];
    VIEW_ROW(&list, view_whole(next), p->summary ? view_whole(p->summary->edges[s]) : view_absent());
    view_say(view, "  block %u", next);
    if (p->summary)
      view_say(view, " (%" PRIu64 ")", p->summary->edges[s]);
  }
  view_list_end(&list);
  view_say(view, "%s\n\n", block->successor_count > 0 ? "" : "  end of the work-item");
}

static void show_block(const struct priced *p, uint32_t index, struct view *view) {
  const struct trace_block *block = &p->trace->code.blocks[index];
  const uint64_t executions = executions_of(p, index);
  double by_pipe[ISA_PIPE_COUNT];
  const double slots = block_slots(p, block, by_pipe);
  view_element_begin(view, "blocks");
  view_member(view, "block", view_whole(index));
  view_member(view, "line", view_whole(block->line));
  view_member(view, "executions", p->summary ? view_whole(executions) : view_absent());
  view_member(view, "slots", view_real(slots));
  view_member(view, "share_percent", share(p, executions, slots));
  view_say(view, "\nblock %u, line %u: ", index, block->line);
  if (p->summary)
    view_say(view, "executed %" PRIu64 " times, %.4g slots a time, %.1f %% of all slots\n", executions, slots,
             share_percent(p, executions, slots));
  else
    view_say(view, "%.4g slots\n", slots);
  show_pipes(by_pipe, view);
  show_bundles(p, index, view);
  show_successors(p, block, view);
  show_operations(p, index, view);
  view_object_end(view);
}

static void show_rules(const struct priced *p, struct view *view) {
  static const struct view_column columns[] = {{.key = "rule"}, {.key = "source"}};
  struct view_list list;
  view_say(view, "\nRules of the profile and where they come from:\n");
  if (p->bundles)
    view_say(view, "  bundles: %s\n", isa_bundle(p->isa)->source);
  view_list_begin(view, "rules", columns, 2, &list);
  for (unsigned n = 1; n <= p->note_count; n++) {
    const char *source = isa_rule_source(p->isa, p->rule_of_note[n]);
    view_say(view, "  [%u] %s\n", n, source);
    VIEW_ROW(&list, view_whole(n), view_text(source));
  }
  view_list_end(&list);
}

static void show_priced(const struct priced *p, struct view *view) {
  view_member(view, "isa", view_text(isa_name(p->isa)));
  view_say(view, "Code table, priced by the ISA profile %s\n", isa_name(p->isa));
  if (!has_ir(p))
    view_say(view, "The trace holds no IR: it comes from another program or an older version, or the kernel is very "
                   "long.\n");
  view_array(view, "blocks");
  for (uint32_t b = 0; b < p->trace->code.block_count; b++)
    show_block(p, b, view);
  show_rules(p, view);
}

int info_blocks_check(const struct trace *trace, const struct isa_profile *isa, struct error *error) {
  double slots;
  for (uint32_t i = 0; i < trace->code.op_count; i++)
    if (isa_op_slots(isa, &trace->code, &trace->code.ops[i], &slots, NULL, error) != 0)
      return -1;
  return 0;
}

int info_blocks_show(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                     struct view *view, struct error *error) {
  struct priced p = {.trace = trace, .summary = summary, .isa = isa};
  const int status = priced_init(&p, error);
  if (status == 0)
    show_priced(&p, view);
  priced_clear(&p);
  return status;
}
