/* The words for races (cli/launch/race_view.h). */
#include "cli/launch/race_view.h"

#include <inttypes.h>
#include <string.h>

#include "trace/read/reader.h"

/* Some 4 ns an instruction and 30 ns a block: a few milliseconds beside the 60 that the command takes at least. */
enum { MOST_WARNINGS = 3, SMALL_LAUNCH = 200000, MOST_BLOCKS = 50000, MOST_MEMORY = 64 << 20 };

struct words {
  char items[2][64]; /* "(3, 0)": global ids */
  char lines[40];    /* "line 7", "lines 7 and 9", "" when unknown */
  char bytes[160];   /* "bytes 0 to 3 of a" */
};

static const char *verb_of(const struct trace_op *op) {
  return op->op_class == OP_LOAD ? "loads" : op->op_class == OP_STORE ? "stores" : "changes atomically";
}

static void write_item(const struct trace_header *h, uint32_t group, uint32_t item, char *text, size_t size) {
  size_t used = 0;
  uint64_t groups = group, items = item;
  for (uint32_t d = 0; d < h->dimensions && used < size; d++) {
    const uint64_t across = h->local[d] > 0 ? h->global[d] / h->local[d] : 1;
    const uint64_t id = h->offset[d] + groups % across * h->local[d] + items % h->local[d];
    used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, d == 0 ? "(" : ", ", id);
    groups /= across;
    items /= h->local[d];
  }
  if (used < size)
    snprintf(text + used, size - used, ")");
}

static struct words words_of(const struct trace *trace, const struct trace_race *race) {
  const struct trace_op *first = &trace->code.ops[race->op[0]], *second = &trace->code.ops[race->op[1]];
  struct words w = {.lines = ""};
  for (int i = 0; i < 2; i++)
    write_item(&trace->header, race->group[i], race->item[i], w.items[i], sizeof w.items[i]);
  if (first->line > 0 && first->line == second->line)
    snprintf(w.lines, sizeof w.lines, "line %u", first->line);
  else if (first->line > 0 && second->line > 0)
    snprintf(w.lines, sizeof w.lines, "lines %u and %u", first->line, second->line);
  const char *memory = race->buffer != TRACE_NO_BUFFER ? trace->header.buffers[race->buffer].name
                       : second->space == SPACE_LOCAL  ? "local memory"
                                                       : "global memory";
  snprintf(w.bytes, sizeof w.bytes, "bytes %u to %u of %.100s", race->offset, race->offset + race->elem_bytes - 1,
           memory);
  return w;
}

static void warn(const struct trace *trace, const struct trace_race *race, FILE *out) {
  const struct words w = words_of(trace, race);
  const struct trace_op *first = &trace->code.ops[race->op[0]], *second = &trace->code.ops[race->op[1]];
  const bool same = strcmp(verb_of(first), verb_of(second)) == 0;
  fprintf(out, "reassemble: warning: %s%s%s: work-item %s %s ", trace->header.kernel, w.lines[0] ? ", " : "", w.lines,
          w.items[0], verb_of(first));
  if (same)
    fprintf(out, "%s, and so does work-item %s", w.bytes, w.items[1]);
  else
    fprintf(out, "and work-item %s %s %s", w.items[1], verb_of(second), w.bytes);
  fprintf(out, "; nothing orders them%s\n",
          same ? ", so the last one wins unless both store the same value"
               : ", so the result may differ from run to run");
}

static void warn_of_all(const struct trace *trace, const struct trace_races *races, FILE *out) {
  for (size_t i = 0; i < races->count && i < MOST_WARNINGS; i++)
    warn(trace, &races->list[i], out);
  if (races->count > MOST_WARNINGS)
    fprintf(out, "reassemble: and %zu more races; reassemble info --races TRACE lists all\n",
            races->count - MOST_WARNINGS);
}

static void look(struct trace_reader *reader, bool small) {
  const struct trace_race_limits limits = {
      .memory_bytes = MOST_MEMORY, .most_blocks = small ? 0 : MOST_BLOCKS, .writes_alone = !small};
  const struct trace *trace = trace_reader_trace(reader);
  struct trace_race_search *search = trace_races_begin(trace, &limits);
  struct trace_races races;
  struct trace_group group;
  struct error error = ERROR_INIT;
  if (!search)
    return;
  while (trace_reader_next(reader, &group, &error) == 1 && trace_races_group(search, &group, &error) == 0)
    ;
  trace_races_end(search, &races);
  warn_of_all(trace, &races, stderr);
  trace_races_clear(&races);
}

void race_view_look(const char *file, uint64_t work_item_instructions) {
  struct trace_reader *reader;
  struct error error = ERROR_INIT;
  if (trace_reader_open(file, &reader, &error) != 0)
    return;
  look(reader, work_item_instructions <= SMALL_LAUNCH);
  trace_reader_close(reader);
}

static struct view_value line_of(const struct trace *trace, uint32_t op) {
  const uint32_t line = trace->code.ops[op].line;
  return line > 0 ? view_whole(line) : view_null();
}

void race_view_show(const struct trace *trace, const struct trace_races *races, struct view *view) {
  static const struct view_column columns[] = {{.key = "first_line", .title = "line", .format = "%d"},
                                               {.key = "first_access", .title = "access"},
                                               {.key = "first_work_item", .title = "work-item"},
                                               {.key = "second_line", .title = "line", .format = "%d"},
                                               {.key = "second_access", .title = "access"},
                                               {.key = "second_work_item", .title = "work-item"},
                                               {.key = "bytes", .title = "of"},
                                               {.key = "elements", .title = "elements", .format = "%d"}};
  struct view_list list;
  if (races->count == 0 && !view_is_json(view)) {
    view_say(view, "no two work-items race\n");
    return;
  }
  view_list_begin(view, "races", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < races->count; i++) {
    const struct trace_race *race = &races->list[i];
    const struct words w = words_of(trace, race);
    VIEW_ROW(&list, line_of(trace, race->op[0]), view_text(verb_of(&trace->code.ops[race->op[0]])),
             view_text(w.items[0]), line_of(trace, race->op[1]), view_text(verb_of(&trace->code.ops[race->op[1]])),
             view_text(w.items[1]), view_text(w.bytes), view_whole(race->elements));
  }
  view_list_end(&list);
}
