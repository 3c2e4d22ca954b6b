/* The parts of workload_load, one file for each. Private to workload/. Functions of type int return 0, or -1 with an
 * error at the node's place. */
#ifndef WORKLOAD_READ_H
#define WORKLOAD_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input/conf.h"
#include "base/error.h"
#include "workload/workload.h"

#define MAX_BUFFERS      1024
#define MAX_BUFFER_BYTES (INT64_C(4) << 30) /* the arena of all buffers has 32-bit offsets */

/* workload_values.c */
void *workload_allocate(size_t count, size_t size, struct error *error);                 /* zeroed */
int workload_copy_string(const struct conf_node *node, char **out, struct error *error); /* NULL is copied as "" */
int workload_need_string(const struct conf_node *map, const char *key, char **out, struct error *error);
int workload_read_source(const struct conf_node *node, const char *file, char **out, struct error *error);
int workload_expect_items(const struct conf_node *node, size_t minimum, size_t maximum, struct error *error);
bool workload_parse_type(const char *text, enum scalar_type *type, unsigned *elements); /* "float4" */
void workload_integer_bounds(enum scalar_type type, int64_t *minimum, int64_t *maximum);
double workload_float_limit(enum scalar_type type);
int workload_read_value(const struct conf_node *node, enum scalar_type type, unsigned char *out, struct error *error);

/* workload_buffers.c */
int workload_read_buffers(struct workload *w, const struct conf_node *node, struct error *error);
int workload_find_buffer(const struct workload *w, const struct conf_node *node, size_t *out, struct error *error);

/* buffer_file.c */
/* Reads the contents from the file that `node` names, relative to the file of the workload. The buffer's type is known;
 * a count of 0 becomes that of the file. */
int workload_read_contents(struct workload_buffer *b, const struct conf_node *node, struct error *error);

/* workload_images.c */
int workload_read_image(struct workload_buffer *b, const struct conf_node *map, struct error *error);
int workload_read_sampler(const struct conf_node *node, uint32_t *out, struct error *error);

/* workload_launches.c */
int workload_read_launches(struct workload *w, const struct conf_node *node, struct error *error);
int workload_read_arguments(const struct workload *w, const struct conf_node *node, struct workload_launch *launch,
                            struct error *error);

/* workload_checks.c */
int workload_read_checks(struct workload *w, const struct conf_node *node, struct error *error);

#endif
