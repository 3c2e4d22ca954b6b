/* The OpenCL calls that the layer looks at; all others go straight to the OpenCL below. Private to the layer. */
#ifndef LAYER_WRAPPERS_H
#define LAYER_WRAPPERS_H

#include "tracegen/program/layer/launch.h"

/* Each puts its calls in place of the ones below. */
void wrap_devices(cl_icd_dispatch *table);
void wrap_memory(cl_icd_dispatch *table);
void wrap_writes(cl_icd_dispatch *table);
void wrap_images(cl_icd_dispatch *table);
void wrap_programs(cl_icd_dispatch *table);
void wrap_linking(cl_icd_dispatch *table);
void wrap_kernels(cl_icd_dispatch *table);
void wrap_queues(cl_icd_dispatch *table);

/* A cl_mem without the flags that keep the layer from reading it (memory.c). */
cl_mem_flags memory_readable(cl_mem_flags flags);
void memory_log(const struct memory_record *record, cl_mem_flags flags);

/* The options with which OpenCL also tells about arguments; the caller frees. `options` may be NULL. */
char *program_options(const char *options);
/* What the program gave; `record` may be NULL. */
void program_set_options(struct program_record *record, const char *options);

#endif
