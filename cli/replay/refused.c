#include "cli/replay/refused.h"

#include <stdlib.h>
#include <string.h>

static size_t all(const struct replay *replay) {
  return replay->count + replay->refused_count;
}

static size_t count_refused(const struct replay *replay) {
  size_t count = 0;
  for (size_t i = 0; i < all(replay); i++)
    count += replay->kernels[i].refusal != NULL;
  return count;
}

int refused_set_aside(struct replay *replay, struct error *error) {
  struct replay_kernel *sorted = malloc((replay->count + 1) * sizeof *sorted);
  if (!sorted)
    return error_no_memory(error);
  size_t used = 0;
  for (int refused = 0; refused < 2; refused++)
    for (size_t i = 0; i < replay->count; i++)
      if ((replay->kernels[i].refusal != NULL) == refused)
        sorted[used++] = replay->kernels[i];
  free(replay->kernels);
  replay->kernels = sorted;
  replay->refused_count = count_refused(replay);
  replay->count -= replay->refused_count;
  return 0;
}

void refused_show(const struct replay *replay, const char *title, struct view *view) {
  static const struct view_column columns[] = {{.key = "name"}, {.key = "reason"}};
  struct view_list list = {0};
  for (size_t i = 0; i < all(replay); i++) {
    const struct replay_kernel *kernel = &replay->kernels[i];
    if (!kernel->refusal)
      continue;
    if (!list.view) {
      view_say(view, "\n%s:\n", title);
      view_list_begin(view, "refused", columns, 2, &list);
    }
    VIEW_ROW(&list, view_text(kernel->name), view_text(kernel->refusal));
    view_say(view, "  %s: %s\n", kernel->name, kernel->refusal);
  }
}

int refused_judge(const struct replay *replay, const char *what, struct error *error) {
  const size_t count = count_refused(replay);
  size_t first = 0;
  if (count == 0)
    return 0;
  while (!replay->kernels[first].refusal)
    first++;
  return error_set(error, ERROR_WORK, "%zu of %zu %s have no result on %s, the first (%s): %s", count, all(replay),
                   what, replay->gpu->name, replay->kernels[first].name, replay->kernels[first].refusal);
}
