/* Asserts that an error has exactly this text, as the program would print it. */
#ifndef SUPPORT_EXPECT_ERROR_H
#define SUPPORT_EXPECT_ERROR_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

static inline void expect_error(const struct error *error, const char *expected) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  error_print(error, out);
  fclose(out);
  assert_true(length > 0);
  text[length - 1] = '\0'; /* the line end */
  assert_string_equal(text, expected);
  free(text);
}

#endif
