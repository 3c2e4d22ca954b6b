#include "model/sampling/group_pattern.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ODD 0.2 /* largest share of the work-groups of a class that may be odd; with more, there is no rule */

static void coordinates(const struct group_pattern *p, uint64_t id, uint64_t at[3]) {
  at[0] = id % p->groups[0];
  at[1] = id / p->groups[0] % p->groups[1];
  at[2] = id / p->groups[0] / p->groups[1];
}

static unsigned class_number(const struct group_pattern *p, uint64_t id) {
  uint64_t at[3];
  unsigned number = 0;
  coordinates(p, id, at);
  for (int d = 2; d >= 0; d--)
    number = 3 * number + (at[d] == 0 ? 0 : at[d] + 1 == p->groups[d] ? 2 : 1);
  return number;
}

static uint32_t number_of(const struct group_class *class, const struct trace_group *group, uint64_t i) {
  return i < class->stream_count ? group->base[i] : group->values[i - class->stream_count];
}

/* ---- learning ---- */

/* The work-groups of the trace that belong to one class, by index. */
struct members {
  const struct group_pattern *pattern;
  const uint32_t *list;
  uint32_t count;
};

static uint32_t count_like(const struct members *m, const struct trace_group *group) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    const struct trace_group *other = &m->pattern->trace->groups[m->list[i]];
    count += other->shape == group->shape && other->value_count == group->value_count;
  }
  return count;
}

/* Returns a member with the most frequent shape. */
static const struct trace_group *typical(const struct members *m) {
  const struct trace_group *groups = m->pattern->trace->groups, *best = NULL;
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->count && most <= m->count / 2; i++) {
    const uint32_t count = count_like(m, &groups[m->list[i]]);
    if (count > most) {
      most = count;
      best = &groups[m->list[i]];
    }
  }
  return best;
}

/* Finds two members of the class's shape that differ only in the coordinate of dimension `d`, by as little as possible.
 * Returns the difference, or 0 if there are none. */
static uint64_t find_pair(const struct members *m, const struct group_class *class, int d, uint32_t pair[2]) {
  const struct trace_group *groups = m->pattern->trace->groups;
  uint64_t least = 0;
  for (uint32_t i = 0; i < m->count; i++)
    for (uint32_t k = i + 1; k < m->count && least != 1; k++) {
      uint64_t a[3], b[3];
      if (groups[m->list[i]].shape != class->shape || groups[m->list[k]].shape != class->shape)
        continue;
      coordinates(m->pattern, groups[m->list[i]].id, a);
      coordinates(m->pattern, groups[m->list[k]].id, b);
      const bool alone = (d == 0 || a[0] == b[0]) && (d == 1 || a[1] == b[1]) && (d == 2 || a[2] == b[2]);
      if (alone && b[d] > a[d] && (least == 0 || b[d] - a[d] < least)) {
        least = b[d] - a[d];
        pair[0] = m->list[i];
        pair[1] = m->list[k];
      }
    }
  return least;
}

/* Sets the steps of dimension `d` from two members that are `apart` apart. Returns false if a step is not whole. */
static bool set_steps(const struct members *m, int d, const uint32_t pair[2], uint64_t apart,
                      struct group_class *class) {
  const struct trace_group *groups = m->pattern->trace->groups;
  for (uint64_t i = 0; i < class->stream_count + class->value_count; i++) {
    const int64_t difference = (int32_t)(number_of(class, &groups[pair[1]], i) - number_of(class, &groups[pair[0]], i));
    if (difference % (int64_t)apart != 0)
      return false;
    class->step[i][d] = (uint32_t)(difference / (int64_t)apart);
  }
  return true;
}

/* Returns whether a member's numbers follow the steps. */
static bool follows(const struct group_pattern *p, const struct group_class *class, const struct trace_group *group) {
  uint64_t at[3];
  if (group->shape != class->shape || group->value_count != class->value_count)
    return false;
  coordinates(p, group->id, at);
  for (uint64_t i = 0; i < class->stream_count + class->value_count; i++) {
    uint32_t number = class->numbers[i];
    for (int d = 0; d < 3; d++)
      number += (uint32_t)(at[d] - class->from[d]) * class->step[i][d];
    if (number != number_of(class, group, i))
      return false;
  }
  return true;
}

static bool allocate_class(struct group_class *class) {
  const uint64_t count = class->stream_count + class->value_count + 1;
  class->numbers = calloc(count, sizeof *class->numbers);
  class->step = calloc(count, sizeof *class->step);
  return class->numbers && class->step;
}

/* Learns the rule of a class. class->known becomes whether the members follow one rule, except for a share of
 * `most_odd`. Returns false when out of memory. */
