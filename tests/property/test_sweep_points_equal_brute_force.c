/* The points of random sweeps (lists, linked lists, ranges, relative values, constraints, variants) are those that
 * plain nested loops over the same numbers give, in the same order; impossible and equal ones are counted alike. Random
 * and Sobol samples are different points of that grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "dse/points/points.h"
#include "rounds.h"

enum { MOST_AXES = 4, MOST_VALUES = 5, MOST_POINTS = 1000, NUMBERS = 4 };

/* The four parameters that random sweeps vary, and how their values are written. */
static const char *const keys[NUMBERS] = {"cores", "execution_engines", "l1_bytes", "l2_miss_cycles"};
static const double base[NUMBERS] = {8, 3, 16384, 100};

struct axis {
  int first, second; /* parameters; second -1: not linked */
  int count;
  double values[2][MOST_VALUES];
};

struct design {
  double numbers[NUMBERS];
  int impossible;
};

struct expected {
  struct axis axes[MOST_AXES];
  int axis_count;
  double limit; /* constraint: cores * execution_engines <= limit; 0: none */
  struct design points[MOST_POINTS];
  size_t count;
};

static double random_value(struct random_state *r, int parameter, char *text, size_t size) {
  static const double factors[] = {0.5, 0.75, 1, 1.5, 2};
  if (parameter == 3 && random_below(r, 2)) { /* relative */
    const double factor = factors[random_below(r, 5)];
    snprintf(text, size, "x%g", factor);
    return 100 * factor;
  }
  const double value = parameter == 0   ? 1 + random_below(r, 12)
                       : parameter == 1 ? 1 + random_below(r, 4)
                       : parameter == 2 ? 64 * (1 + random_below(r, 300)) + (random_below(r, 4) == 0 ? 32 : 0)
                                        : 10 * (1 + random_below(r, 9));
  snprintf(text, size, "%g", value);
  return value;
}

static void write_column(FILE *out, struct random_state *r, int parameter, double *values, int count, int range) {
  fprintf(out, "%s: ", keys[parameter]);
  if (range) { /* of a whole number of steps */
    const int step = 1 + (int)random_below(r, 2);
    fprintf(out, "{from: 1, to: %d, step: %d}", 1 + (count - 1) * step, step);
    for (int i = 0; i < count; i++)
      values[i] = 1 + i * step;
    return;
  }
  for (int i = 0; i < count; i++) {
    char text[32];
    values[i] = random_value(r, parameter, text, sizeof text);
    fprintf(out, "%s%s", i == 0 ? "[" : ", ", text);
  }
  fprintf(out, "]");
}

/* Parameters are dealt to axes; the last axis may link two. */
static void write_axes(FILE *out, struct random_state *r, struct expected *e) {
  int parameters = 1 + (int)random_below(r, NUMBERS), next = 0;
  fprintf(out, "axes:\n");
  while (next < parameters) {
    struct axis *axis = &e->axes[e->axis_count++];
    axis->first = next++;
    axis->second = next < parameters && random_below(r, 3) == 0 ? next++ : -1;
    axis->count = 2 + (int)random_below(r, MOST_VALUES - 1);
    fprintf(out, "  - {");
    write_column(out, r, axis->first, axis->values[0], axis->count, axis->first < 2 && random_below(r, 2));
    if (axis->second >= 0) {
      fprintf(out, ", ");
      write_column(out, r, axis->second, axis->values[1], axis->count, 0);
    }
    fprintf(out, "}\n");
  }
}

static void add(struct expected *e, const double *numbers, int constrained) {
  struct design *design = &e->points[e->count++];
  assert_true(e->count <= MOST_POINTS);
  memcpy(design->numbers, numbers, sizeof design->numbers);
  const int lines = numbers[2] / 64 == (double)(int)(numbers[2] / 64) ? (int)(numbers[2] / 64) : -1;
  design->impossible = lines < 0 || lines % 4 != 0; /* the G71's L1: 4 ways of 64-byte lines */
  if (constrained && e->limit > 0 && numbers[0] * numbers[1] > e->limit)
    design->impossible = 1;
}

