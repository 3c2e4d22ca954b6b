/* Combinations of switches such that any two values of any two switches occur together (a pairwise covering array), and
 * few of them (greedy: Cohen et al., "The AETG system", IEEE Trans. Software Eng. 23, 1997).
 *
 * A switch is a parameter with choices, each of which is a value; or a mechanism that numbers turn off
 * (model/params/ablation.h), with the values off and on. New parameters and mechanisms are switches without a change
 * here. pairs_mark and pairs_missing check the combinations that were really run, from the descriptions alone. */
#ifndef SUPPORT_PAIRWISE_H
#define SUPPORT_PAIRWISE_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/params/ablation.h"

enum { PAIRS_SWITCHES = 80, PAIRS_VALUES = 8, PAIRS_ROWS = 512, PAIRS_TRIES = 10000 };

struct pairs_switch {
  const struct param *row;           /* a parameter, or */
  const struct mechanism *mechanism; /* a mechanism, with the values 0: off, 1: on */
  uint8_t values;
};

struct pairs {
  struct pairs_switch switches[PAIRS_SWITCHES];
  uint32_t switch_count, row_count;
  uint8_t rows[PAIRS_ROWS][PAIRS_SWITCHES];
  bool seen[PAIRS_SWITCHES][PAIRS_SWITCHES][PAIRS_VALUES][PAIRS_VALUES]; /* for switches a < b */
};

static inline bool pairs_row_is_switch(const struct param *row) {
  return row->type == PARAM_BOOL || row->type == PARAM_CHOICE;
}

static inline void pairs_find_switches(struct pairs *p) {
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *row = &gpu_params.list[i];
    if (pairs_row_is_switch(row))
      p->switches[p->switch_count++] =
          (struct pairs_switch){row, NULL, row->type == PARAM_BOOL ? 2 : (uint8_t)(row->maximum + 1)};
  }
  for (size_t i = 0; i < mechanism_count; i++)
    if (!pairs_row_is_switch(params_find(&gpu_params, mechanisms[i].off[0].key)))
      p->switches[p->switch_count++] = (struct pairs_switch){NULL, &mechanisms[i], 2};
  assert(p->switch_count <= PAIRS_SWITCHES);
  for (uint32_t i = 0; i < p->switch_count; i++)
    assert(p->switches[i].values <= PAIRS_VALUES);
}

static inline bool *pairs_cell(struct pairs *p, uint32_t a, uint8_t x, uint32_t b, uint8_t y) {
  return a < b ? &p->seen[a][b][x][y] : &p->seen[b][a][y][x];
}

/* Finds the first two values of two switches that were not seen together. Returns false if there are none. */
static inline bool pairs_missing(struct pairs *p, uint32_t *a, uint8_t *x, uint32_t *b, uint8_t *y) {
  for (*a = 0; *a < p->switch_count; ++*a)
    for (*b = *a + 1; *b < p->switch_count; ++*b)
      for (*x = 0; *x < p->switches[*a].values; ++*x)
        for (*y = 0; *y < p->switches[*b].values; ++*y)
          if (!*pairs_cell(p, *a, *x, *b, *y))
            return true;
  return false;
}

static inline void pairs_mark_row(struct pairs *p, const uint8_t *row) {
  for (uint32_t a = 0; a < p->switch_count; a++)
    for (uint32_t b = a + 1; b < p->switch_count; b++)
      *pairs_cell(p, a, row[a], b, row[b]) = true;
}

/* Returns the value of switch `s` with most unseen pairs with the switches that have values; of equal ones the first,
 * from a start that moves on from one combination to the next. */
static inline uint8_t pairs_best(struct pairs *p, const uint8_t *row, const bool *given, uint32_t s) {
  uint32_t best = 0, most = 0;
  for (uint32_t i = 0; i < p->switches[s].values; i++) {
    const uint8_t value = (uint8_t)((i + p->row_count) % p->switches[s].values);
    uint32_t gain = 1;
    for (uint32_t other = 0; other < p->switch_count; other++)
      gain += given[other] && !*pairs_cell(p, other, row[other], s, value);
    if (gain > most) {
      most = gain;
      best = value;
    }
  }
  return (uint8_t)best;
}

/* Makes the combinations, and clears the seen pairs. */
static inline void pairs_make(struct pairs *p) {
  uint32_t a, b;
  uint8_t x, y;
  memset(p, 0, sizeof *p);
  pairs_find_switches(p);
  while (pairs_missing(p, &a, &x, &b, &y)) {
    assert(p->row_count < PAIRS_ROWS);
    uint8_t *row = p->rows[p->row_count];
    bool given[PAIRS_SWITCHES] = {false};
    row[a] = x;
    row[b] = y;
    given[a] = given[b] = true;
    for (uint32_t s = 0; s < p->switch_count; s++)
      if (!given[s]) {
        row[s] = pairs_best(p, row, given, s);
        given[s] = true;
      }
    pairs_mark_row(p, row);
    p->row_count++;
  }
  memset(p->seen, 0, sizeof p->seen);
}

/* Copies a number, which in a random description may be outside of the parameter's bounds. */
static inline void pairs_copy(const char *key, struct gpu_spec *to, const struct gpu_spec *from) {
  const struct param *row = params_find(&gpu_params, key);
  const size_t size = row->type == PARAM_INT ? sizeof(int64_t) : sizeof(double);
  if (!pairs_row_is_switch(row))
    memcpy((char *)to + row->offset, (const char *)from + row->offset, size);
}

typedef void pairs_spec(struct random_state *r, struct gpu_spec *spec);

/* Turns a mechanism on, with the numbers of a random description that has it on. */
static inline void pairs_turn_on(const struct mechanism *m, struct random_state *r, pairs_spec *random_spec,
                                 struct gpu_spec *spec) {
  struct gpu_spec other = *spec;
  for (int i = 0; i < PAIRS_TRIES && !mechanism_is_used(m, &other); i++)
    random_spec(r, &other);
  for (const struct mechanism_off *off = m->off; off->key; off++)
    pairs_copy(off->key, spec, &other);
  for (int k = 0; k < MECHANISM_MOST_KEYS && m->only[k]; k++)
    pairs_copy(m->only[k], spec, &other);
}

/* Makes a random description with the switches of a combination. */
static inline void pairs_apply(const struct pairs *p, uint32_t number, struct random_state *r, pairs_spec *random_spec,
                               struct gpu_spec *spec) {
  const uint8_t *row = p->rows[number];
  for (int i = 0; i < PAIRS_TRIES; i++) {
    random_spec(r, spec);
    for (uint32_t s = 0; s < p->switch_count; s++) {
      const struct pairs_switch *one = &p->switches[s];
      if (one->row)
        params_set_number(one->row, spec, row[s], NULL);
      else if (row[s])
        pairs_turn_on(one->mechanism, r, random_spec, spec);
      else
        mechanism_turn_off(one->mechanism, spec);
    }
    if (gpu_spec_check(spec, NULL) == 0)
      return;
  }
  abort(); /* no description has these switches */
}

/* Marks the pairs that a description really has. */
static inline void pairs_mark(struct pairs *p, const struct gpu_spec *spec) {
  uint8_t row[PAIRS_SWITCHES];
  for (uint32_t s = 0; s < p->switch_count; s++)
    row[s] = p->switches[s].row ? (uint8_t)params_get_number(p->switches[s].row, spec)
                                : mechanism_is_used(p->switches[s].mechanism, spec);
  pairs_mark_row(p, row);
}

#endif
