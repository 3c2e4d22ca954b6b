/* The Bifrost GPUs whose machine code can be run. Pure functions.
 * Source of the numbers: the open driver's table of models (Mesa 25.0, pan_props.c). */
#ifndef TRACEGEN_BIFROST_JOB_PRODUCTS_H
#define TRACEGEN_BIFROST_JOB_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

struct bifrost_product {
  const char *name;      /* as --gpu-id takes it: "g71" */
  uint32_t id;           /* that the GPU reports to its driver */
  uint32_t architecture; /* 6 or 7: the format of descriptors and of machine code */
  uint32_t warp_lanes;
};

/* Ends with a row without a name. */
extern const struct bifrost_product bifrost_products[];
/* NULL: there is none. */
const struct bifrost_product *bifrost_product_by_id(uint32_t id);
const struct bifrost_product *bifrost_product_by_name(const char *name);

#endif
