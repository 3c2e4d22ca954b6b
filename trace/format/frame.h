/* The container of a trace: magic, version, then numbered frames with checksums. Each payload is one zstd frame.
 * Internal to trace/.
 *
 * Ownership: frame_writer and frame_reader borrow the FILE. Errors name the file, the frame and its offset.
 * Source: docs/trace-format.md; Collet and Kucherawy, "Zstandard compression", RFC 8878. */
#ifndef TRACE_FRAME_H
#define TRACE_FRAME_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/format/bytes.h"

enum frame_kind {
  FRAME_HEADER = 1,
  FRAME_CODE,
  FRAME_PATHS,
  FRAME_SHAPES,
  FRAME_GROUPS,
  FRAME_END,
};

struct frame_writer {
  FILE *stream;
  void *context; /* ZSTD_CCtx */
  uint32_t sequence;
  uint64_t bytes; /* bytes written so far */
  struct bytes packed;
};

int frame_writer_begin(struct frame_writer *w, FILE *stream, struct error *error); /* writes magic and version */
/* Compresses the frames that follow to about half the bytes, in several times the time. */
void frame_writer_pack_small(struct frame_writer *w);
int frame_write(struct frame_writer *w, enum frame_kind kind, const void *raw, size_t length, struct error *error);
void frame_writer_clear(struct frame_writer *w);

struct frame {
  enum frame_kind kind;
  uint32_t sequence;
  uint64_t offset; /* offset of the frame's head in the file */
  const unsigned char *raw;
  size_t length;
};

struct frame_reader {
  FILE *stream;
  uint32_t version;
  const char *name; /* for messages; borrowed */
  void *context;    /* ZSTD_DCtx */
  uint32_t sequence;
  uint64_t offset; /* bytes read */
  struct bytes packed, raw;
};

int frame_reader_begin(struct frame_reader *r, FILE *stream, const char *name, struct error *error);
/* Returns 1 when *frame was read, which is valid until the next call; 0 when the file ends before or inside the
 * frame; -1 on an error. */
int frame_read(struct frame_reader *r, struct frame *frame, struct error *error);
/* Returns 1 when nothing follows the frame that was read last, 0 when something does, -1 on an error. */
int frame_reader_at_end(struct frame_reader *r, struct error *error);
void frame_reader_clear(struct frame_reader *r);

#endif
