/* The triangles of a divided patch fill its domain: each edge between two of them is in both, in opposite directions,
 * all others lie on the border, and the areas sum up to that of the domain. Levels of any bits are bounded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "graphics/execute/primitives/tessellator.h"

enum { ROUNDS = 300, ONE = 65536, MOST_POINTS = 65 * 65 };

static const float odd_levels[] = {0.01f, 1, 1.00001f, 1.5f, 2, 3, 4.4f, 63, 63.5f, 64, 1e30f, INFINITY, NAN};

static float a_level(struct random_state *random, bool any) {
  const uint32_t choice = random_below(random, 4);
  if (choice == 0)
    return odd_levels[random_below(random, any ? 13 : 12)];
  return (float)(random_unit(random) * (choice == 1 ? 4 : choice == 2 ? 12 : 66) + 0.001);
}

static struct tessellation_levels some_levels(struct random_state *random) {
  struct tessellation_levels l;
  for (int k = 0; k < 4; k++)
    l.outer[k] = a_level(random, false);
  for (int k = 0; k < 2; k++)
    l.inner[k] = a_level(random, true);
  return l;
}

static int64_t fixed(float place) {
  const double number = (double)place * ONE;
  assert_true(number == floor(number) && number >= 0 && number <= ONE);
  return (int64_t)number;
}

static bool on_border(const struct tessellated *t, bool quads, uint32_t a, uint32_t b) {
  const float *p = t->places[a], *q = t->places[b];
  for (int axis = 0; axis < 2; axis++)
    if (p[axis] == q[axis] && (p[axis] == 0 || (quads && p[axis] == 1)))
      return true;
  return !quads && p[0] + p[1] == 1 && q[0] + q[1] == 1;
}

static int64_t area_of(const struct tessellated *t, const uint32_t *c) {
  const float *a = t->places[c[0]], *b = t->places[c[1]], *d = t->places[c[2]];
  return (fixed(b[0]) - fixed(a[0])) * (fixed(d[1]) - fixed(a[1])) -
         (fixed(b[1]) - fixed(a[1])) * (fixed(d[0]) - fixed(a[0]));
}

/* By first and second point: how often an edge is there in this direction. */
static unsigned char edges[MOST_POINTS][MOST_POINTS];

static void count_edges(const struct tessellated *t, int by) {
  for (size_t k = 0; k < t->corner_count; k++)
    edges[t->corners[k]][t->corners[k % 3 == 2 ? k - 2 : k + 1]] += (unsigned char)by;
}

static void check_triangles(const struct tessellator *how, const struct tessellated *t) {
  const bool quads = how->domain == DOMAIN_QUADS;
  int64_t area = 0;
  assert_true(t->place_count <= MOST_POINTS && t->corner_count % 3 == 0);
  for (size_t k = 0; k < t->corner_count; k += 3) {
    const int64_t part = area_of(t, t->corners + k);
    assert_true(how->clockwise ? part >= 0 : part <= 0);
    area += part;
  }
  assert_int_equal(llabs(area), (int64_t)ONE * ONE * (quads ? 2 : 1));
  count_edges(t, 1);
  for (size_t k = 0; k < t->corner_count; k++) {
    const uint32_t a = t->corners[k], b = t->corners[k % 3 == 2 ? k - 2 : k + 1];
    assert_int_equal(edges[a][b], 1);
    assert_true(edges[b][a] == 1 || on_border(t, quads, a, b));
  }
  count_edges(t, -1);
}

static void triangles_fill_their_domain(void **unused) {
  struct random_state random = {3};
  for (int round = 0; round < ROUNDS; round++) {
    struct tessellated t = {0};
    const struct tessellator how = {round % 2 ? DOMAIN_QUADS : DOMAIN_TRIANGLES,
                                    (enum tessellator_spacing)(round / 2 % 3), false, round % 5 < 2};
    const struct tessellation_levels levels = some_levels(&random);
    assert_true(tessellate(&how, &levels, &t));
    check_triangles(&how, &t);
    tessellated_clear(&t);
  }
  (void)unused;
}

static bool has_place(const struct tessellated *t, float u, float v) {
  for (size_t k = 0; k < t->place_count; k++)
    if (t->places[k][0] == u && t->places[k][1] == v)
      return true;
  return false;
}

/* An edge that two patches share has the same points in both, whichever edge it is and whatever the other levels are;
 * and its points lie alike from both ends. */
static void edges_depend_on_their_level_alone(void **unused) {
  struct random_state random = {5};
  for (int round = 0; round < ROUNDS; round++) {
    struct tessellated t[2] = {{0}};
    const struct tessellator how = {DOMAIN_QUADS, (enum tessellator_spacing)(round % 3), true, false};
    struct tessellation_levels levels[2] = {some_levels(&random), some_levels(&random)};
    levels[1].outer[3] = levels[0].outer[1]; /* at v = 0, and at v = 1 */
    for (int k = 0; k < 2; k++) {
      levels[k].inner[0] = levels[k].inner[1] = 3; /* points inside are not on the edge */
      assert_true(tessellate(&how, &levels[k], &t[k]));
    }
    assert_int_equal(t[0].corner_count, t[0].place_count); /* of points each stands once */
    for (size_t k = 0; k < t[0].place_count; k++)
      if (t[0].places[k][1] == 0) {
        assert_true(has_place(&t[1], t[0].places[k][0], 1));
        assert_true(has_place(&t[0], 1 - t[0].places[k][0], 0));
      }
    tessellated_clear(&t[0]);
    tessellated_clear(&t[1]);
  }
  (void)unused;
}

static void lines_have_their_number_of_points(void **unused) {
  const struct tessellator how = {DOMAIN_ISOLINES, SPACING_EQUAL, false, false};
  const struct tessellation_levels levels = {.outer = {3.2f, 5, 0, 0}};
  struct tessellated t = {0};
  assert_true(tessellate(&how, &levels, &t));
  assert_int_equal(t.place_count, 4 * 6);
  assert_int_equal(t.corner_count, 4 * 5 * 2);
  for (size_t k = 0; k < t.place_count; k++)
    assert_true(t.places[k][1] == (float)(k / 6) / 4); /* none at v = 1 */
  tessellated_clear(&t);
  (void)unused;
}

static void patches_without_a_level_are_left_out(void **unused) {
  static const float none[] = {0, -1, -INFINITY, NAN};
  for (int round = 0; round < 12; round++) {
    const struct tessellator how = {(enum tessellator_domain)(round % 3), SPACING_EQUAL, round < 6, false};
    struct tessellation_levels levels = {{4, 4, 4, 4}, {4, 4}};
    struct tessellated t = {0};
    levels.outer[round % 2] = none[round / 3];
    assert_true(tessellate(&how, &levels, &t));
    assert_int_equal(t.place_count + t.corner_count, 0);
    tessellated_clear(&t);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_fill_their_domain), cmocka_unit_test(edges_depend_on_their_level_alone),
      cmocka_unit_test(lines_have_their_number_of_points), cmocka_unit_test(patches_without_a_level_are_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
