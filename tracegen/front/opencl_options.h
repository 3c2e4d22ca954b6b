/* Build options as clBuildProgram takes them, for front ends that read OpenCL C. */
#ifndef TRACEGEN_FRONT_OPENCL_OPTIONS_H
#define TRACEGEN_FRONT_OPENCL_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/* Splits `options` into words at blanks; quotes and backslashes mean what they mean in a shell. *words is an array in
 * one allocation that ends in NULL; the caller frees it. ERROR_INPUT: an option that OpenCL does not define (such as
 * one that names an output or a plug-in of a compiler), or one without its value. -g is dropped: messages have lines
 * without it. */
int opencl_options_split(const char *options, char ***words, size_t *count, struct error *error);

#endif
