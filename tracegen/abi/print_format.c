/* Parses the formats of printf, checks arguments against them, and writes the text. */
#include "tracegen/abi/print_format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/half.h"

#define MAX_TEXT (PRINT_MAX_WIDTH + 512) /* of one element: 309 digits of the largest double, a point, a precision */

/* Parsing. */

struct parser {
  const char *at, *end;
  struct print_format *out;
  struct error *error;
};

static int bad(const struct parser *p, const char *start, const char *why) {
  const size_t length = (size_t)(p->at - start) < 20 ? (size_t)(p->at - start) : 20;
  return error_set(p->error, ERROR_INPUT, "conversion \"%.*s\" of the format %s", (int)length, start, why);
}

static bool take(struct parser *p, char c) {
  if (p->at == p->end || *p->at != c)
    return false;
  p->at++;
  return true;
}

/* Parses digits; none give 0. A number that is too large stays too large. */
static int take_number(struct parser *p) {
  int value = 0;
  for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
    value = value > PRINT_MAX_WIDTH ? value : 10 * value + (*p->at - '0');
  return value;
}

static int take_flags_and_width(struct parser *p, const char *start, struct print_conversion *c) {
  bool left = false;
  for (; p->at < p->end && strchr("-+ #0", *p->at); p->at++)
    left |= *p->at == '-';
  if (take(p, '*'))
    return bad(p, start, "takes its width from an argument, which OpenCL C has not; write the number");
  c->width = take_number(p);
  c->precision = take(p, '.');
  if (c->precision && take(p, '*'))
    return bad(p, start, "takes its precision from an argument, which OpenCL C has not; write the number");
  c->digits = c->precision ? take_number(p) : 0;
  if (c->width > PRINT_MAX_WIDTH || c->digits > PRINT_MAX_WIDTH)
    return bad(p, start, "has a width or precision above 4095");
  c->width = left ? -c->width : c->width;
  return 0;
}

static int take_elements(struct parser *p, const char *start, struct print_conversion *c) {
  c->elements = 1;
  if (!take(p, 'v'))
    return 0;
  const int count = take_number(p);
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
    return bad(p, start, "prints a vector of a size that is none of 2, 3, 4, 8 and 16");
  c->elements = (uint8_t)count;
  return 0;
}

/* The modifier of a scalar means char, short, int or long; that of a vector is the size of an element; hl means 4
 * bytes and is for vectors alone. */
static int take_length(struct parser *p, const char *start, struct print_conversion *c) {
  if (take(p, 'h'))
    c->bytes = take(p, 'h') ? 1 : take(p, 'l') ? 4 : 2;
  else if (take(p, 'l'))
    c->bytes = 8;
  if (c->bytes == 4 && c->elements == 1)
    return bad(p, start, "has the length modifier hl, which is for vectors");
  if (p->at < p->end && strchr("lLjzt", *p->at)) {
    p->at++;
    return bad(p, start, "has a length modifier that OpenCL C has not; expected hh, h, hl or l");
  }
  return 0;
}

static int take_letter(struct parser *p, const char *start, struct print_conversion *c) {
  static const struct {
    const char *letters;
    enum print_kind kind;
  } rows[] = {{"di", PRINT_SIGNED},   {"ouxX", PRINT_UNSIGNED}, {"fFeEgGaA", PRINT_FLOAT},
              {"c", PRINT_CHARACTER}, {"s", PRINT_STRING},      {"p", PRINT_POINTER}};
  const char letter = p->at < p->end ? *p->at : '\0';
  p->at += p->at < p->end;
  for (size_t i = 0; letter && i < sizeof rows / sizeof *rows; i++)
    if (strchr(rows[i].letters, letter)) {
      c->kind = (uint8_t)rows[i].kind;
      return c->elements > 1 && c->kind > PRINT_FLOAT ? bad(p, start, "is none for vectors") : 0;
    }
  return bad(p, start, "is unknown; expected one of d i o u x X f F e E g G a A c s p %");
}

static int name_conversion(struct parser *p, const char *start, const char *middle, struct print_conversion *c) {
  const bool integer = c->kind == PRINT_SIGNED || c->kind == PRINT_UNSIGNED;
  const size_t length = (size_t)(p->at - start), front = (size_t)(middle - start);
  if (length >= sizeof c->name || front + 4 > sizeof c->host)
    return bad(p, start, "is longer than 20 characters");
  memcpy(c->name, start, length);
  snprintf(c->host, sizeof c->host, "%.*s%s%c", (int)front, start, integer ? "ll" : "", p->at[-1]);
  return 0;
}

static int take_conversion(struct parser *p, struct print_conversion *c) {
  const char *start = p->at - 1;
  c->text_end = p->out->length;
  if (take_flags_and_width(p, start, c))
    return -1;
  const char *middle = p->at;
  return take_elements(p, start, c) || take_length(p, start, c) || take_letter(p, start, c) ||
                 name_conversion(p, start, middle, c)
             ? -1
             : 0;
}

int print_format_parse(const char *format, size_t length, struct print_format *out, struct error *error) {
  struct parser p = {.at = format, .end = format + length, .out = out, .error = error};
  *out = (struct print_format){.text = malloc(length + 1),
                               .conversions = calloc(length / 2 + 1, sizeof *out->conversions)};
  int status = out->text && out->conversions ? 0 : error_no_memory(error);
  while (!status && p.at < p.end) {
    const char c = *p.at++;
    if (c != '%' || take(&p, '%'))
      out->text[out->length++] = c;
    else
      status = take_conversion(&p, &out->conversions[out->count++]);
  }
  if (status)
    print_format_clear(out);
  return status;
}

