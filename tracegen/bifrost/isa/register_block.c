#include "tracegen/bifrost/isa/register_block.h"

/* A mode of slots 2 and 3: their uses, and whether slot 3 writes the FMA unit's result. */
struct slot_mode {
  bool valid;
  uint8_t slot2, slot3;
  bool slot3_is_fma;
};

#define MODE(slot2, slot3, is_fma)                                                                                     \
  { true, SLOT_##slot2, SLOT_##slot3, is_fma }

static const struct slot_mode modes[32] = {[1] = MODE(READ, WRITE_LOW, true),
                                           [2] = MODE(READ, WRITE_HIGH, true),
                                           [3] = MODE(READ, WRITE, true),
                                           [4] = MODE(READ, WRITE_LOW, false),
                                           [5] = MODE(READ, WRITE_HIGH, false),
                                           [6] = MODE(READ, WRITE, false),
                                           [7] = MODE(WRITE_LOW, WRITE_LOW, false),
                                           [8] = MODE(WRITE_LOW, WRITE_HIGH, false),
                                           [9] = MODE(WRITE_LOW, WRITE, false),
                                           [10] = MODE(WRITE_HIGH, WRITE_LOW, false),
                                           [11] = MODE(WRITE_HIGH, WRITE_HIGH, false),
                                           [12] = MODE(WRITE_HIGH, WRITE, false),
                                           [13] = MODE(WRITE, WRITE_LOW, false),
                                           [14] = MODE(WRITE, WRITE_HIGH, false),
                                           [15] = MODE(WRITE, WRITE, false),
                                           [16] = MODE(IDLE, IDLE, true),
                                           [17] = MODE(IDLE, WRITE, true),
                                           [18] = MODE(IDLE, WRITE_LOW, true),
                                           [19] = MODE(IDLE, WRITE_HIGH, true),
                                           [20] = MODE(READ, IDLE, false),
                                           [21] = MODE(IDLE, WRITE, false),
                                           [22] = MODE(IDLE, WRITE_LOW, false),
                                           [23] = MODE(IDLE, WRITE_HIGH, false),
                                           [24] = MODE(WRITE_LOW, WRITE_HIGH, false),
                                           [26] = MODE(WRITE_HIGH, WRITE_LOW, false),
                                           [27] = MODE(IDLE, IDLE, true)};

static bool is_write(uint8_t use) {
  return use >= SLOT_WRITE;
}

static void set_writes(struct register_block *block, const struct slot_mode *mode, uint8_t slot2, uint8_t slot3) {
  if (is_write(mode->slot2))
    block->fma = (struct register_write){slot2, mode->slot2};
  if (is_write(mode->slot3))
    *(mode->slot3_is_fma ? &block->fma : &block->add) = (struct register_write){slot3, mode->slot3};
}

bool register_block_decode(uint64_t bits, bool first, struct register_block *out) {
  uint8_t slot3 = bits >> 8 & 63, slot2 = bits >> 14 & 63, slot0 = bits >> 20 & 31, slot1 = bits >> 25 & 63;
  unsigned control = bits >> 31 & 15;
  bool two = control != 0; /* slots 0 and 1 are both read; else slot 1 holds the control */
  const struct slot_mode *mode;
  *out = (struct register_block){.fau = bits & 255,
                                 .fma = {NO_REGISTER, SLOT_IDLE},
                                 .add = {NO_REGISTER, SLOT_IDLE},
                                 .reads = {two || !(slot1 & 2), two, false}};
  out->read[0] = two ? (slot0 <= slot1 ? slot0 : 63 - slot0) : slot0 | (slot1 & 1) << 5;
  out->read[1] = slot0 <= slot1 ? slot1 : 63 - slot1;
  out->read[2] = slot2;
  if (!two)
    control = slot1 >> 2;
  mode = &modes[first ? (control & 7) | (control & 8) << 1 : control + (slot2 == slot3 ? 16 : 0)];
  out->reads[2] = mode->slot2 == SLOT_READ;
  set_writes(out, mode, slot2, slot3);
  return mode->valid;
}
