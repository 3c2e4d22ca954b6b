/* Macros for arithmetic functions: one expression serves all lanes, and each part of a lane. */
#ifndef TRACEGEN_BIFROST_EACH_LANE_H
#define TRACEGEN_BIFROST_EACH_LANE_H

#include "tracegen/bifrost/alu/rounding.h"
#include "tracegen/bifrost/alu/lanes.h"

/* Defines a function of the sources a, b, c, d (unsigned, 32 bits) of a lane. */
#define ALU_WORDS(name, count, expression)                                                                             \
  void name(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {                           \
    (void)call;                                                                                                        \
    for (int i = 0; i < WARP_LANES; i++) {                                                                             \
      const uint32_t a = in[0]->at[i], b = count > 1 ? in[count > 1]->at[i] : 0,                                       \
                     c = count > 2 ? in[count > 2 ? 2 : 0]->at[i] : 0,                                                 \
                     d = count > 3 ? in[count > 3 ? 3 : 0]->at[i] : 0;                                                 \
      (void)b, (void)c, (void)d;                                                                                       \
      out->at[i] = (uint32_t)(expression);                                                                             \
    }                                                                                                                  \
  }

/* Defines a function of the parts a, b, c, d of type `type` (int16_t, uint8_t, ...) of `count` sources. The parts are
 * promoted to int as C does; the result's low bits are kept. */
#define ALU_PARTS(name, type, count, expression)                                                                       \
  void name(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {                           \
    enum { bits = 8 * sizeof(type) };                                                                                  \
    const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);                                                       \
    (void)call;                                                                                                        \
    for (int i = 0; i < WARP_LANES; i++) {                                                                             \
      uint32_t all = 0;                                                                                                \
      for (unsigned at = 0; at < 32; at += bits) {                                                                     \
        const type a = (type)(in[0]->at[i] >> at), b = count > 1 ? (type)(in[count > 1]->at[i] >> at) : 0,             \
                   c = count > 2 ? (type)(in[count > 2 ? 2 : 0]->at[i] >> at) : 0,                                     \
                   d = count > 3 ? (type)(in[count > 3 ? 3 : 0]->at[i] >> at) : 0;                                     \
        (void)a, (void)b, (void)c, (void)d;                                                                            \
        all |= ((uint32_t)(expression)&mask) << at;                                                                    \
      }                                                                                                                \
      out->at[i] = all;                                                                                                \
    }                                                                                                                  \
  }

/* Defines a function of the values a, b, c, d (double) of the two halves of each source; the result is rounded once. */
#define ALU_HALVES(name, count, round, expression)                                                                     \
  void name(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {                           \
    (void)call;                                                                                                        \
    for (int i = 0; i < WARP_LANES; i++) {                                                                             \
      uint32_t all = 0;                                                                                                \
      for (unsigned at = 0; at < 32; at += 16) {                                                                       \
        const double a = (double)half_value((uint16_t)(in[0]->at[i] >> at)),                                           \
                     b = count > 1 ? (double)half_value((uint16_t)(in[count > 1]->at[i] >> at)) : 0,                   \
                     c = count > 2 ? (double)half_value((uint16_t)(in[count > 2 ? 2 : 0]->at[i] >> at)) : 0;           \
        (void)b, (void)c;                                                                                              \
        all |= (uint32_t)half_of(expression, round) << at;                                                             \
      }                                                                                                                \
      out->at[i] = all;                                                                                                \
    }                                                                                                                  \
  }

#endif
