/* A launch from the command line: KERNEL.cl --kernel K --global X,Y --local X,Y --arg ...
 *
 * The options are turned into the text of a workload file, which goes through the same reader and the same checks;
 * --save of `trace` keeps it. What was left out is chosen by kernel_choice.h. */
#ifndef CLI_KERNEL_FILE_H
#define CLI_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/core/options.h"
#include "workload/workload.h"

/* The values of the options that describe a launch. */
struct kernel_file {
  const char *source, *kernel, *global, *local, *build_options; /* NULL: not given */
  int64_t sub_group;                                            /* 0: not given */
  struct option_list arguments;                                 /* launch_argument.h */
  struct option_list sizes;                                     /* of some kernels: "K,...=GLOBAL/LOCAL" */
  struct option_list vary, require;                             /* kernel_variants.h */
  const char *suffix; /* of the name, which tells a variant from others: "+TILE8"; NULL: none */
  uint64_t seed;
};

enum { SIZES_TEXT_BYTES = 256 }; /* of one --sizes without its kernels */

/* The rows of a command that takes kernel files; --kernels is another name of --kernel. */
/* clang-format off */
#define KERNEL_FILE_ROWS(file) \
  {.name = "kernel", .argument = "K,...", .type = OPTION_TEXT, .target = &(file).kernel, \
   .help = "KERNEL.cl: the kernels to launch, with commas; all"}, \
  KERNEL_LAUNCH_ROWS(file)
#define KERNEL_LAUNCH_ROWS(file) \
  {.name = "kernels", .argument = "K,...", .type = OPTION_TEXT, .target = &(file).kernel, \
   .help = "the same as --kernel"}, \
  {.name = "global", .argument = "X,Y,Z", .type = OPTION_TEXT, .target = &(file).global, \
   .help = "KERNEL.cl: global size, with commas or x"}, \
  {.name = "local", .argument = "X,Y,Z", .type = OPTION_TEXT, .target = &(file).local, \
   .help = "KERNEL.cl: work-group size (at most 64 work-items, the largest that divides the global size)"}, \
  {.name = "sub-group", .argument = "N", .type = OPTION_INT, .target = &(file).sub_group, .minimum = 1, \
   .maximum = WORKLOAD_MAX_SUB_GROUP, \
   .help = "KERNEL.cl: work-items of a sub-group (the warp size of the GPU, if that has warps; else 16)"}, \
  {.name = "arg", .argument = "ARG", .type = OPTION_LIST, .target = &(file).arguments, \
   .help = "KERNEL.cl: an argument, in order or by name: float[64*64]=uniform, int=64, local=1024, " \
           "out=float[4096], float[]=@a.npy, image.RGBA.unorm_int8[640,480]=uniform, sampler=clamp,linear"}, \
  {.name = "options", .argument = "TEXT", .type = OPTION_TEXT, .target = &(file).build_options, \
   .help = "KERNEL.cl: build options, -DN=64"}, \
  {.name = "sizes", .argument = "K,...=X,Y/X,Y", .type = OPTION_LIST, .target = &(file).sizes, \
   .help = "KERNEL.cl: other global and work-group sizes for these kernels: tiled=512x128/32x8"}, \
  {.name = "vary", .argument = "NAME=V,...", .type = OPTION_LIST, .target = &(file).vary, \
   .help = "KERNEL.cl: a variant for each value of this macro; ${NAME * 2} in the other options is computed from it"}, \
  {.name = "require", .argument = "CONDITION", .type = OPTION_LIST, .target = &(file).require, \
   .help = "KERNEL.cl: leave out the combinations of --vary that break this: 'N % TILE == 0'"}
/* clang-format on */

/* Returns whether the name ends in .cl. */
bool kernel_file_is(const char *name);

/* Options that only kernel files read would be ignored without a word. */
int kernel_file_check_inputs(const struct kernel_file *kernel, const struct options *options, struct error *error);

/* The text of the workload file of one kernel, with global and local size; the caller frees it. */
int kernel_file_yaml(const struct kernel_file *kernel, char **out, struct error *error);

/* Writes the work-group size that is taken where none is given: the largest of at most 64 work-items (one NVIDIA or two
 * Bifrost warps and more, assumed) that divides the global size, as the layer of traced programs takes it. */
int kernel_file_default_local(const char *global, char *text, size_t size, struct error *error);

/* Gives the launch of launch->kernel its sizes of --sizes, if it has some. They lie in `storage`. */
int kernel_file_apply_sizes(struct kernel_file *launch, char storage[SIZES_TEXT_BYTES], struct error *error);

/* Reads one to three sizes. Returns their number, or -1 with an error that names the option. */
int kernel_file_sizes(const char *option, const char *text, uint64_t sizes[3], struct error *error);

/* Under this name the text is loaded, so that errors in it are known. */
#define KERNEL_FILE_TEXT "command line"
/* Turns an error in such a text into one about the option that its line was made of: the user wrote no such file. */
void kernel_file_blame_option(const char *text, struct error *error);

#endif
