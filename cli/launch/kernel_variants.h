/* The variants of a kernel file that --vary names: one for each combination of the values of its names.
 *
 *   --vary TILE=8,16 --vary T=float,int --require "N % TILE == 0"
 *
 * A name with its value becomes a macro of the build (-DTILE=8). In the other options of the launch, `${expression}`
 * over the names (base/input/expression.h) stands for a whole number, and `${NAME}` also for a value that is a word.
 * Combinations that break a condition of --require are left out. Without --vary there is one variant, whose texts are
 * the options as they were given.
 *
 * Ownership: kernel_variants_make allocates, kernel_variants_destroy frees; the source, the kernel and the seed are
 * borrowed. Errors: values that are not plain words, expressions that do not give whole numbers, conditions that leave
 * nothing, more than VARIANTS_MOST combinations. Cost: linear in the texts of all variants. Threads: none is shared. */
#ifndef CLI_KERNEL_VARIANTS_H
#define CLI_KERNEL_VARIANTS_H

#include <stddef.h>

#include "base/error.h"
#include "cli/launch/kernel_file.h"

enum { VARIANTS_MOST = 1000 };

struct kernel_variants {
  struct kernel_file *items; /* in the order of the values, the last name changing fastest */
  size_t count;
};

int kernel_variants_make(const struct kernel_file *file, struct kernel_variants **out, struct error *error);
void kernel_variants_destroy(struct kernel_variants *variants);

#endif
