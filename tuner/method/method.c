/* The registry of methods. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tuner/method/fit.h"
#include "tuner/method/methods.h"

const struct tune_method *const tune_methods[] = {
    &tune_method_gauss_newton, /* the default */
    &tune_method_linear,
    &tune_method_binary,
    &tune_method_simplex,
    &tune_method_coordinate,
    &tune_method_annealing,
    &tune_method_grid,
    NULL,
};

enum { METHODS = sizeof tune_methods / sizeof tune_methods[0] };

const struct tune_method *tune_method_find(const char *name, struct error *error) {
  const char *names[METHODS] = {NULL};
  char known[256] = "";
  size_t used = 0;
  for (size_t i = 0; tune_methods[i]; i++) {
    if (strcmp(tune_methods[i]->name, name) == 0)
      return tune_methods[i];
    names[i] = tune_methods[i]->name;
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", names[i]);
  }
  error_at(error, ERROR_INPUT, "", 0, 0, "--method", "unknown method \"%.40s\"%s; known: %s", name,
           text_hint(name, names, "").text, known);
  return NULL;
}
