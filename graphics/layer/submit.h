/* Frames of the program that are wanted. */
#ifndef GRAPHICS_LAYER_SUBMIT_H
#define GRAPHICS_LAYER_SUBMIT_H

#include <stdbool.h>

/* Returns whether commands that are recorded at present may be submitted in a wanted frame. Those that are submitted
 * `once` are submitted in this frame or in one of the next two, as programs record while former frames are
 * submitted. */
bool submit_may_be_wanted(bool once);

#endif
