/* The arguments that a kernel takes, in the words of --arg, for messages.
 *
 * A signature is the kernel's parameters as `info` shows them: "global float* in, int n".
 * Errors: out of memory. Cost: O(signature). Threads: any. */
#ifndef CLI_WANTED_ARGUMENTS_H
#define CLI_WANTED_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define WANTED_ALL SIZE_MAX

/* Copies the name of parameter `number`. Returns false when there is none. */
bool wanted_parameter_name(const char *signature, size_t number, char *name, size_t size);
/* Returns " --arg in=float[COUNT] --arg n=int=VALUE", of parameter `only` or of all (WANTED_ALL). The caller frees it;
 * NULL: memory has run out. */
char *wanted_arguments(const char *signature, size_t only);

#endif
