/* The contents of buffers at the time of a launch (content_file.h). They are written once and never changed, and hold
 * the chunks that differ from the contents before; a buffer whose bytes are the same as when it was last captured has
 * the same contents. Private to the layer.
 *
 * Room: contents that the reader has not freed yet may take $REASSEMBLE_CAPTURE_BYTES; where a launch needs more,
 * room_wait lets the reader emulate and free first. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_CONTENTS_H
#define TRACEGEN_PROGRAM_LAUNCH_CONTENTS_H

#include "tracegen/program/launch/records.h"

enum content_error { CONTENT_SAVED, CONTENT_NO_MEMORY, CONTENT_NOT_READ, CONTENT_NOT_WRITTEN };

/* Reads the buffer through the queue `reader`, writes what has changed and makes root->content its number. *status
 * becomes OpenCL's error of CONTENT_NOT_READ. */
enum content_error content_save(struct memory_record *root, cl_command_queue reader, cl_int *status);

/* Returns whether root->content are the buffer's present contents, because nothing has written to it since. */
bool content_is_known(const struct memory_record *root);

/* Returns whether the process that emulates what is captured exists. */
bool reader_is_there(void);

/* Waits until there is room for `bytes` more. Returns false when there will be none; *left becomes the room there
 * is. */
bool room_wait(uint64_t bytes, uint64_t limit, uint64_t *left);

#endif
