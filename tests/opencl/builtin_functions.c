/* builtin_functions [--all] [NAME...]: every built-in function of OpenCL C 1.2 in kernels over representative types and
 * widths (--all: all of them), emulated and run on the first OpenCL device; the results have to agree. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "builtin_kernels.h"
#include "opencl_run.h"
#include "rounds.h"
#include "tracegen/emulate.h"

#define INPUT_ELEMENTS (BUILTIN_ITEMS * 32 + 64)
#define INPUTS         4 /* x, y, z and room for copies */

/* Inputs. */

static double float_value(uint64_t random, enum builtin_values values) {
  static const double specials[] = {0.0,  -0.0, 1.0,    -1.0,    0.5,        2.0,   1e-40,  -3e-42, 1e30,
                                    1e10, -1e5, 3.4e38, -3.4e38, 16777217.0, 127.5, -128.5, 255.5,  2147483648.0};
  const double unit = (double)(random >> 40) / (double)(1 << 24);
  if (values == TAME_VALUE)
    return 0.5 + 3.5 * unit;
  switch (random % 16) {
  case 0:
    return 1.0 / 0.0;
  case 1:
    return -1.0 / 0.0;
  case 2:
    return 0.0 / 0.0;
  case 3:
  case 4:
  case 5:
    return specials[random / 16 % (sizeof specials / sizeof *specials)];
  default:
    return 20.0 * unit - 10.0;
  }
}

static void set_element(enum scalar_type type, void *memory, size_t i, uint64_t random, enum builtin_values values) {
  if (type == SCALAR_FLOAT)
    ((float *)memory)[i] = (float)float_value(random, values);
  else if (type == SCALAR_DOUBLE)
    ((double *)memory)[i] = float_value(random, values);
  else {
    if (values == SMALL_VALUE)
      random = random % (1 << 23);
    else if (random % 8 == 0) /* the ends of the range */
      random = random & 8 ? UINT64_C(0x8080808080808080) >> (random >> 4 & 1) : UINT64_MAX * (random >> 4 & 1);
    memcpy((char *)memory + i * scalar_type_bytes(type), &random, scalar_type_bytes(type));
  }
}

/* One run. */

struct run {
  struct builtin_kernel *kernel;
  struct workload workload;
  struct workload_buffer buffers[INPUTS + 1];
  struct workload_launch launch;
  struct workload_argument arguments[INPUTS + 1];
  struct emulate_result emulated;
};

static void write_source(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  if (!out || fputs(text, out) < 0 || fclose(out))
    abort();
}

static void prepare(struct run *r, struct builtin_kernel *k) {
  static char buffer_names[][8] = {"x", "y", "z", "copies", "out"}, kernel[] = "f";
  struct random_state random = {.s = 1};
  *r = (struct run){.kernel = k};
  char path[80];
  snprintf(path, sizeof path, "%s.cl", k->name);
  write_source(path, k->source);
  for (int b = 0; b <= INPUTS; b++) {
    r->buffers[b] =
        (struct workload_buffer){.name = buffer_names[b], .type = k->type, .count = INPUT_ELEMENTS, .init = INIT_BYTES};
    r->arguments[b] = (struct workload_argument){.kind = ARGUMENT_BUFFER, .buffer = (size_t)b};
    if (b == INPUTS)
      break;
    void *memory = malloc(INPUT_ELEMENTS * scalar_type_bytes(k->type));
    if (!memory)
      abort();
    for (size_t i = 0; i < INPUT_ELEMENTS; i++)
      set_element(k->type, memory, i, random_next(&random), k->values);
    r->buffers[b].contents = memory;
  }
  r->buffers[INPUTS].type = SCALAR_UCHAR;
  r->buffers[INPUTS].init = INIT_ZERO;
  r->buffers[INPUTS].count = (size_t)BUILTIN_ITEMS * k->slot_count * BUILTIN_SLOT_BYTES;
  r->launch = (struct workload_launch){.kernel = kernel,
                                       .dimensions = 1,
                                       .global = {BUILTIN_ITEMS, 1, 1},
                                       .local = {BUILTIN_LOCAL, 1, 1},
                                       .arguments = r->arguments,
                                       .argument_count = INPUTS + 1};
  r->workload = (struct workload){.name = k->name,
                                  .source = strdup(path),
                                  .seed = 1,
                                  .buffers = r->buffers,
                                  .buffer_count = INPUTS + 1,
                                  .launches = &r->launch,
                                  .launch_count = 1};
}

