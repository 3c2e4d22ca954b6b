/* States of buffers, each a file content-<number> that is written once and never changed: a buffer that is as it was
 * when it was last captured refers to the same state. Private to the layer.
 *
 * Room: what is written and not yet freed by the reader counts; where more is wanted than $REASSEMBLE_CAPTURE_BYTES
 * allows, room_wait lets the reader emulate and free first. */
#ifndef LAYER_CONTENTS_H
#define LAYER_CONTENTS_H

#include "tracegen/program/layer/records.h"

enum content_error { CONTENT_SAVED, CONTENT_NO_MEMORY, CONTENT_NOT_READ, CONTENT_NOT_WRITTEN };

/* Reads the buffer through `reader` and makes root->content its state. *status: OpenCL's, of CONTENT_NOT_READ. */
enum content_error content_save(struct memory_record *root, cl_command_queue reader, cl_int *status);

/* False: there is not, and will not be, room for `bytes` more; *left says how much there is. */
bool room_wait(uint64_t bytes, uint64_t limit, uint64_t *left);

#endif
