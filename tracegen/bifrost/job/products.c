#include "tracegen/bifrost/job/products.h"

#include <string.h>

const struct bifrost_product bifrost_products[] = {
    {"g71", 0x6000, 6, 4}, {"g72", 0x6221, 6, 4}, {"g51", 0x7090, 7, 8}, {"g31", 0x7093, 7, 8},
    {"g76", 0x7211, 7, 8}, {"g52", 0x7212, 7, 8}, {NULL, 0, 0, 0},
};

const struct bifrost_product *bifrost_product_by_id(uint32_t id) {
  for (const struct bifrost_product *p = bifrost_products; p->name; p++)
    if (p->id == id)
      return p;
  return NULL;
}

const struct bifrost_product *bifrost_product_by_name(const char *name) {
  for (const struct bifrost_product *p = bifrost_products; p->name; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}
