#include "cli/report/add_pictures.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

/* A page has less than 2 MB: pictures take at most half of that, as base64. */
enum { MOST_BYTES = 750000 };
static const char png_signature[] = "\x89PNG\r\n\x1a\n";
static const char *const names[] = {"picture.png", "expected.png", "overdraw.png", "operations.png", "texels.png"};
enum { NAMES = sizeof names / sizeof names[0] };

struct pictures {
  size_t bytes;    /* of all pictures that were taken */
  size_t left_out; /* pictures, for their size */
};

/* Returns the bytes as base64 (RFC 4648) behind `prefix`. The caller frees it; NULL: out of memory. */
static char *base64(const char *prefix, const unsigned char *bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc(strlen(prefix) + (count + 2) / 3 * 4 + 1);
  if (!text)
    return NULL;
  char *at = stpcpy(text, prefix);
  for (size_t i = 0; i < count; i += 3) {
    const size_t group = count - i < 3 ? count - i : 3;
    const unsigned bits = (unsigned)bytes[i] << 16 | (group > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                          (group > 2 ? (unsigned)bytes[i + 2] : 0);
    for (unsigned digit = 0; digit < 4; digit++)
      *at++ = digit <= group ? digits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  *at = '\0';
  return text;
}

/* Returns the picture as a text for a page; JSON's null: there is none, or it is too large. NULL: out of memory. */
static json_t *read_picture(struct pictures *pictures, const char *path) {
  char *bytes = NULL, *text = NULL;
  size_t count = 0;
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return json_null();
  if ((size_t)info.st_size > MOST_BYTES - pictures->bytes) {
    pictures->left_out++;
    return json_null();
  }
  if (file_read(path, MOST_BYTES, &bytes, &count, NULL) != 0)
    return json_null();
  json_t *made = json_null();
  if (count >= sizeof png_signature - 1 && memcmp(bytes, png_signature, sizeof png_signature - 1) == 0) {
    text = base64("data:image/png;base64,", (const unsigned char *)bytes, count);
    made = text ? json_string(text) : NULL;
    pictures->bytes += count;
  }
  free(text);
  free(bytes);
  return made;
}

/* Returns false when out of memory. */
static bool add_of_folder(struct pictures *pictures, json_t *frame) {
  const char *folder = json_string_value(json_object_get(frame, "folder"));
  json_t *made = folder ? json_object() : NULL;
  bool complete = !folder || made;
  for (size_t i = 0; made && complete && i < NAMES; i++) {
    char *path = text_format("%s/%s", folder, names[i]);
    json_t *picture = path ? read_picture(pictures, path) : NULL;
    complete = picture && (json_is_null(picture) || json_object_set_new(made, names[i], picture) == 0);
    free(path);
  }
  if (made)
    complete = json_object_set_new(frame, "pictures", made) == 0 && complete;
  return complete;
}

int add_pictures(struct document *document, char **note, struct error *error) {
  struct pictures pictures = {0};
  json_t *frame;
  size_t i;
  *note = NULL;
  bool complete = add_of_folder(&pictures, document->json);
  json_array_foreach(json_object_get(document->json, "frames"), i, frame) {
    complete = complete && add_of_folder(&pictures, frame);
  }
  if (complete && pictures.left_out > 0) {
    *note = text_format("%zu pictures are too large for a page; they lie beside the traces of the frame.",
                        pictures.left_out);
    complete = *note != NULL;
  }
  return complete ? 0 : error_no_memory(error);
}
