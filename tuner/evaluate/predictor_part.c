#include "tuner/evaluate/predictor_part.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/process/ranks.h"

#define UNUSED SIZE_MAX

/* The launches of some measurements, numbered anew. */
struct part {
  struct simulated_kernels kernels; /* the context of the predictor: the first member */
  struct board_launches sums;
  const struct trace **traces;
  size_t *order, *numbers; /* numbers: of each launch of the whole, UNUSED: not in the part */
};

static void free_part(struct part *p) {
  board_launches_clear(&p->sums);
  free(p->traces);
  free(p->order);
  free(p->numbers);
  free(p);
}

static void release_part(struct predictor *part) {
  free_part(part->context);
  *part = (struct predictor){0};
}

/* Returns how many shares the measurements have together. */
static size_t count_shares(const struct simulated_kernels *whole, const size_t *indices, size_t count) {
  size_t shares = 0;
  for (size_t i = 0; i < count; i++)
    shares += whole->sums ? whole->sums->first[indices[i] + 1] - whole->sums->first[indices[i]] : 1;
  return shares;
}

static struct part *make_room(const struct simulated_kernels *whole, size_t count, size_t shares) {
  struct part *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->sums.shares = calloc(shares + 1, sizeof *p->sums.shares);
  p->sums.first = calloc(count + 1, sizeof *p->sums.first);
  p->traces = calloc(whole->count + 1, sizeof *p->traces);
  p->order = calloc(whole->count + 1, sizeof *p->order);
  p->numbers = calloc(whole->count + 1, sizeof *p->numbers);
  if (p->sums.shares && p->sums.first && p->traces && p->order && p->numbers)
    return p;
  free_part(p);
  return NULL;
}

/* Returns the number that the launch has in the part. */
static size_t number_of(struct part *p, const struct simulated_kernels *whole, size_t launch) {
  if (p->numbers[launch] == UNUSED) {
    p->numbers[launch] = p->kernels.count;
    p->traces[p->kernels.count++] = whole->traces[launch];
  }
  return p->numbers[launch];
}

static void take_measurement(struct part *p, const struct simulated_kernels *whole, size_t index, size_t *shares) {
  const struct board_launches *sums = whole->sums;
  if (!sums)
    p->sums.shares[(*shares)++] = (struct board_share){number_of(p, whole, index), 1};
  for (size_t s = sums ? sums->first[index] : 0; sums && s < sums->first[index + 1]; s++)
    p->sums.shares[(*shares)++] =
        (struct board_share){number_of(p, whole, sums->shares[s].launch), sums->shares[s].weight};
}

/* Launches start in the order in which those of the whole do. */
static void take_order(struct part *p, const struct simulated_kernels *whole) {
  size_t n = 0;
  for (size_t i = 0; i < whole->count; i++)
    if (p->numbers[whole->order[i]] != UNUSED)
      p->order[n++] = p->numbers[whole->order[i]];
}

int predict_part_by_simulation(void *context, const size_t *indices, size_t count, struct predictor *out,
                               struct error *error) {
  const struct simulated_kernels *whole = context;
  struct part *p = make_room(whole, count, count_shares(whole, indices, count));
  size_t shares = 0;
  if (ranks_agree(p ? 0 : error_no_memory(error), error) != 0) {
    if (p)
      free_part(p);
    return -1;
  }
  p->kernels = *whole;
  p->kernels.count = 0;
  for (size_t i = 0; i < whole->count; i++)
    p->numbers[i] = UNUSED;
  for (size_t i = 0; i < count; i++) {
    take_measurement(p, whole, indices[i], &shares);
    p->sums.first[i + 1] = shares;
  }
  take_order(p, whole);
  p->kernels.traces = p->traces;
  p->kernels.order = p->order;
  p->kernels.sums = &p->sums;
  p->kernels.measurements = count;
  p->kernels.recorded = NULL;
  p->kernels.work = NULL;
  *out = simulating_predictor;
  out->count = count;
  out->context = &p->kernels;
  out->release = release_part;
  return 0;
}
