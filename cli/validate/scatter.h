/* Measured and predicted times as lines of CSV: board,gpu,kernel,workload,unit,measured,predicted. Values have 17
 * significant digits; texts are quoted where they need it (RFC 4180). Written whole or not at all. */
#ifndef CLI_SCATTER_H
#define CLI_SCATTER_H

#include "cli/validate/validation.h"

int scatter_write(const char *path, const struct validation *list, size_t count, struct error *error);

#endif
