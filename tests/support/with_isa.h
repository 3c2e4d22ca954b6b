/* A group fixture for tests that price operations: cmocka_run_group_tests(tests, load_isa, free_isa). */
#ifndef SUPPORT_WITH_ISA_H
#define SUPPORT_WITH_ISA_H

#include "model/isa/isa.h"

static struct isa_profile *isa; /* the bifrost profile */

static int load_isa(void **state) {
  (void)state;
  return isa_load("bifrost", &isa, NULL);
}

static int free_isa(void **state) {
  (void)state;
  isa_destroy(isa);
  return 0;
}

#endif
