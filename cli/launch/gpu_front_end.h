/* The front end that emulates kernels for a GPU: the one that its ISA profile asks for. */
#ifndef CLI_LAUNCH_GPU_FRONT_END_H
#define CLI_LAUNCH_GPU_FRONT_END_H

#include "base/error.h"
#include "model/params/gpu.h"
#include "tracegen/emulate.h"

#define FRONT_END_WORD_BYTES 32

/* Sets front end and GPU of the options. `gpu_id` has room for the name of the GPU, which the options then point to;
 * `gpu` may be NULL: nothing changes. */
int gpu_front_end_choose(const struct gpu *gpu, char gpu_id[FRONT_END_WORD_BYTES], struct emulate_options *options,
                         struct error *error);

#endif
