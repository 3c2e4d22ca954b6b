/* Frames of the program that are wanted. */
#ifndef GRAPHICS_LAYER_SUBMIT_H
#define GRAPHICS_LAYER_SUBMIT_H

#include <stdbool.h>

/* Returns whether commands that are recorded at present may be submitted in a wanted frame. Those that are submitted
 * `once` are submitted in this frame or in one of the next eight (assumed): programs record while former frames are
 * submitted, and one with several contexts of GL, each of whose submits that draws ends a frame, begins the commands of
 * a context long before they are submitted. */
bool submit_may_be_wanted(bool once);

#endif
