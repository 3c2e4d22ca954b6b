/* How many random cases a property test tries: its own number, times REASSEMBLE_TEST_ROUNDS (./test.sh nightly sets
 * it). */
#ifndef SUPPORT_ROUNDS_H
#define SUPPORT_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t rounds(uint32_t usual) {
  const char *text = getenv("REASSEMBLE_TEST_ROUNDS");
  const unsigned long times = text != NULL ? strtoul(text, NULL, 10) : 1;
  return times >= 1 && times <= 1000 ? usual * (uint32_t)times : usual;
}

#endif
