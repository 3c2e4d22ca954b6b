#include "tuner/board/board_choice.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* Returns whether the choice is `word` or "word=N". *number becomes the text behind "=", or NULL. */
static bool is_word(const char *choice, const char *word, const char **number) {
  const size_t length = strlen(word);
  *number = NULL;
  if (strncmp(choice, word, length) != 0) /* the text may be shorter than the word */
    return false;
  if (choice[length] == '=')
    *number = choice + length + 1;
  return choice[length] == '\0' || *number;
}

bool board_choice_is_known(const char *text) {
  const char *number;
  return is_word(text, "all", &number) || is_word(text, "train", &number) || is_word(text, "test", &number) ||
         is_word(text, "unseen", &number) || (*text != '\0' && strspn(text, "0123456789") == strlen(text));
}

size_t board_name_length(const char *name_or_path) {
  const char *colon = strrchr(name_or_path, ':');
  return colon && board_choice_is_known(colon + 1) ? (size_t)(colon - name_or_path) : strlen(name_or_path);
}

/* ---- strata ---- */

struct valued {
  double value;
  size_t index;
};

static int by_value(const void *a, const void *b) {
  const struct valued *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

static int by_index(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* Takes one point from each of `wanted` equal parts of the sorted points; indices are in the order of their values. */
static void stratify(const struct valued *sorted, size_t count, size_t wanted, struct random_state *random,
                     size_t *indices) {
  for (size_t i = 0; i < wanted; i++) {
    const size_t low = i * count / wanted, high = (i + 1) * count / wanted;
    indices[i] = sorted[low + random_below(random, (uint32_t)(high - low))].index;
  }
}

/* Keeps the point of each two neighbours that belongs to `train` or, if that is false, the other one. The last of an
 * odd number belongs to `train`. Returns how many are kept. */
static size_t keep_half(size_t *indices, size_t count, bool train, struct random_state *random) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 2) {
    const size_t first = random_below(random, 2), other = i + 1 - first;
    const size_t mine = train ? i + first : other;
    if (i + 1 < count)
      indices[kept++] = indices[mine];
    else if (train)
      indices[kept++] = indices[i];
  }
  return kept;
}

/* Removes the points of the split. Returns how many are left. */
static size_t remove_split(struct valued *sorted, size_t count, const size_t *indices, size_t split) {
  size_t kept = 0;
  for (size_t i = 0, next = 0; i < count; i++) {
    if (next < split && sorted[i].index == indices[next])
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

/* Reads how many points are wanted, 1 to `most`. */
static int read_count(const char *number, size_t most, size_t *wanted, struct error *error) {
  *wanted = number ? strtoull(number, NULL, 10) : 0;
  return *wanted >= 1 && *wanted <= most ? 0 : too_many(*wanted, most, error);
}

/* Keeps `wanted` of the indices, evenly in the order of their values. */
static void thin(size_t *indices, size_t count, size_t wanted) {
  for (size_t i = 0; i < wanted; i++)
    indices[i] = indices[i * count / wanted];
}

static int choose_half(const char *number, bool train, struct random_state *random, size_t *indices, size_t *chosen,
                       struct error *error) {
  const size_t half = keep_half(indices, *chosen, train, random);
  if (number && read_count(number, half, chosen, error) != 0)
    return -1;
  if (!number)
    *chosen = half;
  thin(indices, half, *chosen);
  return 0;
}

static int choose_outside(const char *number, struct valued *sorted, size_t count, struct random_state *random,
                          size_t *indices, size_t *chosen, struct error *error) {
  const size_t left = remove_split(sorted, count, indices, *chosen);
  if (read_count(number, left, chosen, error) != 0)
    return -1;
  stratify(sorted, left, *chosen, random, indices);
  return 0;
}

/* Writes the chosen indices to `indices` and their number to *chosen. `sorted` and `indices` have `count` elements. */
static int choose(const char *choice, struct valued *sorted, size_t count, const struct board_split *split,
                  size_t *indices, size_t *chosen, struct error *error) {
  const char *number = choice, *half_number;
  const bool train = is_word(choice, "train", &half_number), half = train || is_word(choice, "test", &half_number);
  const bool outside = is_word(choice, "unseen", &number);
  struct random_state random = {.s = split->seed};
  if (half || outside) {
    *chosen = split->points;
    if (need_split(choice, split, error) != 0 || (*chosen > count && too_many(*chosen, count, error) != 0))
      return -1;
  } else if (read_count(choice, count, chosen, error) != 0)
    return -1;
  stratify(sorted, count, *chosen, &random, indices);
  if (half)
    return choose_half(half_number, train, &random, indices, chosen, error);
  return outside ? choose_outside(number, sorted, count, &random, indices, chosen, error) : 0;
}

static void take_all(size_t *indices, size_t count, size_t *chosen) {
  for (size_t i = 0; i < count; i++)
    indices[i] = i;
  *chosen = count;
}

int board_choose(const char *choice, const double *values, size_t count, const struct board_split *split,
                 size_t **indices, size_t *chosen, struct error *error) {
  struct valued *sorted = calloc(count + 1, sizeof *sorted);
  *indices = calloc(count + 1, sizeof **indices);
  int status = sorted && *indices ? 0 : error_no_memory(error);
  for (size_t i = 0; i < count && status == 0; i++)
    sorted[i] = (struct valued){values[i], i};
  if (status == 0 && (!choice || strcmp(choice, "all") == 0))
    take_all(*indices, count, chosen);
  else if (status == 0) {
    qsort(sorted, count, sizeof *sorted, by_value);
    status = choose(choice, sorted, count, split, *indices, chosen, error);
  }
  if (status == 0)
    qsort(*indices, *chosen, sizeof **indices, by_index);
  free(sorted);
  if (status != 0) {
    free(*indices);
    *indices = NULL;
  }
  return status;
}
