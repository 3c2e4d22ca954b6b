/* Conversions of 16-bit floats (IEEE 754 binary16), which LLVM calls on x86-64 for each operation on them: it extends
 * the operands, computes a float, which has enough digits for one rounding, and rounds the result. On processors that
 * convert by instructions (AArch64) nothing calls these functions.
 *
 * The half is in the low 16 bits of an argument or result in a float register, as x86-64's ABI passes it; C11 has no
 * such type. Rounding is to nearest even; a NaN stays one, with its sign and the upper bits of its fraction, and
 * becomes quiet. Errors: none. Threads: any. */
#ifndef TRACEGEN_HALF_CALLS_H
#define TRACEGEN_HALF_CALLS_H

#include <stdint.h>

/* By the names of LLVM: __extendhfsf2, __truncsfhf2, __truncdfhf2. */
float half_call_extend(float half);
float half_call_round(float value);
float half_call_round_double(double value);

/* The same on bits. */
uint32_t half_extended(uint16_t half);      /* the float of a half */
uint16_t half_rounded(uint32_t value);      /* the half nearest to a float */
uint16_t half_rounded_from(uint64_t value); /* the half nearest to a double */

#endif