static void nest(struct expected *e, int depth, const double *numbers) {
  if (depth >= MOST_AXES || depth == e->axis_count) {
    add(e, numbers, 1);
    return;
  }
  const struct axis *axis = &e->axes[depth];
  for (int v = 0; v < axis->count; v++) {
    double inner[NUMBERS];
    memcpy(inner, numbers, sizeof inner);
    inner[axis->first] = axis->values[0][v];
    if (axis->second >= 0)
      inner[axis->second] = axis->values[1][v];
    nest(e, depth + 1, inner);
  }
}

static void write_sweep(const char *path, struct random_state *r, struct expected *e, const char *sampling) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out, "schema: reassemble.sweep/1\nname: random\ngpu: mali-g71-mp8\nworkloads: [saxpy]\n");
  add(e, base, 0);
  write_axes(out, r, e);
  if (random_below(r, 2)) {
    e->limit = 10 + random_below(r, 20);
    fprintf(out, "constraints: [\"cores * execution_engines <= %g\", \"(l1_bytes + 0) / 2 < l2_bytes - 1\"]\n",
            e->limit);
  }
  if (random_below(r, 2)) {
    const double wide[NUMBERS] = {40, 5, 16384, 50};
    fprintf(out, "variants:\n  - {name: wide, cores: 40, execution_engines: 5, l2_miss_cycles: x0.5}\n");
    add(e, wide, 0);
  }
  fprintf(out, "sampling: %s\n", sampling);
  fclose(out);
  nest(e, 0, base);
}

static int equal(const struct design *a, const struct design *b) {
  return memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

static void check_spec(const struct points *points, size_t point, const struct design *wanted) {
  struct gpu_spec spec;
  assert_int_equal(points_spec(points, point, &spec, NULL) != 0, wanted->impossible);
  assert_int_equal(points->designs[point] == POINT_IMPOSSIBLE, wanted->impossible);
  const double found[NUMBERS] = {(double)spec.cores, (double)spec.execution_engines, (double)spec.l1_bytes,
                                 spec.l2_miss_cycles};
  assert_memory_equal(found, wanted->numbers, sizeof found);
}

static void check_grid(const struct points *points, const struct expected *e) {
  size_t designs = 0, impossible = 0;
  assert_int_equal(points->count, e->count);
  for (size_t i = 0; i < e->count; i++) {
    size_t first = 0;
    check_spec(points, i, &e->points[i]);
    if (e->points[i].impossible) {
      impossible++;
      continue;
    }
    while (e->points[first].impossible || !equal(&e->points[first], &e->points[i]))
      first++;
    designs += first == i;
    assert_int_equal(points->first_points[points->designs[i]], first);
  }
  assert_int_equal(points->design_count, designs);
  assert_int_equal(points->impossible_count, impossible);
}

/* Samples are combinations of the grid, none twice; with as many as the grid has, few are missing. */
static void check_samples(const struct points *points, const struct expected *e, uint64_t drawn) {
  const size_t written_out = 1 + points->sweep->variant_count;
  assert_int_equal(points->count - written_out + points->sample.drawn_again, drawn);
  for (uint64_t i = 0; i < points->sample.count; i++) {
    const uint64_t combination = points->sample.combinations[i];
    assert_true(written_out + combination < e->count);
    check_spec(points, written_out + i, &e->points[written_out + combination]);
    for (uint64_t j = 0; j < i; j++)
      assert_true(points->sample.combinations[j] != combination);
  }
}

static void test_points(void **state) {
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "sweep-%ld.yaml", (long)getpid());
  for (uint32_t round = 0; round < rounds(300); round++) {
    static const char *const samplings[] = {"grid", "{random: 40}", "{sobol: 40}"};
    static struct expected e;
    struct random_state r = {round + 1};
    struct sweep *sweep;
    struct points points;
    struct error error = ERROR_INIT;
    memset(&e, 0, sizeof e);
    write_sweep(path, &r, &e, samplings[round % 3]);
    if (sweep_load(path, &sweep, &error) != 0 || points_enumerate(sweep, false, &points, &error) != 0)
      fail_msg("round %u: %s:%u: %s: %s", round, error.file, error.line, error.key, error.text);
    if (round % 3 == 0)
      check_grid(&points, &e);
    else
      check_samples(&points, &e, 40);
    points_clear(&points);
    sweep_destroy(sweep);
  }
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
