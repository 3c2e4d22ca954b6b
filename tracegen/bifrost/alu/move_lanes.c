/* Copies, vectors made of parts, addresses in two halves, and what lanes of a warp tell each other. */
#include "tracegen/bifrost/alu/each_lane.h"

void alu_nop(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  (void)in, (void)call;
  *out = (struct lanes){{0}};
}

ALU_WORDS(alu_mov_i32, 1, a)
ALU_WORDS(alu_mkvec_v2i16, 2, (a & 0xffff) | b << 16)
ALU_WORDS(alu_mkvec_v4i8, 4, (a & 255) | (b & 255) << 8 | (c & 255) << 16 | d << 24)

/* The shifted sum of 64 bits that SHADDXL begins and SHADDXH of the same tuple ends: SHADDXL hands over the carry and
 * the bits that were shifted out of the low word. */
static void add_shifted(struct lanes *out, const struct lanes *const *in, const struct alu_call *call, bool is_signed) {
  for (int i = 0; i < WARP_LANES; i++) {
    uint32_t b = in[1]->at[i];
    uint64_t addend = (is_signed ? (uint64_t)(int64_t)(int32_t)b : b) << call->number;
    uint64_t sum = in[0]->at[i] + addend;
    out->at[i] = (uint32_t)sum;
    call->wide->at[i] = (uint32_t)(sum >> 32);
  }
}

void alu_shaddxl_u32(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  add_shifted(out, in, call, false);
}

void alu_shaddxl_i64(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  add_shifted(out, in, call, false);
}

void alu_shaddxl_s32(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  add_shifted(out, in, call, true);
}

/* Source 1 is zero behind the forms for 32-bit addends. */
ALU_WORDS(alu_shaddxh_i32, 2, a + (b << call->number) + call->wide->at[i])

static uint64_t segment_base(const struct alu_call *call) {
  return call->modifier[T_SEG] == V_TL ? call->private_base : call->local_base;
}

/* The address of a byte of a segment: the FMA unit adds the low words and hands over the carry, the ADD unit adds the
 * high words. A null pointer stays one where the instruction says so. */
void alu_seg_add_low(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  for (int i = 0; i < WARP_LANES; i++) {
    bool stays = call->modifier[T_PRESERVE_NULL] == V_PRESERVE_NULL && !in[0]->at[i];
    uint64_t sum = stays ? 0 : (uint32_t)segment_base(call) + (uint64_t)in[0]->at[i];
    out->at[i] = (uint32_t)sum;
    call->wide->at[i] = stays ? 0 : (uint32_t)(sum >> 32) + (uint32_t)(segment_base(call) >> 32);
  }
}

ALU_WORDS(alu_seg_add_high, 1, a + call->wide->at[i])

/* Lanes of the group of neighbours that an instruction names. */
static unsigned subgroup_lanes(const struct alu_call *call) {
  switch (call->modifier[T_SUBGROUP]) {
  case V_SUBGROUP2:
    return 2;
  case V_SUBGROUP8:
    return 8;
  case V_SUBGROUP16:
    return WARP_LANES; /* no Bifrost warp is wider */
  default:
    return 4;
  }
}

/* Each lane takes source 0 of the lane that its source 1 names, within its group; that of an inactive lane is 0. */
void alu_clper(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  unsigned lanes = subgroup_lanes(call);
  bool flips = call->modifier[T_LANE_OP] == V_XOR;
  for (unsigned i = 0; i < WARP_LANES; i++) {
    unsigned from = (i & ~(lanes - 1)) | ((flips ? i ^ in[1]->at[i] : in[1]->at[i]) & (lanes - 1));
    out->at[i] = call->active >> from & 1 ? in[0]->at[from] : 0;
  }
}

/* One bit for each lane of the group whose source is not zero; an inactive lane has the bit that the instruction names. */
void alu_wmask(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  unsigned lanes = subgroup_lanes(call);
  uint32_t bits = 0;
  for (unsigned i = 0; i < WARP_LANES; i++)
    bits |= (call->active >> i & 1 ? in[0]->at[i] != 0 : call->number & 1) << i;
  for (unsigned i = 0; i < WARP_LANES; i++)
    out->at[i] = bits >> (i & ~(lanes - 1)) & ((1u << lanes) - 1);
}

/* Combines the two numbers that an atomic operation returned into the value before it. */
static uint32_t combined(uint32_t a, uint32_t b, const struct alu_call *call) {
  switch (call->modifier[T_ATOM_OPC]) {
  case V_AADD:
    return a + b;
  case V_ASMIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case V_ASMAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case V_AUMIN:
    return a < b ? a : b;
  case V_AUMAX:
    return a > b ? a : b;
  case V_AAND:
    return a & b;
  case V_AOR:
    return a | b;
  default:
    return a ^ b;
  }
}

ALU_WORDS(alu_atom_post_i32, 2, combined(a, b, call))
