#include "tuner/folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

int folds_parse(const char *text, size_t *folds, struct error *error) {
  char *end = NULL;
  *folds = 0;
  if (text == NULL || strcmp(text, "loo") == 0)
    return 0;
  if (strncmp(text, "kfold=", 6) == 0 && text[6] >= '1' && text[6] <= '9')
    *folds = strtoul(text + 6, &end, 10);
  if (end != NULL && *end == '\0')
    return 0;
  return error_set(error, ERROR_INPUT, "--cv: found \"%.60s\", expected loo or kfold=K, as in kfold=5", text);
}

int folds_assign(size_t count, size_t folds, uint64_t seed, size_t *fold, struct error *error) {
  if (count < 2 || folds < 2 || folds > count)
    return error_at(error, ERROR_INPUT, "", 0, 0, "--cv", "found %zu folds for %zu measurements, allowed 2 to %zu",
                    folds, count, count);
  struct random_state random = {seed};
  for (size_t i = 0; i < count; i++)
    fold[i] = i % folds;
  for (size_t i = count; i-- > 1 && folds < count;) { /* shuffled when groups have several members */
    const size_t j = random_below(&random, (uint32_t)(i + 1)), kept = fold[i];
    fold[i] = fold[j];
    fold[j] = kept;
  }
  return 0;
}
