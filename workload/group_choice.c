#include "workload/group_choice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"

#define SCATTERED 24
#define PLACES    3 /* places of a work-group along a dimension: first, between, last */

void group_choice_clear(struct group_choice *choice) {
  index_ranges_clear(&choice->list);
  *choice = (struct group_choice){0};
}

/* ---- texts ---- */

static int refuse(const char *text, const char *why, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "found \"%.200s\"%s; expected auto, a share of the work-groups such as 5%% or 0.05, or an "
                   "ascending list of their linear ids such as 0..15,64",
                   text, why);
}

static bool read_id(const char **at, uint32_t *id) {
  char *end;
  errno = 0;
  const unsigned long long value = **at >= '0' && **at <= '9' ? strtoull(*at, &end, 10) : UINT64_MAX;
  if (errno || value >= UINT32_MAX)
    return false;
  *at = end;
  *id = (uint32_t)value;
  return true;
}

static int read_list(const char *text, struct group_choice *out, struct error *error) {
  const char *at = text;
  out->kind = GROUPS_LIST;
  for (;;) {
    uint32_t first, last;
    if (!read_id(&at, &first))
      return refuse(text, "", error);
    last = first;
    if (strncmp(at, "..", 2) == 0 && (at += 2, !read_id(&at, &last)))
      return refuse(text, "", error);
    const size_t count = out->list.count;
    if (last < first || (count > 0 && out->list.list[count - 1].last >= first))
      return refuse(text, ", which does not ascend", error);
    if (!index_ranges_add(&out->list, first, last))
      return error_no_memory(error);
    if (*at == '\0')
      return 0;
    if (*at++ != ',')
      return refuse(text, "", error);
  }
}

/* Returns whether the text is one number with a point or a percent sign. */
static bool is_share(const char *text, double *share) {
  char *end;
  *share = strtod(text, &end);
  const bool percent = strcmp(end, "%") == 0;
  if (percent)
    *share /= 100;
  return end > text && (percent || (*end == '\0' && strchr(text, '.')));
}

int group_choice_parse(const char *text, struct group_choice *out, struct error *error) {
  double share;
  *out = (struct group_choice){0};
  if (strcmp(text, "auto") == 0) {
    out->kind = GROUPS_AUTO;
    return 0;
  }
  if (!is_share(text, &share))
    return read_list(text, out, error);
  if (!(share > 0 && share <= 1))
    return refuse(text, ", which is not a share above 0 and at most 1", error);
  *out = (struct group_choice){.kind = GROUPS_SHARE, .share = share};
  return 0;
}

/* ---- the automatic choice ---- */

struct ids {
  uint32_t *list;
  size_t count, capacity;
};

static bool add(struct ids *ids, const uint64_t groups[3], const uint64_t at[3]) {
  if (!array_room(&ids->list, &ids->capacity, ids->count + 1, sizeof *ids->list))
    return false;
  ids->list[ids->count++] = (uint32_t)((at[2] * groups[1] + at[1]) * groups[0] + at[0]);
  return true;
}

/* Returns whether a dimension of `groups` work-groups has one at the place. A single one is the first. */
static bool has_place(uint64_t groups, unsigned place) {
  return place == 0 || (place == 1 ? groups > 2 : groups > 1);
}

/* Adds the work-groups of a class, of which place[d] is the place along dimension d: one that is far from all borders,
 * its neighbours, one near the beginning, one near the end, and one anywhere. */
static bool add_class(struct ids *ids, const uint64_t groups[3], const unsigned place[3]) {
  struct random_state random = {0x9a0e5};
  uint64_t at[3], low[3], high[3], any[3];
  bool done = true;
  for (int d = 0; d < 3; d++) {
    const bool between = place[d] == 1;
    low[d] = between ? 1 : place[d] == 0 ? 0 : groups[d] - 1;
    high[d] = between ? groups[d] - 2 : low[d];
    at[d] = low[d] + (high[d] - low[d]) / 3;
    any[d] = low[d] + random_next(&random) % (high[d] - low[d] + 1);
  }
  done = add(ids, groups, at) && add(ids, groups, low) && add(ids, groups, high) && add(ids, groups, any);
  for (int d = 0; d < 3 && done; d++)
    if (at[d] < high[d]) {
      at[d]++;
      done = add(ids, groups, at);
      at[d]--;
    }
  return done;
}

static bool add_classes(struct ids *ids, const uint64_t groups[3]) {
  bool done = true;
  for (unsigned number = 0; number < PLACES * PLACES * PLACES && done; number++) {
    const unsigned place[3] = {number % PLACES, number / PLACES % PLACES, number / (PLACES * PLACES)};
    if (has_place(groups[0], place[0]) && has_place(groups[1], place[1]) && has_place(groups[2], place[2]))
      done = add_class(ids, groups, place);
  }
  return done;
}

static bool add_spread(struct ids *ids, uint64_t total, double share) {
  const uint64_t wanted = (uint64_t)ceil((double)total * share);
  bool done = true;
  for (uint64_t i = 0; i < wanted && done; i++) {
    const uint64_t one[3] = {total, 1, 1}, at[3] = {(uint64_t)((double)i * ((double)total / (double)wanted)), 0, 0};
    done = add(ids, one, at);
  }
  return done;
}

/* Adds work-groups spread over the whole launch, at multiples of the golden ratio. Work-groups whose ids have a common
 * divisor would be alike in kernels that divide an id into coordinates. */
static bool add_scattered(struct ids *ids, uint64_t total) {
  const double ratio = 0.6180339887498949;
  bool done = true;
  for (int i = 1; i <= SCATTERED && done; i++) {
    const uint64_t one[3] = {total, 1, 1}, at[3] = {(uint64_t)(fmod(i * ratio, 1) * (double)total), 0, 0};
    done = add(ids, one, at);
  }
  return done;
}

static int by_id(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool choose(const struct group_choice *choice, const uint64_t groups[3], uint64_t total,
                   struct index_ranges *out) {
  struct ids ids = {0};
  bool done = add_classes(&ids, groups) && add_scattered(&ids, total) &&
              (choice->kind != GROUPS_SHARE || add_spread(&ids, total, choice->share));
  qsort(ids.list, ids.count, sizeof *ids.list, by_id);
  for (size_t i = 0; i < ids.count && done; i++)
    done = index_ranges_add(out, ids.list[i], ids.list[i]);
  free(ids.list);
  return done;
}

int group_choice_apply(const struct group_choice *choice, const uint64_t groups[3], struct index_ranges *out,
                       struct error *error) {
  const uint64_t total = groups[0] * groups[1] * groups[2];
  const struct index_ranges *list = &choice->list;
  if (choice->kind == GROUPS_ALL || total >= UINT32_MAX)
    return 0;
  if (choice->kind == GROUPS_LIST && list->list[list->count - 1].last >= total)
    return error_set(error, ERROR_INPUT, "groups: found work-group %u; the launch has %llu, counted from 0",
                     list->list[list->count - 1].last, (unsigned long long)total);
  if (!(choice->kind == GROUPS_LIST ? index_ranges_copy(out, list) : choose(choice, groups, total, out)))
    return error_no_memory(error);
  if (index_ranges_total(out) == total)
    index_ranges_clear(out);
  return 0;
}
