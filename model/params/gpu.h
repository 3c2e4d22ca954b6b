/* GPU descriptions: every parameter of the model, from a YAML file in configs/gpus (schema reassemble.gpu/1).
 *
 * Shapes: struct gpu_spec holds the values alone and is copied freely; struct gpu adds names and the source of each
 * value. gpu_rows.def has the rows, with units; latencies are weights in GPU cycles and may be fractional. Ownership:
 * gpu_load and gpu_copy allocate, gpu_destroy frees. Errors: with file, line and key if a file is wrong. Cost: O(rows).
 * Threads: values are read-only once loaded; functions keep no state. */
#ifndef MODEL_GPU_H
#define MODEL_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/input/param.h"
#include "model/params/choices.h"

struct gpu_spec {
#define INT(field, ...)    int64_t field;
#define REAL(field, ...)   double field;
#define BOOL(field, ...)   bool field;
#define CHOICE(field, ...) int field;
#include "model/params/gpu_rows.def"
};

struct gpu {
  char *name, *about, *isa, *path; /* isa: name of the ISA profile */
  struct gpu_spec spec;
  struct param_origin *origins; /* by row of gpu_params */
};

extern const struct param_table gpu_params;

/* Returns whether all parameters are the same. */
bool gpu_spec_same(const struct gpu_spec *a, const struct gpu_spec *b);

/* Loads a GPU by the name of a shipped one or by path, with all files that it inherits from, and checks it. */
int gpu_load(const char *name_or_path, struct gpu **out, struct error *error);
/* Writes a copy of the GPU with the same values and origins to *out. */
int gpu_copy(const struct gpu *gpu, struct gpu **out, struct error *error);
/* Sets parameters from a text such as "cores=16,l1_bytes=x2", with values as a GPU file takes them. On failure `gpu`
 * may be partly changed. */
int gpu_set(struct gpu *gpu, const char *values, struct error *error);
void gpu_destroy(struct gpu *gpu);
/* Checks the relations between parameters that no single row can check: a cache holds whole lines and whole sets, and
 * so on. */
int gpu_spec_check(const struct gpu_spec *spec, struct error *error);
/* Checks a relation that holds for a device but not for a design in a sweep: its largest work-group fits on a core. */
int gpu_device_check(const struct gpu_spec *spec, struct error *error);

#endif
