/* Parameters of a workload: a file that says `parameters: {N: 512, TILE: 16}` stands for many workloads, and its values
 * may hold `${expression}` over them (`global: ["${N}", "${N / TILE}"]`, `options: "-DTILE=${TILE}"`).
 *
 * One of these workloads is named by its file or name and a list of values: "gemm:N=1024,TILE=8"; a parameter that is
 * left out has the file's value. Values are whole numbers. A scalar that consists of one `${...}` counts as a number,
 * one that holds several or other text as a text. Cost: linear in the file. Threads: any. */
#ifndef WORKLOAD_PARAMETERS_H
#define WORKLOAD_PARAMETERS_H

#include "base/input/conf.h"

/* Returns the length of the name or path before the values, or that of the whole text if there are none. */
size_t workload_name_length(const char *name_or_path);
/* Returns the shipped name of a workload that a path may lead to, with the parameters that are bound, or else
 * `name_or_path`; NULL when out of memory. The caller frees it. */
char *workload_shipped_name(const char *name_or_path);
/* Gives the document's parameters the values of `list` ("N=1024,TILE=8", or "" for none), checks its `require`
 * conditions and puts the values in place of each `${...}`. The name of the workload becomes "name+N1024+TILE8". */
int workload_bind_parameters(struct conf_doc *doc, const char *list, struct error *error);

#endif
