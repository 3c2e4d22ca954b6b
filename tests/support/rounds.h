/* Returns how many random cases a property test tries: its own number, times REASSEMBLE_TEST_ROUNDS, which may be a
 * fraction (./test.sh sets 0.35, ./test.sh nightly 20). The result is at least 1. */
#ifndef SUPPORT_ROUNDS_H
#define SUPPORT_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t rounds(uint32_t usual) {
  const char *text = getenv("REASSEMBLE_TEST_ROUNDS");
  const double times = text ? strtod(text, NULL) : 1;
  const double wanted = times > 0 && times <= 1000 ? usual * times : usual;
  return wanted > 1 ? (uint32_t)wanted : 1;
}

#endif
