/* Public figures of GPUs, for `params --check`: datasets/figures/public.json (schema reassemble.figures/1).
 *
 * Shapes:  {"schema", "about",
 *           "figures": [{"gpus": [NAME...], "kernel": NAME, "value": NUMBER, "source": TEXT}...],
 *           "known":   [{"gpus": [NAME...], "kernel": NAME, "reason": TEXT}...]}
 *          A kernel is the name of a micro-kernel, and its value is in that kernel's unit. "known" lists the figures
 *          that the model is known to miss, and why.
 * Ownership: public_figures_load fills, public_figures_clear frees; texts belong to the document.
 * Errors:  with file and key; a kernel that does not exist is one.
 * Cost:    a look-up reads the whole list. Threads: read-only once loaded. */
#ifndef CLI_PUBLIC_FIGURES_H
#define CLI_PUBLIC_FIGURES_H

#include <jansson.h>

#include "base/error.h"

struct public_figures {
  json_t *document;
  const json_t *figures, *known; /* of the document */
};

struct public_figure {
  double value;
  const char *source; /* NULL: there is no figure */
  const char *reason; /* why the model misses it; NULL: not listed as known */
};

int public_figures_load(const char *path, struct public_figures *out, struct error *error);
void public_figures_clear(struct public_figures *figures);
/* Returns what is public on a micro-kernel on a GPU, by their names. */
struct public_figure public_figure_of(const struct public_figures *figures, const char *gpu, const char *kernel);

#endif
