/* Reads the contents of a buffer from a file of raw bytes or from an array of NumPy (*.npy). */
#include "workload/workload_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a file behind its header, if it has one. */
struct file_part {
  const char *path;
  size_t offset, bytes;
};

/* Returns the text behind "'key':" and its spaces in the header's dictionary, or NULL. */
static const char *value_of(const char *header, const char *key) {
  const char *at = strstr(header, key);
  at = at ? strchr(at + strlen(key), ':') : NULL;
  return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* Writes NumPy's name of the type, such as "f4". */
static void numpy_type(enum scalar_type type, char text[3]) {
  const bool is_signed = type == SCALAR_CHAR || type == SCALAR_SHORT || type == SCALAR_INT || type == SCALAR_LONG;
  text[0] = scalar_type_is_float(type) ? 'f' : is_signed ? 'i' : 'u';
  text[1] = (char)('0' + scalar_type_bytes(type));
  text[2] = '\0';
}

static int check_header(const struct conf_node *node, const char *header, enum scalar_type type, struct error *error) {
  const char *found = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
  char expected[3];
  numpy_type(type, expected);
  if (!found || !order)
    return conf_error(node, error, "its header names no type and order; expected an array that numpy.save wrote");
  if (strncmp(order, "False", 5) != 0)
    return conf_error(node, error, "the array is in Fortran order; expected C order (numpy.ascontiguousarray)");
  if (found[0] != '\'' || (found[1] != '<' && found[1] != '|') || strncmp(found + 2, expected, 2) != 0 ||
      found[4] != '\'')
    return conf_error(node, error, "its elements have the type %.*s, expected '<%s' (%s)",
                      (int)(strcspn(found, ",}") < 40 ? strcspn(found, ",}") : 40), found, expected,
                      scalar_type_name(type));
  return 0;
}

/* Reads NumPy's header: 6 bytes of magic, the version, the length of the header text (2 bytes, 4 from version 2 on),
 * the text. */
static int read_header(const struct conf_node *node, FILE *file, enum scalar_type type, struct file_part *part,
                       struct error *error) {
  unsigned char start[12] = {0};
  char header[65536];
  const size_t length = fread(start, 1, 8, file);
  if (length < 8 || memcmp(start, "\x93NUMPY", 6) != 0)
    return 0; /* the file holds raw bytes */
  const size_t width = start[6] >= 2 ? 4 : 2;
  if (fread(start + 8, 1, width, file) != width)
    return conf_error(node, error, "\"%s\" ends within its header", part->path);
  size_t bytes = start[8] | (size_t)start[9] << 8;
  if (width == 4)
    bytes |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
  if (bytes >= sizeof header || fread(header, 1, bytes, file) != bytes)
    return conf_error(node, error, "\"%s\" ends within its header", part->path);
  header[bytes] = '\0';
  part->offset = 8 + width + bytes;
  part->bytes = part->bytes > part->offset ? part->bytes - part->offset : 0;
  return check_header(node, header, type, error);
}

static int read_contents(const struct conf_node *node, FILE *file, const struct file_part *part,
                         struct workload_buffer *b, struct error *error) {
  if (b->count == 0) {
    b->count = part->bytes / scalar_type_bytes(b->type);
    if (b->count == 0 || part->bytes > (size_t)MAX_BUFFER_BYTES)
      return conf_error(node, error, "\"%s\" holds %zu bytes; expected 1 element to 4 GiB", part->path, part->bytes);
  }
  const size_t bytes = b->count * scalar_type_bytes(b->type);
  if (part->bytes != bytes)
    return conf_error(node, error, "\"%s\" holds %zu bytes of contents; the buffer has %zu", part->path, part->bytes,
                      bytes);
  b->owned = malloc(bytes);
  if (!b->owned)
    return error_set(error, ERROR_WORK, "out of memory for the %zu bytes of \"%s\"", bytes, part->path);
  if (fseek(file, (long)part->offset, SEEK_SET) != 0 || fread(b->owned, 1, bytes, file) != bytes)
    return conf_error(node, error, "\"%s\" could not be read to its end", part->path);
  b->contents = b->owned;
  b->init = INIT_BYTES;
  return 0;
}

/* Opens a regular file. A pipe or a device would block or never end. */
static FILE *open_regular(const struct conf_node *node, const char *path, struct stat *status, struct error *error) {
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  FILE *file = NULL;
  if (descriptor < 0 || fstat(descriptor, status) != 0)
    conf_error(node, error, "\"%s\": %s", path, strerror(errno));
  else if (!S_ISREG(status->st_mode))
    conf_error(node, error, "\"%s\" is not a regular file", path);
  else
    file = fdopen(descriptor, "rb");
  if (!file && descriptor >= 0)
    close(descriptor);
  return file;
}

int workload_read_contents(struct workload_buffer *b, const struct conf_node *node, struct error *error) {
  char *path;
  struct stat status;
  if (workload_read_source(node, node->file, &path, error) != 0)
    return -1;
  FILE *file = open_regular(node, path, &status, error);
  struct file_part part = {.path = path};
  int result = -1;
  if (file) {
    part.bytes = (size_t)status.st_size;
    result = read_header(node, file, b->type, &part, error);
    if (result == 0)
      result = read_contents(node, file, &part, b, error);
    fclose(file);
  }
  free(path);
  return result;
}