static int emulate(struct run *r) {
  struct error error = ERROR_INIT;
  const struct emulate_options options = {.quiet = true};
  if (emulate_workload(&r->workload, &options, true, &r->emulated, &error) == 0)
    return 0;
  fprintf(stderr, "%s: ", r->kernel->name);
  error_print(&error, stderr);
  return -1;
}

static void print_bytes(const unsigned char *at, size_t bytes) {
  for (size_t b = bytes; b-- > 0;)
    fprintf(stderr, "%02x", at[b]);
}

/* Number of functions that differ; the first difference of each is shown. */
static int compare(const struct run *r, const unsigned char *opencl) {
  const struct builtin_kernel *k = r->kernel;
  const unsigned char *emulated = r->emulated.buffers[INPUTS];
  int different = 0;
  for (unsigned s = 0; s < k->slot_count; s++)
    for (size_t i = 0; i < BUILTIN_ITEMS; i++) {
      const struct builtin_slot *slot = &k->slots[s];
      const size_t at = (i * k->slot_count + s) * BUILTIN_SLOT_BYTES, bytes = scalar_type_bytes(slot->type);
      const ptrdiff_t e =
          workload_first_difference(slot->type, emulated + at, opencl + at, slot->elements, slot->ulps, 0);
      if (e < 0)
        continue;
      fprintf(stderr, "%s: %s, work-item %zu, element %td: 0x", k->name, slot->expression, i, e);
      print_bytes(emulated + at + (size_t)e * bytes, bytes);
      fprintf(stderr, " emulated, 0x");
      print_bytes(opencl + at + (size_t)e * bytes, bytes);
      fprintf(stderr, " in OpenCL; allowed are %g ULPs\n", slot->ulps);
      different++;
      break;
    }
  return different;
}

static int run_in_opencl(const struct run *r) {
  struct error error = ERROR_INIT;
  struct opencl_session *session = NULL;
  unsigned char *memory = malloc(r->buffers[INPUTS].count);
  int different = 1;
  if (memory && !opencl_session_open(&r->workload, &session, &error) &&
      !opencl_session_run(session, r->workload.source, &r->launch, &error) &&
      !opencl_session_read(session, INPUTS, memory, &error))
    different = compare(r, memory);
  if (error.kind != ERROR_NONE) {
    fprintf(stderr, "%s: ", r->kernel->name);
    error_print(&error, stderr);
  }
  if (session)
    opencl_session_close(session);
  free(memory);
  return different;
}

static bool is_wanted(const struct builtin_kernel *k, char **names) {
  for (char **name = names; *name; name++)
    if (strcmp(*name, k->name) == 0)
      return true;
  return !*names;
}

int main(int argc, char **argv) {
  struct builtin_kernel *kernels;
  const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
  const size_t count = builtin_kernels(all || rounds(1) > 1, &kernels);
  struct run *runs = calloc(count, sizeof *runs);
  unsigned functions = 0, failures = 0, run = 0;
  if (!runs)
    abort();
  /* Emulation comes first: it forks, and a process that has opened an OpenCL device has threads. */
  for (size_t i = 0; i < count; i++)
    if (is_wanted(&kernels[i], argv + 1 + all)) {
      prepare(&runs[run], &kernels[i]);
      functions += kernels[i].slot_count;
      if (emulate(&runs[run]))
        failures++;
      else
        run++;
    }
  for (size_t i = 0; i < run; i++)
    failures += (unsigned)run_in_opencl(&runs[i]);
  printf("%u calls of built-in functions in %u kernels; %u of them fail\n", functions, run, failures);
  return failures ? 1 : 0;
}
