/* The kernels of a tolerant replay that have no result: what a command says about them. */
#ifndef CLI_REFUSED_H
#define CLI_REFUSED_H

#include "base/error.h"
#include "cli/core/view.h"
#include "cli/replay/replay.h"

/* Moves the kernels without a result behind the others: replay->count counts those with one, replay->refused_count the
 * rest. */
int refused_set_aside(struct replay *replay, struct error *error);
/* Shows each with its reason, below `title` as text and as the list "refused" in JSON. Nothing is shown where there is
 * none. */
void refused_show(const struct replay *replay, const char *title, struct view *view);
/* An ERROR_WORK that names the first, where there is one; `what`: the word for all of them, "variants". */
int refused_judge(const struct replay *replay, const char *what, struct error *error);

#endif
