/* Copies what an emulation leaves in shared memory into an emulate_result. Each function frees nothing when it fails;
 * emulate_result_clear frees what it copied until then. Private to tracegen. */
#ifndef TRACEGEN_PROCESS_EMULATION_RESULT_H
#define TRACEGEN_PROCESS_EMULATION_RESULT_H

#include "tracegen/abi/arena.h"
#include "tracegen/process/emulation.h"
#include "tracegen/process/worker_main.h"

/* `trace_paths`: by launch; NULL without tracing. */
int result_copy_launches(const struct workload *workload, const struct worker_report *report, char **trace_paths,
                         struct emulate_result *out, struct error *error);
int result_copy_buffers(const struct workload *workload, const struct arena *arena, struct emulate_result *out,
                        struct error *error);
int result_copy_undefined(const struct workload *workload, const struct arena *arena, struct emulate_result *out,
                          struct error *error);

#endif
