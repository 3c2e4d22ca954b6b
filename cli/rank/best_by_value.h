/* rank --vary: for each value of a macro, the fastest variant that has it. Values that no fast variant has can be left
 * out of the next search, and a macro whose values are all equal does not matter. */
#ifndef CLI_BEST_BY_VALUE_H
#define CLI_BEST_BY_VALUE_H

#include "cli/core/options.h"
#include "cli/core/view.h"
#include "dse/rank.h"

/* A table, and the list "values". `vary`: the values of the option, "NAME=V,...", which kernel_variants.h has accepted;
 * without any nothing is shown. */
void best_by_value_show(const struct option_list *vary, const struct rank_variant *variants,
                        const struct ranking *ranking, struct view *view);

#endif
