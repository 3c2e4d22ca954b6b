/* One --arg of a kernel file, as text of a workload's file. An argument is one of
 *   TYPE[COUNT]             a buffer of zeros; COUNT may be arithmetic: float[512*512]
 *   TYPE[COUNT]=CONTENTS    zero, index, uniform, uniform(LOW,HIGH), none, a number for all elements, or @FILE, of
 *   which
 *                           the COUNT may be left out: float[]=@a.npy
 *   TYPE=VALUE              a number or vector: int=64
 *   local=BYTES             local memory
 *   image.ORDER.TYPE[SIZES], image.ORDER.TYPE.KIND[SIZES], also with CONTENTS: uniform takes all values of
 *                           integers. SIZES and KIND are as in a workload's file: image.R.float.2d_array[64,64,8]
 *   sampler=WORDS           as in a workload's file: clamp,linear
 * with NAME= before it where it is given by the name of the kernel's parameter: in=float[4096]=index.
 *
 * Errors: a text of another form. Threads: any. */
#ifndef CLI_LAUNCH_ARGUMENT_H
#define CLI_LAUNCH_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct launch_argument {
  char name[64];  /* "" where it is given by its position */
  char type[64];  /* as written: "float4", "local", "image.RGBA.float", "image.R.float.2d_array" */
  char count[64]; /* elements, a decimal number; of an image "WIDTH,HEIGHT"; "" without [] and where a file says it */
  char value[512];
  bool is_buffer; /* or an image */
};

int launch_argument_parse(const char *text, struct launch_argument *out, struct error *error);

/* The entry under `buffers:`, if the argument has one, and the entry of `args:`. Buffers without a name are
 * arg<index>. */
void launch_argument_put_buffer(const struct launch_argument *argument, size_t index, FILE *out);
void launch_argument_put(const struct launch_argument *argument, size_t index, FILE *out);

/* A text in double quotes as YAML reads it; control characters become spaces. */
void launch_argument_put_quoted(const char *text, FILE *out);

/* Returns whether the text is a list of numbers and words with commas, without anything that YAML gives a meaning. */
bool launch_argument_is_list(const char *text, size_t length);

#endif
