/* The register block of a tuple: which registers its instructions read, and which the tuple before it writes. The
 * results of a clause's last tuple are written by the block of its first.
 *
 * Source: Mesa 25.0.7, folder src/panfrost/compiler (register modes). */
#ifndef TRACEGEN_BIFROST_REGISTER_BLOCK_H
#define TRACEGEN_BIFROST_REGISTER_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The action of a register slot; the last three are writes. */
enum slot_use { SLOT_IDLE, SLOT_READ, SLOT_WRITE, SLOT_WRITE_LOW, SLOT_WRITE_HIGH };

#define NO_REGISTER 0xff

struct register_write {
  uint8_t number; /* NO_REGISTER: none */
  uint8_t use;    /* enum slot_use */
};

struct register_block {
  uint8_t fau;     /* what the sources 4 and 5 are: see sources.h */
  uint8_t read[3]; /* registers behind the sources 0, 1, 2; valid where they are read */
  bool reads[3];
  struct register_write fma, add; /* where results of the units go */
};

/* Decodes the 35 bits of a block. `first`: it is the block of a clause's first tuple. Returns false if its mode is
 * reserved; the block then writes nothing. */
bool register_block_decode(uint64_t bits, bool first, struct register_block *out);

#endif
