#include "tuner/board/board_choice.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static const char unseen[] = "unseen=";

static bool is_choice(const char *text) {
  return strcmp(text, "all") == 0 || strcmp(text, "train") == 0 || strcmp(text, "test") == 0 ||
         strncmp(text, unseen, strlen(unseen)) == 0 || (*text != '\0' && strspn(text, "0123456789") == strlen(text));
}

size_t board_name_length(const char *name_or_path) {
  const char *colon = strrchr(name_or_path, ':');
  return colon != NULL && is_choice(colon + 1) ? (size_t)(colon - name_or_path) : strlen(name_or_path);
}

/* ---- strata ---- */

struct valued {
  double value;
  size_t row;
};

static int by_value(const void *a, const void *b) {
  const struct valued *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->row < y->row ? -1 : 1;
}

static int by_row(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* Takes one of each of `wanted` equal parts of the sorted points; rows are in the order of their values. */
static void stratify(const struct valued *sorted, size_t count, size_t wanted, struct random_state *random,
                     size_t *rows) {
  for (size_t i = 0; i < wanted; i++) {
    const size_t low = i * count / wanted, high = (i + 1) * count / wanted;
    rows[i] = sorted[low + random_below(random, (uint32_t)(high - low))].row;
  }
}

/* Of each two neighbours one goes to `train`; of an odd number the last one does. Returns how many are kept. */
static size_t keep_half(size_t *rows, size_t count, bool train, struct random_state *random) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 2) {
    const size_t first = random_below(random, 2), other = i + 1 - first;
    const size_t mine = train ? i + first : other;
    if (i + 1 < count)
      rows[kept++] = rows[mine];
    else if (train)
      rows[kept++] = rows[i];
  }
  return kept;
}

/* Removes the points of the split. Returns how many are left. */
static size_t remove_split(struct valued *sorted, size_t count, const size_t *rows, size_t split) {
  size_t kept = 0;
  for (size_t i = 0, next = 0; i < count; i++) {
    if (next < split && sorted[i].row == rows[next])
      next++;
    else
      sorted[kept++] = sorted[i];
  }
  return kept;
}

/* ---- choices ---- */

static int too_many(size_t wanted, size_t there, struct error *error) {
  return error_set(error, ERROR_INPUT, "found %zu points wanted, expected 1 to %zu, as the board has", wanted, there);
}

static int need_split(const char *choice, const struct board_split *split, struct error *error) {
  return split->points > 0 ? 0
                           : error_set(error, ERROR_INPUT,
                                       "the points \"%.40s\" are those of a split, and the board states none", choice);
}

/* `sorted` and `rows` have `count` elements. Returns 0 and *chosen rows. */
static int choose(const char *choice, struct valued *sorted, size_t count, const struct board_split *split,
                  size_t *rows, size_t *chosen, struct error *error) {
  const bool train = strcmp(choice, "train") == 0, half = train || strcmp(choice, "test") == 0;
  const bool outside = strncmp(choice, unseen, strlen(unseen)) == 0;
  struct random_state random = {.s = split->seed};
  if ((half || outside) && need_split(choice, split, error) != 0)
    return -1;
  *chosen = half || outside ? split->points : strtoull(choice, NULL, 10);
  if (*chosen < 1 || *chosen > count)
    return too_many(*chosen, count, error);
  stratify(sorted, count, *chosen, &random, rows);
  if (half)
    *chosen = keep_half(rows, *chosen, train, &random);
  if (!outside)
    return 0;
  const size_t left = remove_split(sorted, count, rows, *chosen);
  *chosen = strtoull(choice + strlen(unseen), NULL, 10);
  if (*chosen < 1 || *chosen > left)
    return too_many(*chosen, left, error);
  stratify(sorted, left, *chosen, &random, rows);
  return 0;
}

static void take_all(size_t *rows, size_t count, size_t *chosen) {
  for (size_t i = 0; i < count; i++)
    rows[i] = i;
  *chosen = count;
}

int board_choose(const char *choice, const double *values, size_t count, const struct board_split *split, size_t **rows,
                 size_t *chosen, struct error *error) {
  struct valued *sorted = calloc(count + 1, sizeof *sorted);
  *rows = calloc(count + 1, sizeof **rows);
  int status = sorted != NULL && *rows != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count && status == 0; i++)
    sorted[i] = (struct valued){values[i], i};
  if (status == 0 && (choice == NULL || strcmp(choice, "all") == 0))
    take_all(*rows, count, chosen);
  else if (status == 0) {
    qsort(sorted, count, sizeof *sorted, by_value);
    status = choose(choice, sorted, count, split, *rows, chosen, error);
  }
  if (status == 0)
    qsort(*rows, *chosen, sizeof **rows, by_row);
  free(sorted);
  if (status != 0) {
    free(*rows);
    *rows = NULL;
  }
  return status;
}
