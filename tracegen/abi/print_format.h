/* The format string of OpenCL C's printf: taken apart when a kernel is built, used while it runs. Knows no LLVM.
 * Private to tracegen.
 *
 * Ownership: print_format_parse allocates, print_format_clear frees. Errors: ERROR_INIT with the conversion in words.
 * Threads: read-only after parsing. Source: OpenCL 1.2, section 6.12.13. */
#ifndef TRACEGEN_PRINT_FORMAT_H
#define TRACEGEN_PRINT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"

#define PRINT_MAX_WIDTH    4095 /* of a field, and of a precision: what C promises for one conversion */
#define PRINT_MAX_ELEMENTS 16

enum print_kind { PRINT_SIGNED, PRINT_UNSIGNED, PRINT_FLOAT, PRINT_CHARACTER, PRINT_STRING, PRINT_POINTER };

struct print_conversion {
  size_t text_end; /* of the plain text in front of it, which starts where the one before ended */
  char name[24];   /* as it stands in the format: "%-8.3v4hlf" */
  char host[24];   /* for the host's snprintf, one element: "%-8.3f"; integers as long long; not for %s and %p */
  uint8_t kind;    /* enum print_kind */
  uint8_t elements;
  uint8_t bytes;     /* of an element that the length modifier names; 0: none */
  uint8_t precision; /* is there one? */
  int digits;        /* its value */
  int width;         /* 0: none; negative: flag "-" */
};

struct print_format {
  char *text; /* all plain text, %% as one % */
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

/* Whether the conversion can print such a value. */
int print_conversion_check(const struct print_conversion *c, const struct print_value *value, struct error *error);

/* Text of one call: values[i] belongs to conversions[i]. Addresses are 8 bytes; that of a string is looked up by
 * `string`, which gives its first byte and how many bytes may be read. */
struct print_strings {
  const char *(*find)(void *user, uint64_t address, size_t *room); /* NULL: no string is there */
  void *user;
};
void print_format_append(const struct print_format *format, const struct print_value *values, const char *memory,
                         const struct print_strings *strings, struct bytes *out);

#endif
