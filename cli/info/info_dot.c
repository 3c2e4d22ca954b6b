/* The control-flow graph with execution counts, in the language of Graphviz. */
#include "cli/info/info.h"

#include <inttypes.h>

/* Names come from a file: nothing in them ends a string or gives a command to a terminal. */
static void print_quoted(const char *text, FILE *out) {
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fputc('\\', out);
    fputc(c < 0x20 || c > 0x7e ? '?' : c, out);
  }
}

static void print_block(const struct trace *trace, const struct trace_summary *summary, uint32_t index, FILE *out) {
  const struct trace_block *block = &trace->code.blocks[index];
  uint32_t operations = 0;
  for (uint32_t o = 0; o < block->op_count; o++)
    operations += trace->code.ops[block->first_op + o].op_class != OP_MOVE;
  fprintf(out, "  b%u [label=\"block %u", index, index);
  if (block->line > 0)
    fprintf(out, ", line %u", block->line);
  fprintf(out, "\\noperations %u, accesses %u%s\\nexecuted %" PRIu64 "\"%s];\n", operations, block->mem_count,
          block->has_barrier ? ", barrier" : "", summary->blocks[index],
          summary->blocks[index] > 0 ? "" : ", style=dashed");
}

static void print_ways(const struct trace *trace, const struct trace_summary *summary, uint32_t index, FILE *out) {
  const struct trace_block *block = &trace->code.blocks[index];
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    fprintf(out, "  b%u -> b%u [label=\"%" PRIu64 "\"%s];\n", index, trace->code.successors[s], summary->edges[s],
            summary->edges[s] > 0 ? "" : ", style=dashed");
}

void info_dot_print(const struct trace *trace, const struct trace_summary *summary, FILE *out) {
  const struct trace_header *h = &trace->header;
  fputs("digraph \"", out);
  print_quoted(h->kernel, out);
  fputs("\" {\n  label=\"", out);
  print_quoted(h->kernel, out);
  fputs(" of ", out);
  print_quoted(h->source_file, out);
  fputs(" (workload ", out);
  print_quoted(h->workload, out);
  fprintf(out, ", launch %u)\";\n  node [shape=box, fontname=\"monospace\"];\n", h->launch);
  for (uint32_t b = 0; b < trace->code.block_count; b++)
    print_block(trace, summary, b, out);
  for (uint32_t b = 0; b < trace->code.block_count; b++)
    print_ways(trace, summary, b, out);
  fputs("}\n", out);
}
