#include "tuner/board/board_launches.h"

#include <stdlib.h>
#include <string.h>

/* A term of a measurement, for which the number of its launch is being found. */
struct entry {
  struct board_launch launch;
  size_t term; /* index of the term among all */
  size_t rank; /* the first term that names the same workload */
};

int board_launches_order(const struct board_launch *a, const struct board_launch *b) {
  const int order = strcmp(a->workload, b->workload);
  return order != 0 ? order : strcmp(a->groups ? a->groups : "", b->groups ? b->groups : "");
}

static int order_sizes(size_t a, size_t b) {
  return a < b ? -1 : a > b;
}

/* Compares entries by workload, then in the order of the terms. */
static int by_workload(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  const int order = board_launches_order(&x->launch, &y->launch);
  return order != 0 ? order : order_sizes(x->term, y->term);
}

/* Compares entries by the first term that names the workload, then by launch, then in the order of the terms. */
static int by_rank(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (x->rank != y->rank)
    return order_sizes(x->rank, y->rank);
  if (x->launch.launch != y->launch.launch)
    return x->launch.launch < y->launch.launch ? -1 : 1;
  return order_sizes(x->term, y->term);
}

static size_t count_terms(const struct board *board) {
  size_t count = 0;
  for (size_t i = 0; i < board->count; i++)
    count += board->measurements[i].term_count;
  return count;
}

static void list_terms(const struct board *board, struct entry *entries, struct board_launches *out) {
  size_t n = 0;
  for (size_t i = 0; i < board->count; i++) {
    out->first[i] = n;
    for (size_t t = 0; t < board->measurements[i].term_count; t++, n++) {
      const struct board_term *term = &board->measurements[i].terms[t];
      entries[n] = (struct entry){.launch = {term->workload, term->groups, term->launch, i}, .term = n};
      out->shares[n].weight = term->weight;
    }
  }
  out->first[board->count] = n;
}

static void number_launches(struct entry *entries, size_t count, struct board_launches *out) {
  qsort(entries, count, sizeof *entries, by_workload);
  for (size_t i = 0; i < count; i++) {
    const bool same = i > 0 && board_launches_order(&entries[i - 1].launch, &entries[i].launch) == 0;
    entries[i].rank = same ? entries[i - 1].rank : entries[i].term;
  }
  qsort(entries, count, sizeof *entries, by_rank);
  for (size_t i = 0; i < count; i++) {
    const bool same =
        i > 0 && entries[i].rank == entries[i - 1].rank && entries[i].launch.launch == entries[i - 1].launch.launch;
    if (!same)
      out->all[out->count++] = entries[i].launch;
    out->shares[entries[i].term].launch = out->count - 1;
  }
}

int board_launches_make(const struct board *board, struct board_launches *out, struct error *error) {
  const size_t count = count_terms(board);
  struct entry *entries = calloc(count + 1, sizeof *entries);
  *out = (struct board_launches){.all = calloc(count + 1, sizeof *out->all),
                                 .shares = calloc(count + 1, sizeof *out->shares),
                                 .first = calloc(board->count + 1, sizeof *out->first)};
  const bool room = entries && out->all && out->shares && out->first;
  if (room) {
    list_terms(board, entries, out);
    number_launches(entries, count, out);
  }
  free(entries);
  return room ? 0 : error_no_memory(error);
}

void board_launches_clear(struct board_launches *launches) {
  free(launches->all);
  free(launches->shares);
  free(launches->first);
  *launches = (struct board_launches){0};
}

double board_launches_sum(const struct board_launches *launches, size_t i, const double *values) {
  double sum = 0;
  for (size_t s = launches->first[i]; s < launches->first[i + 1]; s++)
    sum += launches->shares[s].weight * values[launches->shares[s].launch];
  return sum;
}
