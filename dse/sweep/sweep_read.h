/* The functions that read parts of a sweep file, for sweep.c: values, axes, variants. All errors have the place of the
 * node. */
#ifndef DSE_SWEEP_READ_H
#define DSE_SWEEP_READ_H

#include "base/input/conf.h"
#include "dse/sweep/sweep.h"

/* Sets the error of memory that ran out. Returns -1. */
/* Returns zeroed memory for the elements of a list, or NULL with an error if the node is not a list or has more than
 * `most` elements. `noun` names the elements in the message. The caller frees the memory. */
void *sweep_allocate_list(const struct conf_node *list, size_t size, int most, const char *noun, struct error *error);

/* Reads a value of a parameter: absolute, or relative to the base's (x0.8). */
int sweep_read_value(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                     double *value, struct error *error);
/* Returns the parameter of the key under which `node` stands. Unknown and unsweepable keys are errors. */
const struct param *sweep_read_key(const struct conf_node *node, struct error *error);

int sweep_read_axes(const struct conf_node *list, struct sweep *sweep, struct error *error);
int sweep_read_variants(const struct conf_node *list, struct sweep *sweep, struct error *error);

void sweep_axis_clear(struct sweep_axis *axis);
void sweep_variant_clear(struct sweep_variant *variant);

#endif
