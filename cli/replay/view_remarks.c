#include "cli/replay/view_remarks.h"

#include <stdio.h>

static const struct view_column columns[] = {{.key = "kind"}, {.key = "line"}, {.key = "text"}};

static void add(struct view_list *list, const struct remark *remark) {
  VIEW_ROW(list, view_text(remark_kind_name(remark->kind)), remark->line > 0 ? view_whole(remark->line) : view_null(),
           view_text(remark->text));
}

static bool holds(const struct remarks *remarks, enum remark_kind kind) {
  for (size_t i = 0; remarks != NULL && i < remarks->count; i++)
    if (remarks->items[i].kind == kind)
      return true;
  return false;
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
    if (!holds(without, remarks->items[i].kind))
      say(view, name, &remarks->items[i]);
}

bool view_remarks_differ(const struct remarks *remarks, const struct remarks *without) {
  for (size_t i = 0; i < remarks->count; i++)
    if (!holds(without, remarks->items[i].kind))
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
