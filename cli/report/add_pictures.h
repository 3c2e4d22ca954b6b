/* Pictures of frames, put into the documents of `draw` and `frame` so that a page can show them without another file.
 *
 * Such a document names a folder, or has a list "frames" of objects that do. Of each folder the files picture.png,
 * expected.png, overdraw.png, operations.png and texels.png become members of a new object "pictures" there, as
 * "data:image/png;base64,...". Documents are untrusted, so a file is only taken if it begins as a PNG file does. *note
 * is a sentence for the page about files that are too large, or NULL (the caller frees it). Cost: linear in the files.
 * Errors: out of memory; files that cannot be read are left out. */
#ifndef CLI_ADD_PICTURES_H
#define CLI_ADD_PICTURES_H

#include "base/error.h"
#include "cli/report/documents.h"

int add_pictures(struct document *document, char **note, struct error *error);

#endif
