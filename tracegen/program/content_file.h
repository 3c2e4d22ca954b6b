/* The format of buffer contents in a capture. A buffer is divided into chunks. A record of contents holds either all
 * chunks, or those that differ from an earlier record of the same buffer, its base.
 *
 *   content_header, then `count` content_chunk, in the order of their indices; zeros up to a multiple of
 *   CONTENT_ALIGNMENT; then the bytes of these chunks, one after the other. The last chunk of a buffer may be short.
 *
 * Contents lie one after the other in stores, which are sparse files: one in memory, which is used while it is small,
 * and one in the capture's folder. Their number says where: content_number.
 *
 * Byte order is the machine's: a capture does not leave it. Private to tracegen and its layer. Threads: any. */
#ifndef TRACEGEN_PROGRAM_CONTENT_FILE_H
#define TRACEGEN_PROGRAM_CONTENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTENT_MAGIC     UINT64_C(0x31746e65746e6f43) /* "Content1" */
#define CONTENT_ALIGNMENT 4096u

/* The digest of the bytes of a chunk. Equal bytes have equal digests; of different bytes, digests are equal by accident
 * once in 2^64 pairs or less often. It is no protection against bytes that were chosen to collide. */
struct content_digest {
  uint64_t halves[2];
};

enum content_store { STORE_IN_MEMORY, STORE_ON_DISK, CONTENT_STORES };

#define CONTENT_UNIT UINT64_C(16384) /* bytes: contents start at a multiple */

/* Returns the number of the contents that start with this unit of the store, from 1 on; no contents have number 0. */
static inline uint64_t content_number(enum content_store store, uint64_t unit) {
  return unit * CONTENT_STORES + store;
}

static inline enum content_store content_store_of(uint64_t number) {
  return number % CONTENT_STORES;
}

/* Returns the byte of the store at which the contents start. */
static inline uint64_t content_start(uint64_t number) {
  return number / CONTENT_STORES * CONTENT_UNIT;
}

struct content_header {
  uint64_t magic, bytes, chunk_bytes; /* of the whole buffer; of each chunk but the last */
  uint64_t base;                      /* the number of the earlier contents; 0: none, all chunks are here */
  uint64_t count;                     /* chunks that are here */
};

struct content_chunk {
  uint64_t index;
  struct content_digest digest;
};

/* Returns the size of a chunk of a buffer: 16 KiB, or more where the buffer would have more than 2,048 chunks. */
uint64_t content_chunk_bytes(uint64_t bytes);
/* Returns how many chunks the buffer has. */
uint64_t content_chunk_count(uint64_t bytes);
/* Returns the size of chunk `index`. */
uint64_t content_chunk_size(uint64_t bytes, uint64_t index);
/* Returns where the bytes of the first chunk lie in contents that hold `count` chunks, from their start. */
uint64_t content_data_offset(uint64_t count);

struct content_digest content_digest(const void *bytes, size_t length);

static inline bool content_digests_equal(struct content_digest a, struct content_digest b) {
  return a.halves[0] == b.halves[0] && a.halves[1] == b.halves[1];
}

#endif
