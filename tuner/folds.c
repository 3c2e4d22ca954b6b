#include "tuner/folds.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static int from_groups(struct folds *folds, size_t measurements, const char *const *groups, struct error *error) {
  for (size_t i = 0; i < measurements; i++) {
    if (!groups || !groups[i])
      return error_at(error, ERROR_INPUT, "", 0, 0, "--cv", "measurement %zu has no \"group\" in the board file", i);
    size_t before = 0;
    while (strcmp(groups[before], groups[i]) != 0)
      before++;
    folds->of[i] = before < i ? folds->of[before] : folds->count++;
  }
  return 0;
}

static void draw(struct folds *folds, size_t measurements, uint64_t seed) {
  struct random_state random = {seed};
  for (size_t i = 0; i < measurements; i++)
    folds->of[i] = i % folds->count;
  for (size_t i = measurements; i-- > 1 && folds->count < measurements;) { /* true when groups have several members */
    const size_t j = random_below(&random, (uint32_t)(i + 1)), kept = folds->of[i];
    folds->of[i] = folds->of[j];
    folds->of[j] = kept;
  }
}

static int read_count(const char *text, size_t measurements, size_t *count, struct error *error) {
  char *end = NULL;
  *count = measurements;
  if (!text || strcmp(text, "loo") == 0)
    return 0;
  if (strncmp(text, "kfold=", 6) == 0 && text[6] >= '1' && text[6] <= '9')
    *count = strtoul(text + 6, &end, 10);
  if (end && *end == '\0')
    return 0;
  return error_set(error, ERROR_INPUT, "--cv: found \"%.60s\", expected loo, groups or kfold=K, as in kfold=5", text);
}

int folds_make(const char *text, size_t measurements, const char *const *groups, uint64_t seed, struct folds *out,
               struct error *error) {
  const bool grouped = text && strcmp(text, "groups") == 0;
  *out = (struct folds){0};
  if (!grouped && read_count(text, measurements, &out->count, error) != 0)
    return -1;
  out->of = calloc(measurements + 1, sizeof *out->of);
  int status = out->of ? 0 : error_no_memory(error);
  if (status == 0 && grouped)
    status = from_groups(out, measurements, groups, error);
  if (status == 0 && (measurements < 2 || out->count < 2 || out->count > measurements))
    status = error_at(error, ERROR_INPUT, "", 0, 0, "--cv", "found %zu %s for %zu measurements, allowed 2 to %zu",
                      out->count, grouped ? "groups" : "folds", measurements, measurements);
  if (status == 0 && !grouped)
    draw(out, measurements, seed);
  if (status != 0)
    folds_clear(out);
  return status;
}

void folds_clear(struct folds *folds) {
  free(folds->of);
  *folds = (struct folds){0};
}
