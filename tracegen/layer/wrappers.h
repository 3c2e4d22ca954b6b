/* The OpenCL calls that the layer looks at; all others go straight to the OpenCL below. Private to the layer. */
#ifndef LAYER_WRAPPERS_H
#define LAYER_WRAPPERS_H

#include "layer/launch.h"

/* Each puts its calls in place of the ones below. */
void wrap_devices(cl_icd_dispatch *table);
void wrap_memory(cl_icd_dispatch *table);
void wrap_images(cl_icd_dispatch *table);
void wrap_programs(cl_icd_dispatch *table);
void wrap_kernels(cl_icd_dispatch *table);
void wrap_queues(cl_icd_dispatch *table);

/* A cl_mem without the flags that keep the layer from reading it (memory.c). */
cl_mem_flags memory_readable(cl_mem_flags flags);
void memory_log(const struct memory_record *record, cl_mem_flags flags);

#endif
