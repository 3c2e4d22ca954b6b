#include "dse/answer/effects.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES_PER_CELL = 4 };

struct input {
  size_t axis_count, count;
  const size_t *levels, *coordinates;
  const double *y;
};

/* Sums and counts of cells, of one axis (b == a) or a pair. */
struct cells {
  double *sum;
  size_t *count, size;
};

static int cells_init(struct cells *cells, size_t size) {
  *cells = (struct cells){calloc(size + 1, sizeof *cells->sum), calloc(size + 1, sizeof *cells->count), size};
  return cells->sum && cells->count ? 0 : -1;
}

static void cells_clear(struct cells *cells) {
  free(cells->sum);
  free(cells->count);
}

static size_t cell_of(const struct input *in, size_t i, size_t a, size_t b) {
  const size_t *at = &in->coordinates[i * in->axis_count];
  return a == b ? at[a] : at[a] * in->levels[b] + at[b];
}

static void cells_fill(struct cells *cells, const struct input *in, size_t a, size_t b) {
  for (size_t i = 0; i < in->count; i++) {
    const size_t cell = cell_of(in, i, a, b);
    cells->sum[cell] += in->y[i];
    cells->count[cell]++;
  }
}

static void describe(const struct input *in, struct effects *out) {
  for (size_t i = 0; i < in->count; i++)
    out->grand_mean += in->y[i] / (double)in->count;
  for (size_t i = 0; i < in->count; i++) {
    const double off = in->y[i] - out->grand_mean;
    out->variance += off * off / (double)in->count;
  }
}

static int main_effect(const struct input *in, size_t a, struct effects *out) {
  struct cells cells;
  double explained = 0;
  int status = cells_init(&cells, in->levels[a]);
  out->means[a] = status == 0 ? calloc(in->levels[a] + 1, sizeof **out->means) : NULL;
  if (!out->means[a])
    status = -1;
  if (status == 0)
    cells_fill(&cells, in, a, a);
  for (size_t v = 0; v < in->levels[a] && status == 0; v++) {
    const double n = (double)cells.count[v];
    out->means[a][v] = n > 0 ? cells.sum[v] / n - out->grand_mean : NAN;
    if (n > 0)
      explained += n * out->means[a][v] * out->means[a][v] / (double)in->count;
  }
  out->shares[a] = out->variance > 0 ? explained / out->variance : 0;
  cells_clear(&cells);
  return status;
}

/* Returns whether the samples are a whole grid, with one sample for each combination. */
static int is_grid(const struct input *in) {
  size_t size = 1;
  for (size_t a = 0; a < in->axis_count; a++)
    if (__builtin_mul_overflow(size, in->levels[a], &size))
      return 0;
  return size == in->count;
}

static int pair_effect(const struct input *in, size_t a, size_t b, int grid, struct effects *out) {
  double *share = &out->pair_shares[a * in->axis_count + b];
  const size_t size = in->levels[a] * in->levels[b]; /* at most 10^8: bounds of an axis */
  struct cells cells;
  double explained = 0;
  *share = NAN;
  if (!grid && in->count / SAMPLES_PER_CELL < size)
    return 0;
  const int status = cells_init(&cells, size);
  if (status == 0)
    cells_fill(&cells, in, a, b);
  for (size_t cell = 0; cell < size && status == 0; cell++) {
    const double n = (double)cells.count[cell];
    if (n == 0)
      continue;
    const double beyond = cells.sum[cell] / n - out->grand_mean - out->means[a][cell / in->levels[b]] -
                          out->means[b][cell % in->levels[b]];
    explained += n * beyond * beyond / (double)in->count;
  }
  *share = out->variance > 0 ? explained / out->variance : 0;
  cells_clear(&cells);
  return status;
}

int effects_compute(size_t axis_count, const size_t *levels, const size_t *coordinates, const double *y, size_t count,
                    struct effects *out) {
  const struct input in = {axis_count, count, levels, coordinates, y};
  *out = (struct effects){.axis_count = axis_count};
  out->means = calloc(axis_count + 1, sizeof *out->means);
  out->shares = calloc(axis_count + 1, sizeof *out->shares);
  out->pair_shares = calloc(axis_count * axis_count + 1, sizeof *out->pair_shares);
  int status = out->means && out->shares && out->pair_shares ? 0 : -1;
  if (status == 0)
    describe(&in, out);
  for (size_t a = 0; a < axis_count && status == 0; a++)
    status = main_effect(&in, a, out);
  const int grid = is_grid(&in);
  for (size_t a = 0; a < axis_count && status == 0; a++)
    for (size_t b = a + 1; b < axis_count && status == 0; b++)
      status = pair_effect(&in, a, b, grid, out);
  if (status != 0)
    effects_clear(out);
  return status;
}

void effects_clear(struct effects *effects) {
  for (size_t a = 0; effects->means && a < effects->axis_count; a++)
    free(effects->means[a]);
  free(effects->means);
  free(effects->shares);
  free(effects->pair_shares);
  *effects = (struct effects){0};
}
