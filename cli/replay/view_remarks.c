#include "cli/replay/view_remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/retime/retime_memory.h"

#define MUCH_MORE 1.5 /* of two costs, so that the larger one is worth a sentence */

static const struct view_column columns[] = {{.key = "kind"},  {.key = "line"}, {.key = "cycles"},
                                             {.key = "share"}, {.key = "text"}, {.key = "advice"}};

static void add(struct view_list *list, const struct remark *remark) {
  VIEW_ROW(list, view_text(remark_kind_name(remark->kind)), remark->line > 0 ? view_whole(remark->line) : view_null(),
           remark->cycles > 0 ? view_real(remark->cycles) : view_null(),
           remark->cycles > 0 ? view_real(remark->share) : view_null(), view_text(remark->text),
           view_text(remark->advice));
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

/* Returns the name of a kernel's file without its folders; "" where it is not known. */
static const char *file_of(const struct replay_kernel *kernel) {
  const char *file = kernel->source ? kernel->source : kernel->trace->header.source_file;
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

static void print(const struct remark *remark, const char *file, FILE *out) {
  if (remark->cycles > 0)
    fprintf(out, "  %5.0f %%  ", 100 * remark->share);
  else
    fprintf(out, "      -  ");
  if (remark->line > 0)
    fprintf(out, "%s:%u: ", file[0] != '\0' ? file : "line", remark->line);
  fprintf(out, "%s\n", remark->text);
  fprintf(out, "           try: %s\n", remark->advice);
}

void view_remarks_say(struct view *view, const struct replay_kernel *kernel, const struct remarks *remarks,
                      const struct remarks *without) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = view_is_json(view) ? NULL : text_stream_begin(&text, &length);
  for (size_t i = 0; i < remarks->count && memory; i++)
    if (!holds(without, &remarks->items[i]))
      print(&remarks->items[i], file_of(kernel), memory);
  if (memory && text_stream_end(memory, &text) && text[0] != '\0') {
    view_say(view, "  %s\n", kernel->name);
    view_say_wrapped(view, text);
  } else if (!view_is_json(view) && !text)
    view->failed = true;
  free(text);
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
