#include "dse/points/families.h"

#include <stdlib.h>

#include "model/retime/retime_family.h"

struct keyed {
  uint64_t family;
  uint32_t design;
};

static int by_family(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  if (x->family != y->family)
    return x->family < y->family ? -1 : 1;
  return (x->design > y->design) - (x->design < y->design);
}

/* A range of a family. Families are in order of their first designs, so that results do not depend on hashes. */
struct range {
  size_t first, count;
  uint32_t design;
};

static int by_design(const void *a, const void *b) {
  const struct range *x = a, *y = b;
  return (x->design > y->design) - (x->design < y->design);
}

/* Returns whether the design is the base or a variant, whose numbers are always reported. */
static bool is_named(const struct points *points, uint32_t design) {
  return points->first_points[design] <= points->sweep->variant_count;
}

static size_t collect(const struct points *points, struct keyed *designs) {
  size_t count = 0;
  for (uint32_t d = 0; d < points->design_count; d++) {
    struct gpu_spec spec;
    if (is_named(points, d))
      continue;
    points_spec(points, points->first_points[d], &spec, NULL);
    designs[count++] = (struct keyed){retime_family_of(&spec), d};
  }
  qsort(designs, count, sizeof *designs, by_family);
  return count;
}

static size_t cut(const struct keyed *designs, size_t count, struct range *ranges) {
  size_t n = 0;
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && end - i < FAMILY_MOST && designs[end].family == designs[i].family)
      end++;
    if (end - i >= FAMILY_LEAST)
      ranges[n++] = (struct range){i, end - i, designs[i].design};
    i = end;
  }
  qsort(ranges, n, sizeof *ranges, by_design);
  return n;
}

/* Moves the member nearest to the base to the front; of equally near ones the first. */
static void put_nearest_first(const struct points *points, uint32_t *members, size_t count) {
  size_t nearest = 0;
  double least = 0;
  for (size_t i = 0; i < count; i++) {
    struct gpu_spec spec;
    points_spec(points, points->first_points[members[i]], &spec, NULL);
    const double distance = retime_distance(&points->sweep->gpu->spec, &spec);
    if (i == 0 || distance < least) {
      nearest = i;
      least = distance;
    }
  }
  const uint32_t first = members[nearest];
  members[nearest] = members[0];
  members[0] = first;
}

static void add_family(const struct points *points, const struct keyed *designs, size_t count, struct families *out) {
  const size_t first = out->first[out->count];
  for (size_t i = 0; i < count; i++) {
    out->members[first + i] = designs[i].design;
    out->is_member[designs[i].design] = true;
  }
  put_nearest_first(points, out->members + first, count);
  out->first[++out->count] = first + count;
}

int families_find(const struct points *points, bool exact, struct families *out, struct error *error) {
  const size_t n = points->design_count;
  struct keyed *designs = calloc(n + 1, sizeof *designs);
  struct range *ranges = calloc(n + 1, sizeof *ranges);
  *out = (struct families){.first = calloc(n / FAMILY_LEAST + 2, sizeof *out->first),
                           .members = calloc(n + 1, sizeof *out->members),
                           .is_member = calloc(n + 1, sizeof *out->is_member)};
  const bool room = designs && ranges && out->first && out->members && out->is_member;
  if (room && !exact && !points->sweep->reference) {
    const size_t count = cut(designs, collect(points, designs), ranges);
    for (size_t i = 0; i < count; i++)
      add_family(points, designs + ranges[i].first, ranges[i].count, out);
  }
  free(designs);
  free(ranges);
  if (room)
    return 0;
  families_clear(out);
  return error_no_memory(error);
}

void families_clear(struct families *families) {
  free(families->first);
  free(families->members);
  free(families->is_member);
  *families = (struct families){0};
}
