/* The plots of a page as files for papers: SVG, one file a plot.
 *
 * The page draws itself: Node.js runs its script on jsdom's documents (Debian: nodejs, node-jsdom), so a plot in a file
 * is the plot in the page. Files are named after the plots, in a folder that is made where it is missing.
 * Errors: ERROR_WORK where Node.js or jsdom is missing, or the script fails. Cost: a second. */
#ifndef CLI_PLOT_FILES_H
#define CLI_PLOT_FILES_H

#include <stddef.h>

#include "base/error.h"
#include "cli/report/documents.h"

/* Writes the files; *count is their number, *replaced how many of them were there before. */
int plot_files_write(const struct documents *documents, const char *folder, size_t *count, size_t *replaced,
                     struct error *error);

#endif
