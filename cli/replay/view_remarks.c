#include "cli/replay/view_remarks.h"

#include <stdio.h>

#include "model/retime/retime_memory.h"

#define MUCH_MORE 1.5 /* of two costs, so that the larger one is worth a sentence */

static const struct view_column columns[] = {{.key = "kind"}, {.key = "line"}, {.key = "cycles"}, {.key = "text"}};

static void add(struct view_list *list, const struct remark *remark) {
  VIEW_ROW(list, view_text(remark_kind_name(remark->kind)), remark->line > 0 ? view_whole(remark->line) : view_null(),
           remark->cycles > 0 ? view_real(remark->cycles) : view_null(), view_text(remark->text));
}

/* Returns whether `remarks` (NULL: none) say the same about a similar cost, or about a larger one. */
static bool holds(const struct remarks *remarks, const struct remark *remark) {
  bool found = false;
  double cycles = 0;
  for (size_t i = 0; remarks && i < remarks->count; i++)
    if (remarks->items[i].kind == remark->kind) {
      found = true;
      cycles += remarks->items[i].cycles;
    }
  return found && remark->cycles <= MUCH_MORE * cycles;
}

static void say(struct view *view, const char *name, const struct remark *remark) {
  char place[32] = "";
  if (remark->line > 0 && remark->kind != REMARK_STRIDE)
    snprintf(place, sizeof place, " (line %u)", remark->line);
  view_say(view, "  %s: %s%s\n", name, remark->text, place);
}

void view_remarks_say(struct view *view, const char *name, const struct remarks *remarks,
                      const struct remarks *without) {
  for (size_t i = 0; i < remarks->count; i++)
    if (!holds(without, &remarks->items[i]))
      say(view, name, &remarks->items[i]);
}

bool view_remarks_differ(const struct remarks *remarks, const struct remarks *without) {
  for (size_t i = 0; i < remarks->count; i++)
    if (!holds(without, &remarks->items[i]))
      return true;
  return false;
}

struct view_value view_remarks_items(struct view *view, const struct remarks *remarks) {
  struct view_list list;
  view_items_begin(view, columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < remarks->count; i++)
    add(&list, &remarks->items[i]);
  return view_items_end(&list);
}

void tell_lacking_memory(const struct options *options) {
  if (retime_memory_lacked() && !options->quiet)
    fprintf(stderr,
            "reassemble: memory ran out for the recordings of some replays; where one was missing, each GPU was "
            "replayed exactly, which takes longer\n");
}
