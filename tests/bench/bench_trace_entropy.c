/* Measures the composition of traces and a bound for their addresses: bytes by kind of frame, and the entropy of the
 * irregular addresses (streams of kind item and raw), each operation by itself.
 *
 * "order 0": as if each number were drawn independently with the frequencies that the trace has: of addresses, or of
 * differences to the address before. "pairs": the entropy of an address after the one before it, from the frequencies
 * of pairs; of n numbers it cannot exceed log2(n) less that of single numbers, so it is too small where most pairs are
 * met once. Usage: bench_trace_entropy TRACE... */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "trace/read/reader.h"

enum { HEAD_BYTES = 16, FRAME_HEAD_BYTES = 24, FRAME_KINDS = 7 };

struct numbers {
  uint64_t *list;
  size_t count, room;
};

/* The addresses of one operation. */
struct addresses {
  struct numbers single, differences, pairs;
};

static void fail(const struct error *error) {
  error_print(error, stderr);
  exit(1);
}

static void add(struct numbers *n, uint64_t value) {
  if (!array_room(&n->list, &n->room, n->count + 1, sizeof *n->list))
    exit(1);
  n->list[n->count++] = value;
}

static int by_value(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Returns the bits that all numbers together need at order 0. */
static double bits_of(struct numbers *n) {
  double bits = 0;
  if (n->count > 0)
    qsort(n->list, n->count, sizeof *n->list, by_value);
  for (size_t i = 0, end; i < n->count; i = end) {
    for (end = i + 1; end < n->count && n->list[end] == n->list[i];)
      end++;
    bits -= (double)(end - i) * log2((double)(end - i) / (double)n->count);
  }
  return bits;
}

/* The addresses of one work-item, or the bases of all work-items of a cohort. */
static void add_sequence(struct addresses *a, const uint32_t *values, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    add(&a->single, values[i]);
    add(&a->differences, (uint32_t)(values[i] - (i > 0 ? values[i - 1] : 0)));
    if (i > 0)
      add(&a->pairs, (uint64_t)values[i - 1] << 32 | values[i]);
  }
}

static void add_site(struct addresses *all, const struct trace *t, const struct trace_group *g,
                     const struct trace_cohort *c, uint32_t site) {
  const struct trace_path *path = t->paths[c->path];
  const int32_t *run = t->streams + c->streams;
  const struct trace_stream stream = c->narrow ? trace_stream_narrow(run, site) : trace_stream_in(run, site);
  const uint32_t *values = g->values + g->base[c->first_stream + site];
  const uint64_t executions = path->nests[path->sites[site].nest].executions;
  struct addresses *a = &all[path->sites[site].op];
  if (stream.kind == STREAM_ITEM)
    add_sequence(a, values, c->item_count);
  for (uint32_t k = 0; stream.kind == STREAM_RAW && k < c->item_count; k++)
    add_sequence(a, values + k * executions, executions);
}

static void add_group(struct addresses *all, const struct trace *t, const struct trace_group *g) {
  const struct trace_shape *shape = t->shapes[g->shape];
  for (uint32_t i = 0; i < shape->cohort_count; i++)
    for (uint32_t site = 0; site < t->paths[shape->cohorts[i].path]->site_count; site++)
      add_site(all, t, g, &shape->cohorts[i], site);
}

static uint32_t word_at(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Adds up the stored bytes of the frames by kind (docs/trace-format.md). Returns the size of the file. */
static long count_frames(const char *path, long bytes[FRAME_KINDS]) {
  unsigned char head[FRAME_HEAD_BYTES];
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, HEAD_BYTES, SEEK_SET) != 0)
    exit(1);
  memset(bytes, 0, FRAME_KINDS * sizeof *bytes);
  while (fread(head, 1, sizeof head, file) == sizeof head && word_at(head) < FRAME_KINDS) {
    bytes[word_at(head)] += (long)word_at(head + 12) + FRAME_HEAD_BYTES;
    fseek(file, (long)word_at(head + 12), SEEK_CUR);
  }
  const long size = ftell(file);
  fclose(file);
  return size;
}

static struct addresses sum(struct addresses *all, uint32_t ops, double bits[3]) {
  struct addresses total = {0};
  memset(bits, 0, 3 * sizeof *bits);
  for (uint32_t op = 0; op < ops; op++) {
    const double single = bits_of(&all[op].single);
    bits[0] += single;
    bits[1] += bits_of(&all[op].differences);
    bits[2] += fmax(bits_of(&all[op].pairs) - single, 0);
    total.single.count += all[op].single.count;
  }
  return total;
}

static void measure(const char *path) {
  struct error error = ERROR_INIT;
  struct trace_reader *reader;
  struct trace_group group;
  long frames[FRAME_KINDS];
  double bits[3];
  int status;
  if (trace_reader_open(path, &reader, &error) != 0)
    fail(&error);
  const struct trace *t = trace_reader_trace(reader);
  struct addresses *all = calloc(t->code.op_count + 1, sizeof *all);
  uint64_t instructions = 0;
  while (all && (status = trace_reader_next(reader, &group, &error)) > 0) {
    const struct trace_shape *shape = t->shapes[group.shape];
    add_group(all, t, &group);
    for (uint32_t i = 0; i < shape->cohort_count; i++)
      instructions += shape->cohorts[i].item_count * t->paths[shape->cohorts[i].path]->op_executions;
  }
  if (!all || status < 0)
    fail(&error);
  const long size = count_frames(path, frames);
  const uint64_t count = sum(all, t->code.op_count, bits).single.count;
  printf("%s: %ld bytes, %" PRIu64 " instructions, %.4f bytes an instruction\n", path, size, instructions,
         (double)size / (double)instructions);
  printf("  header %ld, code %ld, paths %ld, shapes %ld, groups %ld bytes\n", frames[1], frames[2], frames[3],
         frames[4], frames[5]);
  printf("  %" PRIu64 " irregular addresses; at order 0 their values need %.0f bytes, their differences %.0f; by "
         "pairs %.0f\n",
         count, bits[0] / 8, bits[1] / 8, bits[2] / 8);
  for (uint32_t op = 0; op < t->code.op_count; op++) {
    free(all[op].single.list);
    free(all[op].differences.list);
    free(all[op].pairs.list);
  }
  free(all);
  trace_reader_close(reader);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    measure(argv[i]);
  return 0;
}
