/* Asserts which kernels are refused and with which message, and that others pass, for tests of mistakes in kernels. */
#ifndef SUPPORT_KERNEL_VERDICTS_H
#define SUPPORT_KERNEL_VERDICTS_H

#include <stddef.h>
#include <stdio.h>

#include "emulate_text.h"
#include "expect_error.h"

/* Asserts that case `number` fails with this message. `name`, `kernel` and `body` are those of emulate_text_run. */
static inline void expect_refusal(size_t number, const char *name, const char *kernel, const char *body,
                                  const char *message) {
  const struct emulate_options options = {0};
  struct emulate_text t;
  if (emulate_text_run(&t, name, kernel, body, &options) != -1)
    fail_msg("case %zu passes", number);
  expect_error(&t.error, message);
  emulate_text_clear(&t);
}

struct kernel_mistake {
  const char *kernel;
  int line, work_item; /* in x */
  const char *what;
};

/* Asserts that each mistake is found at its place; all messages end with `end`. */
static inline void expect_mistakes(const char *name, const struct kernel_mistake *list, size_t count, const char *body,
                                   const char *end) {
  for (size_t i = 0; i < count; i++) {
    char message[512];
    snprintf(message, sizeof message, "%s.cl:%d: kernel k, work-item (%d, 0, 0): %s%s", name, list[i].line,
             list[i].work_item, list[i].what, end);
    expect_refusal(i, name, list[i].kernel, body, message);
  }
}

/* Asserts that all kernels pass, with every check in all work-groups. */
static inline void expect_good(const char *name, const char *const *kernels, size_t count, const char *body) {
  const struct emulate_options options = {.undefined_reads = UNDEFINED_READS_ALL};
  for (size_t i = 0; i < count; i++) {
    struct emulate_text t;
    if (emulate_text_run(&t, name, kernels[i], body, &options))
      fail_msg("case %zu: %s", i, t.error.text);
    emulate_text_clear(&t);
  }
}

#endif
