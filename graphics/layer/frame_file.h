/* The file of a frame that is captured. Records are collected in memory and compressed when the frame ends; a frame
 * with more bytes than PACKED_MOST goes to the file as it is written, uncompressed, so that the program's process
 * stays small.
 *
 * Ownership: frame_file_end closes the stream. The memory is kept for the next frame. Errors: a stream that has failed
 * (ferror) gives no file. Threads: the layer's lock is held; one file at a time. */
#ifndef GRAPHICS_LAYER_FRAME_FILE_H
#define GRAPHICS_LAYER_FRAME_FILE_H

#include <stdio.h>

#define PACKED_MOST ((size_t)64 << 20)

/* Begins the file `part`, and returns the stream for its records; NULL: it cannot be written. */
FILE *frame_file_begin(const char *part);
/* Ends it and renames it to `name`, under which a file is always whole. */
void frame_file_end(FILE *stream, const char *name);

#endif
