/* Gradient-boosted regression trees by XGBoost (Chen, Guestrin, KDD 2016), whose library is loaded when it is first
 * used, so that the program starts where it is not installed. The numbers of trees, their depth and the learning rate
 * are assumed; they are common ones for some hundred examples. */
#include "tuner/learner/learner.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const settings[][2] = {
    {"objective", "reg:squarederror"}, {"base_score", "0"}, {"eta", "0.05"},    {"max_depth", "4"},
    {"tree_method", "exact"},          {"nthread", "1"},    {"verbosity", "0"},
};
enum { TREES = 400, SETTINGS = sizeof settings / sizeof settings[0] };

/* The functions of XGBoost's C interface that are used (xgboost/c_api.h of 1.7); they return 0 if they succeed. */
struct library {
  int (*matrix_create)(const float *data, uint64_t rows, uint64_t columns, float missing, void **out);
  int (*matrix_set)(void *matrix, const char *field, const float *values, uint64_t count);
  int (*matrix_free)(void *matrix);
  int (*create)(void *const *matrices, uint64_t count, void **out);
  int (*set)(void *booster, const char *name, const char *value);
  int (*update)(void *booster, int iteration, void *matrix);
  int (*predict)(void *booster, void *matrix, int options, unsigned trees, int training, uint64_t *count,
                 const float **out);
  int (*free)(void *booster);
  const char *(*last_error)(void);
};

/* Looks up a function. POSIX allows the conversion of dlsym's result; C does only through a pointer to the function
 * pointer. */
static bool find(void *handle, const char *name, void *function) {
  *(void **)function = dlsym(handle, name);
  return *(void **)function != NULL;
}

static bool open_library(struct library *l) {
  static void *handle; /* stays open until the program ends */
  if (!handle)
    handle = dlopen("libxgboost.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    handle = dlopen("libxgboost.so", RTLD_NOW | RTLD_LOCAL);
  return handle && find(handle, "XGDMatrixCreateFromMat", &l->matrix_create) &&
         find(handle, "XGDMatrixSetFloatInfo", &l->matrix_set) && find(handle, "XGDMatrixFree", &l->matrix_free) &&
         find(handle, "XGBoosterCreate", &l->create) && find(handle, "XGBoosterSetParam", &l->set) &&
         find(handle, "XGBoosterUpdateOneIter", &l->update) && find(handle, "XGBoosterPredict", &l->predict) &&
         find(handle, "XGBoosterFree", &l->free) && find(handle, "XGBGetLastError", &l->last_error);
}

/* A library that could not be loaded for want of memory is there: the prediction gives the reason. */
static bool is_there(void) {
  struct library l;
  errno = 0;
  return open_library(&l) || errno == ENOMEM;
}

/* Returns a matrix of XGBoost, or NULL if it could not be made. */
static void *matrix_of(const struct library *l, const struct examples *e) {
  const size_t count = e->examples * e->columns;
  float *numbers = calloc(count + e->examples + 1, sizeof *numbers);
  void *matrix = NULL;
  for (size_t i = 0; numbers && i < count; i++)
    numbers[i] = (float)e->inputs[i];
  for (size_t i = 0; numbers && e->targets && i < e->examples; i++)
    numbers[count + i] = (float)e->targets[i];
  if (numbers && l->matrix_create(numbers, e->examples, e->columns, -1e30f, &matrix) != 0)
    matrix = NULL;
  if (matrix && e->targets && l->matrix_set(matrix, "label", numbers + count, e->examples) != 0) {
    l->matrix_free(matrix);
    matrix = NULL;
  }
  free(numbers);
  return matrix;
}

static int train(const struct library *l, void *booster, void *matrix, uint64_t seed) {
  char text[32];
  int status = 0;
  snprintf(text, sizeof text, "%llu", (unsigned long long)(seed & 0x7fffffff));
  for (int i = 0; i < SETTINGS && status == 0; i++)
    status = l->set(booster, settings[i][0], settings[i][1]);
  if (status == 0)
    status = l->set(booster, "seed", text);
  for (int i = 0; i < TREES && status == 0; i++)
    status = l->update(booster, i, matrix);
  return status;
}

static int answer(const struct library *l, void *booster, void *matrix, size_t rows, double *predicted) {
  uint64_t count = 0;
  const float *values;
  if (l->predict(booster, matrix, 0, 0, 0, &count, &values) != 0 || count != rows)
    return -1;
  for (size_t i = 0; i < rows; i++)
    predicted[i] = (double)values[i];
  return 0;
}

static int predict(const struct examples *training, const struct examples *asked, uint64_t seed, double *predicted,
                   struct error *error) {
  struct library l;
  void *booster = NULL;
  errno = 0;
  if (!open_library(&l))
    return errno == ENOMEM ? error_no_memory(error)
                           : error_set(error, ERROR_WORK, "the library of XGBoost was not found");
  void *taught = matrix_of(&l, training), *wanted = matrix_of(&l, asked);
  int status = taught && wanted ? l.create(&taught, 1, &booster) : -1;
  if (status == 0)
    status = train(&l, booster, taught, seed);
  if (status == 0)
    status = answer(&l, booster, wanted, asked->examples, predicted);
  if (booster)
    l.free(booster);
  if (taught)
    l.matrix_free(taught);
  if (wanted)
    l.matrix_free(wanted);
  const char *reason = l.last_error();
  return status == 0 ? 0
                     : error_set(error, ERROR_WORK, "boosted trees failed on %zu examples: %s%s", training->examples,
                                 reason[0] == '\0' || strstr(reason, "bad_alloc") ? "out of memory " : "", reason);
}

const struct learner learner_boosting = {.name = "boosted trees", .is_there = is_there, .predict = predict};
