/* The format string of OpenCL C's printf: parsed when a kernel is built, used while it runs. Knows no LLVM. Private
 * to tracegen.
 *
 * Ownership: print_format_parse allocates, print_format_clear frees.
 * Errors: ERROR_INPUT with the conversion that is wrong. Threads: read-only after parsing.
 * Source: OpenCL C 1.2, section 6.12.13. */
#ifndef TRACEGEN_PRINT_FORMAT_H
#define TRACEGEN_PRINT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"

#define PRINT_MAX_WIDTH    4095 /* of a field, and of a precision: C promises this much for one conversion */
#define PRINT_MAX_ELEMENTS 16

enum print_kind { PRINT_SIGNED, PRINT_UNSIGNED, PRINT_FLOAT, PRINT_CHARACTER, PRINT_STRING, PRINT_POINTER };

struct print_conversion {
  size_t text_end; /* end of the plain text in front of it, which starts where that of the last conversion ended */
  char name[24];   /* as written: "%-8.3v4hlf" */
  char host[24];   /* for the host's snprintf and one element: "%-8.3f"; integers as long long; unused for %s and %p */
  uint8_t kind;    /* enum print_kind */
  uint8_t elements;
  uint8_t bytes;     /* of an element, after the length modifier; 0: no modifier */
  uint8_t precision; /* whether there is one */
  int digits;        /* the precision */
  int width;         /* 0: none; negative: flag "-" */
};

struct print_format {
  char *text; /* all plain text, with %% as one % */
  size_t length;
  struct print_conversion *conversions;
  size_t count;
};

int print_format_parse(const char *format, size_t length, struct print_format *out, struct error *error);
void print_format_clear(struct print_format *format);

/* One argument's value in memory. */
enum print_value_kind { PRINT_INTEGER, PRINT_REAL, PRINT_ADDRESS };
struct print_value {
  uint8_t kind;  /* enum print_value_kind */
  uint8_t bytes; /* of an element */
  uint8_t elements;
  uint32_t offset; /* from the start of all values */
};

/* An error where the conversion cannot print such a value. */
int print_conversion_check(const struct print_conversion *c, const struct print_value *value, struct error *error);

/* Appends the text of one call to `out`; values[i] belongs to conversions[i]. Addresses have 8 bytes. `find` returns
 * the string at an address, and in *room how many bytes of it may be read. */
struct print_strings {
  const char *(*find)(void *user, uint64_t address, size_t *room); /* returns NULL where no string is */
  void *user;
};
void print_format_append(const struct print_format *format, const struct print_value *values, const char *memory,
                         const struct print_strings *strings, struct bytes *out);

#endif
