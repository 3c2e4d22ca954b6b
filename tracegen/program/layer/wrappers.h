/* The OpenCL calls that the layer wraps; all others go straight to the OpenCL below. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAYER_WRAPPERS_H
#define TRACEGEN_PROGRAM_LAYER_WRAPPERS_H

#include "tracegen/program/launch/launch.h"

/* Each puts its wrappers into the table. */
void wrap_devices(cl_icd_dispatch *table);
void wrap_memory(cl_icd_dispatch *table);
void wrap_writes(cl_icd_dispatch *table);
void wrap_images(cl_icd_dispatch *table);
void wrap_programs(cl_icd_dispatch *table);
void wrap_linking(cl_icd_dispatch *table);
void wrap_kernels(cl_icd_dispatch *table);
void wrap_queues(cl_icd_dispatch *table);
void wrap_shared_memory(cl_icd_dispatch *table);

/* Returns the flags without those that keep the layer from reading the memory. */
cl_mem_flags memory_readable(cl_mem_flags flags);
void memory_log(const struct memory_record *record, cl_mem_flags flags);

/* Sources are built as the program gave them from here on: nothing is emulated, so no result is compared to the bit. */
void programs_may_contract(void);
/* Returns whether the options, which may be NULL, choose a version of OpenCL C. */
bool program_chooses_standard(const char *options);
/* Returns the options with one that makes OpenCL describe arguments and, where `standard`, one for OpenCL C 1.2; the
 * caller frees them. `options` may be NULL. NULL: out of memory. */
char *program_options(const char *options, bool standard);
/* Keeps the options that the program gave. `record` may be NULL. */
void program_set_options(struct program_record *record, const char *options);

/* Answers a question of the program with a text, as OpenCL does. `value` and `needed` may be NULL. */
cl_int answer_text(const char *text, size_t size, void *value, size_t *needed);

#endif