void print_format_clear(struct print_format *format) {
  free(format->text);
  free(format->conversions);
  *format = (struct print_format){0};
}

/* Checking. */

int print_conversion_check(const struct print_conversion *c, const struct print_value *v, struct error *error) {
  static const char *const kinds[] = {"an integer", "a floating-point number", "a pointer"};
  const enum print_value_kind wanted = c->kind == PRINT_FLOAT                                ? PRINT_REAL
                                       : c->kind == PRINT_STRING || c->kind == PRINT_POINTER ? PRINT_ADDRESS
                                                                                             : PRINT_INTEGER;
  if (v->kind != wanted)
    return error_set(error, ERROR_INPUT, "conversion \"%s\" of the format prints %s; found %s", c->name, kinds[wanted],
                     kinds[v->kind]);
  if (v->elements != c->elements)
    return error_set(error, ERROR_INPUT, "conversion \"%s\" of the format prints %u element%s; found %u", c->name,
                     c->elements, c->elements == 1 ? "" : "s", v->elements);
  if (c->elements > 1 && c->bytes && c->bytes != v->bytes)
    return error_set(error, ERROR_INPUT,
                     "conversion \"%s\" of the format prints elements of %u bytes; found elements of %u bytes", c->name,
                     c->bytes, v->bytes);
  return 0;
}

/* Printing. Only conversions that print_format_parse accepted reach the host's snprintf. */

static uint64_t load_integer(const char *at, unsigned bytes, bool is_signed) {
  uint64_t value = 0;
  memcpy(&value, at, bytes); /* the host is little endian, as the trace */
  if (bytes < 8 && is_signed && value >> (8 * bytes - 1))
    value |= UINT64_MAX << (8 * bytes);
  return value;
}

static double load_real(const char *at, unsigned bytes) {
  uint16_t half;
  float single;
  double value;
  if (bytes == 8)
    memcpy(&value, at, sizeof value);
  else if (bytes == 4) {
    memcpy(&single, at, sizeof single);
    value = (double)single;
  } else {
    memcpy(&half, at, sizeof half);
    value = half_to_double(half);
  }
  return value;
}

/* The length modifier of a scalar says how much of the int or long counts that the language passes. */
static uint64_t convert_integer(const struct print_conversion *c, const struct print_value *v, const char *at) {
  const bool is_signed = c->kind == PRINT_SIGNED;
  const unsigned wanted = c->elements > 1 ? v->bytes : c->bytes ? c->bytes : 4;
  const uint64_t value = load_integer(at, v->bytes, is_signed);
  return load_integer((const char *)&value, wanted, is_signed);
}

static int print_text(char *out, const struct print_conversion *c, const char *text, size_t room) {
  const size_t most = c->precision && (size_t)c->digits < room ? (size_t)c->digits : room;
  return snprintf(out, MAX_TEXT, "%*.*s", c->width, (int)(most < PRINT_MAX_WIDTH ? most : PRINT_MAX_WIDTH), text);
}

static int print_address(char *out, const struct print_conversion *c, uint64_t address,
                         const struct print_strings *strings) {
  char text[24];
  size_t room = sizeof text;
  if (c->kind == PRINT_STRING) {
    const char *found = strings->find(strings->user, address, &room);
    return print_text(out, c, found ? found : "", room);
  }
  snprintf(text, sizeof text, "0x%" PRIx64, address);
  return print_text(out, c, text, room);
}

static int print_element(char *out, const struct print_conversion *c, const struct print_value *v, const char *at,
                         const struct print_strings *strings) {
  switch ((enum print_kind)c->kind) {
  case PRINT_SIGNED:
    return snprintf(out, MAX_TEXT, c->host, (long long)convert_integer(c, v, at));
  case PRINT_UNSIGNED:
    return snprintf(out, MAX_TEXT, c->host, (unsigned long long)convert_integer(c, v, at));
  case PRINT_FLOAT:
    return snprintf(out, MAX_TEXT, c->host, load_real(at, v->bytes));
  case PRINT_CHARACTER:
    return snprintf(out, MAX_TEXT, c->host, (int)(unsigned char)*at);
  case PRINT_STRING:
  case PRINT_POINTER:
    return print_address(out, c, load_integer(at, 8, false), strings);
  }
  return 0;
}

void print_format_append(const struct print_format *format, const struct print_value *values, const char *memory,
                         const struct print_strings *strings, struct bytes *out) {
  char text[MAX_TEXT];
  size_t at = 0;
  for (size_t i = 0; i < format->count; i++) {
    const struct print_conversion *c = &format->conversions[i];
    bytes_append(out, format->text + at, c->text_end - at);
    at = c->text_end;
    for (unsigned e = 0; e < c->elements; e++) {
      const int length = print_element(text, c, &values[i], memory + values[i].offset + e * values[i].bytes, strings);
      if (e > 0)
        bytes_append(out, ",", 1);
      bytes_append(out, text, length > 0 ? (size_t)length : 0);
    }
  }
  bytes_append(out, format->text + at, format->length - at);
}
