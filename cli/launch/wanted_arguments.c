#include "cli/launch/wanted_arguments.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "workload/image_kind.h"
#include "workload/workload_read.h"

bool wanted_parameter_name(const char *signature, size_t number, char *name, size_t size) {
  while (number-- > 0) {
    signature = strchr(signature, ',');
    if (!signature)
      return false;
    signature++;
  }
  const char *end = signature + strcspn(signature, ",");
  while (end > signature && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
    end--;
  const char *begin = end;
  while (begin > signature && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
    begin--;
  snprintf(name, size, "%.*s", (int)(end - begin), begin);
  return end > begin;
}

/* Writes the --arg of an image. The kind is left out where the number of sizes tells it. */
static void put_wanted_image(const char *declaration, const char *name, FILE *out) {
  char type[32];
  enum image_kind kind = IMAGE_2D;
  snprintf(type, sizeof type, "%.*s", (int)strcspn(declaration, " ,"), declaration);
  image_kind_of_type(type, &kind);
  const bool plain = !image_kind_is_array(kind) && kind != IMAGE_1D_BUFFER;
  fprintf(out, " --arg %s=image.RGBA.unorm_int8%s%s[%s]=uniform", name, plain ? "" : ".",
          plain ? "" : image_kind_name(kind), image_kind_sizes_text(kind));
}

/* Returns whether the word is a scalar or vector type of OpenCL, and not the name of a structure. */
static bool is_opencl_type(const char *word, size_t length) {
  char text[32];
  enum scalar_type type;
  unsigned elements;
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  return length < sizeof text && workload_parse_type(text, &type, &elements);
}

/* Writes the --arg that a parameter needs, from its declaration "global float* a" of `length` characters. */
static void put_wanted(const char *declaration, size_t length, const char *name, FILE *out) {
  const bool in_local = strncmp(declaration, "local ", strlen("local ")) == 0;
  const bool pointer = memchr(declaration, '*', length) != NULL;
  const size_t space = strcspn(declaration, " ");
  const bool qualified = pointer && space < length;
  const char *type = declaration + (qualified ? space + 1 : 0);
  const bool known = is_opencl_type(type, strcspn(type, " *,"));
  if (in_local)
    fprintf(out, " --arg %s=local=BYTES", name);
  else if (strncmp(declaration, "image", strlen("image")) == 0)
    put_wanted_image(declaration, name, out);
  else if (strncmp(declaration, "sampler", strlen("sampler")) == 0)
    fprintf(out, " --arg %s=sampler=nearest", name);
  else if (!known) /* a structure: its bytes, or numbers with the same bytes */
    fprintf(out, " --arg %s=%s", name, pointer ? "uchar[BYTES]" : "int2=VALUE,VALUE");
  else
    fprintf(out, " --arg %s=%.*s%s", name, (int)strcspn(type, " *"), type, pointer ? "[COUNT]" : "=VALUE");
}

char *wanted_arguments(const char *signature, size_t only) {
  char *text = NULL, name[256];
  size_t size;
  FILE *out = text_stream_begin(&text, &size);
  const char *declaration = signature;
  for (size_t i = 0; out && wanted_parameter_name(signature, i, name, sizeof name); i++) {
    if (only == WANTED_ALL || i == only)
      put_wanted(declaration, strcspn(declaration, ","), name, out);
    declaration += strcspn(declaration, ",");
    declaration += strspn(declaration, ", ");
  }
  return out && text_stream_end(out, &text) ? text : NULL;
}
