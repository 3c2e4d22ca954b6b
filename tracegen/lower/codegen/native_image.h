/* Native code from an object file, placed in this process without LLVM: what is kept of a kernel on disk needs no
 * compiler. Private to tracegen/lower.
 *
 * Objects are those that LLVM's JIT makes for x86-64: sections that are not written to, and addresses of 64 bits
 * (R_X86_64_64). Tables for unwinding are left out, because nothing unwinds through a kernel.
 * Ownership: native_image_load maps, native_image_destroy unmaps. Threads: any. */
#ifndef TRACEGEN_NATIVE_IMAGE_H
#define TRACEGEN_NATIVE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct native_image;

/* Returns whether this build can place objects: it is one for x86-64. */
static inline bool native_image_is_possible(void) {
#ifdef __x86_64__
  return true;
#else
  return false;
#endif
}

/* Returns the code of an object file, or NULL where it is not whole, has something else than the above, or names a
 * function that neither the emulator (emulator_calls.h) nor the process has. */
struct native_image *native_image_load(const void *object, size_t length);
/* Returns the address of a function; NULL: there is none of this name. */
void *native_image_find(const struct native_image *image, const char *name);
void native_image_destroy(struct native_image *image);

#endif
