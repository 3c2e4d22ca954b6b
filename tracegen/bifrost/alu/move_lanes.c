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

/* The value that stands for that of a lane which does not run. */
static uint32_t inactive_value(const struct alu_call *call) {
  static const uint32_t values[V_COUNT] = {[V_UMAX] = UINT32_MAX,   [V_I1] = 1,
                                           [V_V2I1] = 0x00010001,   [V_SMIN] = 0x80000000,
                                           [V_SMAX] = 0x7fffffff,   [V_V2SMIN] = 0x80008000,
                                           [V_V2SMAX] = 0x7fff7fff, [V_V4SMIN] = 0x80808080,
                                           [V_V4SMAX] = 0x7f7f7f7f, [V_F1] = 0x3f800000,
                                           [V_V2F1] = 0x3c003c00,   [V_INFN] = 0xff800000,
                                           [V_INF] = 0x7f800000,    [V_V2INFN] = 0xfc00fc00,
                                           [V_V2INF] = 0x7c007c00};
  return values[call->modifier[T_INACTIVE_RESULT]];
}

/* Each lane takes source 0 of the lane that its source 1 names, within its group. */
void alu_clper(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  unsigned lanes = subgroup_lanes(call);
  bool flips = call->modifier[T_LANE_OP] == V_XOR;
  for (unsigned i = 0; i < WARP_LANES; i++) {
    unsigned from = (i & ~(lanes - 1)) | ((flips ? i ^ in[1]->at[i] : in[1]->at[i]) & (lanes - 1));
    out->at[i] = call->active >> from & 1 ? in[0]->at[from] : inactive_value(call);
  }
}

/* One bit for each lane of the group whose source is not zero; an inactive lane has the bit that the instruction
 * names. */
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
