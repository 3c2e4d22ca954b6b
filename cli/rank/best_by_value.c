#include "cli/rank/best_by_value.h"

#include <stdio.h>
#include <string.h>

/* Returns whether the name of a variant, such as "mine.tiled+TILE8+WORK1.8x8", has the part "+TILE8". */
static bool has_part(const char *name, const char *part, size_t length) {
  for (const char *at = strchr(name, '+'); at; at = strchr(at + 1, '+'))
    if (strncmp(at, part, length) == 0 && strchr("+.", at[length])) /* strchr finds the end as well */
      return true;
  return false;
}

static void show_value(const char *macro, int macro_length, const char *value, int value_length,
                       const struct rank_variant *variants, const struct ranking *ranking, struct view_list *list) {
  char part[160], name[80], text[80];
  size_t count = 0, best = 0;
  const int length = snprintf(part, sizeof part, "+%.*s%.*s", macro_length, macro, value_length, value);
  for (size_t i = 0; i < ranking->count; i++)
    if (has_part(variants[ranking->entries[i].variant].name, part, (size_t)length) && count++ == 0)
      best = i;
  if (count == 0)
    return;
  const struct rank_entry *entry = &ranking->entries[best];
  snprintf(name, sizeof name, "%.*s", macro_length, macro);
  snprintf(text, sizeof text, "%.*s", value_length, value);
  VIEW_ROW(list, view_text(name), view_text(text), view_real(entry->relative), view_text(variants[entry->variant].name),
           view_whole(count));
}

void best_by_value_show(const struct option_list *vary, const struct rank_variant *variants,
                        const struct ranking *ranking, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "macro", .title = "macro"},
      {.key = "value", .title = "value"},
      {.key = "relative", .title = "relative", .format = "%.2f"},
      {.key = "fastest", .title = "fastest variant with it"},
      {.key = "variants", .title = "variants", .format = "%d"},
  };
  struct view_list list;
  if (vary->count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "values", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < vary->count; i++) {
    const char *text = vary->items[i];
    const size_t macro = strcspn(text, "=");
    for (const char *at = text + macro; *at != '\0';) {
      const size_t length = strcspn(++at, ",");
      show_value(text, (int)macro, at, (int)length, variants, ranking, &list);
      at += length;
    }
  }
  view_list_end(&list);
}
