/* The contents of buffers in a capture (tracegen/program/content_file.h), and which chunks of them are still needed, so
 * that the room of each is given back as soon as it is not.
 *
 * Each launch that names contents needs them. The last contents of a buffer stay, too: the next launch may find the
 * buffer unchanged, and later contents may share chunks with them. A chunk is known by an id, which contents that share
 * it share.
 * Ownership: contents_clear frees; the stores are the caller's. Errors: contents that cannot be used give ERROR_WORK
 * when they are read, not when they are named. Threads: one. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_CONTENTS_H
#define TRACEGEN_PROGRAM_CAPTURE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/program/content_file.h"
#include "tracegen/program/control.h"

struct content {
  uint64_t number, bytes;
  uint32_t uses;
  uint64_t *chunks;          /* ids, by chunk of the buffer; NULL: they were not readable */
  struct content_chunk *own; /* the chunks that lie in them */
  uint32_t *own_uses;        /* of these: contents that share them */
  uint64_t own_count, live;  /* all; those that some contents need */
};

struct contents {
  int stores[CONTENT_STORES];      /* borrowed */
  struct capture_control *control; /* borrowed: freed_bytes */
  struct content **list;           /* by number; NULL: not named yet, or not needed any more */
  uint64_t *last;                  /* by buffer: the number of its last contents; 0: none */
  uint64_t *released;              /* buffers that contents_forget_released will forget */
  size_t count, buffers, released_count, released_room;
};

/* A launch names contents `number` of a buffer, which become the buffer's last ones. */
int contents_use(struct contents *contents, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error);
/* One launch less needs the contents. */
void contents_drop(struct contents *contents, uint64_t number);
/* No later launch names contents of the buffer. */
void contents_forget(struct contents *contents, uint64_t buffer);
/* The program has released the buffer; a launch whose lines are still to come may name it. */
int contents_release(struct contents *contents, uint64_t buffer, struct error *error);
/* No launch of released buffers is to come. */
void contents_forget_released(struct contents *contents);
void contents_clear(struct contents *contents);

/* Makes `memory` hold the contents. held[i] is the id of the chunk that chunk i of it holds, or 0; what is there
 * already is not read again. */
int contents_fill(const struct contents *contents, uint64_t number, uint64_t bytes, char *memory, uint64_t *held,
                  struct error *error);
/* Returns 0 where contents of this number and size can be read. */
int contents_check(const struct contents *contents, uint64_t number, uint64_t bytes, struct error *error);
/* Compares `memory` with the contents, by digests of its chunks. Returns whether all are equal; held[i] becomes the
 * chunk's id, or 0 where it is not equal. The contents must be such as contents_check accepts. */
bool contents_compare(const struct contents *contents, uint64_t number, const char *memory, uint64_t *held);

#endif
