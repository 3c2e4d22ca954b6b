/* Numbers as a fraction and a power of two, in the forms that Bifrost's sequences for roots and logarithms use.
 *
 * Source: Mesa 25.0.7, src/panfrost/compiler/Notes.txt; US patent application 2016/0364209 A1 (the range for
 * logarithms). */
#ifndef TRACEGEN_BIFROST_EXPONENTS_H
#define TRACEGEN_BIFROST_EXPONENTS_H

/* The range of the fraction: 0.5 to 1, 0.25 to 1 (even exponents), 0.75 to 1.5. */
enum scale_form { SCALE_PLAIN, SCALE_FOR_ROOT, SCALE_FOR_LOGARITHM };

/* Returns e of value = fraction * 2^e; 0 for zero, infinities and NaN. */
int scale_exponent(double value, enum scale_form form);
/* Returns the fraction; zero, infinities and NaN are their own. */
double scale_fraction(double value, enum scale_form form);

#endif