static bool learn_class(const struct members *m, double most_odd, struct group_class *class) {
  const struct group_pattern *p = m->pattern;
  const struct trace_group *groups = p->trace->groups, *first = typical(m);
  if (!first)
    return true;
  class->shape = first->shape;
  class->stream_count = p->trace->shapes[first->shape]->stream_count;
  class->value_count = first->value_count;
  coordinates(p, first->id, class->from);
  if (!allocate_class(class))
    return false;
  for (uint64_t i = 0; i < class->stream_count + class->value_count; i++)
    class->numbers[i] = number_of(class, first, i);
  bool known = true;
  for (int d = 0; d < 3 && known; d++) {
    uint32_t pair[2] = {0};
    const uint64_t apart = find_pair(m, class, d, pair);
    class->varies[d] = apart > 0;
    known = apart == 0 || set_steps(m, d, pair, apart, class);
  }
  for (uint32_t i = 0; i < m->count; i++)
    class->odd += !follows(p, class, &groups[m->list[i]]);
  class->members = m->count;
  class->known = known && class->odd <= m->count * most_odd;
  return true;
}

static bool learn_members(struct group_pattern *p, unsigned number, uint32_t *list) {
  struct members m = {p, list, 0};
  for (uint32_t i = 0; i < p->trace->group_count; i++)
    if (number == GROUP_PATTERN_ALL || class_number(p, p->trace->groups[i].id) == number)
      list[m.count++] = i;
  return learn_class(&m, number == GROUP_PATTERN_ALL ? 0 : MOST_ODD, &p->classes[number]);
}

/* Returns whether the rule of all work-groups is known for each dimension; only then does it count. */
static bool covers_all(const struct group_pattern *p) {
  const struct group_class *all = &p->classes[GROUP_PATTERN_ALL];
  for (int d = 0; d < 3; d++)
    if (p->groups[d] > 1 && !all->varies[d])
      return false;
  return all->known;
}

int group_pattern_learn(struct group_pattern *p, const struct trace *trace, struct error *error) {
  uint32_t *list = calloc(trace->group_count + 1u, sizeof *list);
  *p = (struct group_pattern){.trace = trace};
  for (int d = 0; d < 3; d++)
    p->groups[d] = trace->header.global[d] / trace->header.local[d];
  bool done = list && learn_members(p, GROUP_PATTERN_ALL, list);
  p->classes[GROUP_PATTERN_ALL].known = done && covers_all(p);
  for (unsigned i = 0; i < GROUP_PATTERN_CLASSES && done && !p->classes[GROUP_PATTERN_ALL].known; i++)
    done = learn_members(p, i, list);
  free(list);
  return done ? 0 : error_no_memory(error);
}

void group_pattern_clear(struct group_pattern *p) {
  for (unsigned i = 0; i <= GROUP_PATTERN_CLASSES; i++) {
    free(p->classes[i].numbers);
    free(p->classes[i].step);
  }
  *p = (struct group_pattern){0};
}

/* ---- applying the rules ---- */

const struct group_class *group_pattern_class(const struct group_pattern *p, uint64_t id) {
  uint64_t at[3];
  const bool all = p->classes[GROUP_PATTERN_ALL].known;
  const struct group_class *class = &p->classes[all ? GROUP_PATTERN_ALL : class_number(p, id)];
  coordinates(p, id, at);
  for (int d = 0; d < 3; d++)
    if (!class->known || (!class->varies[d] && at[d] != class->from[d]))
      return NULL;
  return class;
}

void group_pattern_fill(const struct group_pattern *p, const struct group_class *class, uint32_t id, uint32_t *numbers,
                        struct trace_group *group) {
  uint64_t at[3];
  coordinates(p, id, at);
  for (uint64_t i = 0; i < class->stream_count + class->value_count; i++) {
    numbers[i] = class->numbers[i];
    for (int d = 0; d < 3; d++)
      numbers[i] += (uint32_t)(at[d] - class->from[d]) * class->step[i][d];
  }
  *group = (struct trace_group){.id = id,
                                .shape = class->shape,
                                .base = numbers,
                                .values = numbers + class->stream_count,
                                .value_count = class->value_count};
}

void group_pattern_count(const struct group_pattern *p, uint64_t counts[GROUP_PATTERN_CLASSES + 1]) {
  memset(counts, 0, (GROUP_PATTERN_CLASSES + 1) * sizeof *counts);
  if (p->classes[GROUP_PATTERN_ALL].known) {
    counts[GROUP_PATTERN_ALL] = p->groups[0] * p->groups[1] * p->groups[2];
    return;
  }
  for (unsigned i = 0; i < GROUP_PATTERN_CLASSES; i++) {
    const unsigned place[3] = {i % 3, i / 3 % 3, i / 9};
    counts[i] = 1;
    for (int d = 0; d < 3; d++) {
      const uint64_t n = p->groups[d], between = n > 2 ? n - 2 : 0;
      counts[i] *= place[d] == 1 ? between : place[d] == 0 ? 1 : n > 1;
    }
  }
}

double group_pattern_odd_share(const struct group_pattern *p) {
  uint64_t counts[GROUP_PATTERN_CLASSES + 1];
  double odd = 0, all = 0;
  group_pattern_count(p, counts);
  for (unsigned i = 0; i <= GROUP_PATTERN_CLASSES; i++) {
    const struct group_class *class = &p->classes[i];
    all += (double)counts[i];
    odd += class->known ? (double)counts[i] * class->odd / class->members : 0;
  }
  return odd / all;
}
