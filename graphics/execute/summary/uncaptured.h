/* The draws and dispatches of a frame that may differ because the capture does not hold a command before them.
 *
 * The record of such a command says which draws it concerns (enum frame_reach). A draw that reads an image or a buffer
 * without the command's result lacks the command, and so does all that it writes, until the capture gives contents
 * again at a submit.
 * Ownership: names point into the capture; uncaptured_clear frees the rest. Errors: false means that memory ran out. */
#ifndef GRAPHICS_UNCAPTURED_H
#define GRAPHICS_UNCAPTURED_H

#include "graphics/execute/execution.h"

struct uncaptured {
  const char **objects; /* by number: the command whose result the image or buffer lacks; NULL: none */
  const char *rest, *pass, *open;
};

bool uncaptured_begin(struct uncaptured *u, const struct frame_capture *capture);
void uncaptured_clear(struct uncaptured *u);
/* Takes a record that is no draw and no dispatch. */
void uncaptured_take(struct uncaptured *u, const struct execution *e, const struct frame_entry *record);
/* Returns the command that the present draw or dispatch lacks; NULL: none. `indirect`: the buffer of its parameters, or
 * 0; `indexed`: it reads the index buffer. */
const char *uncaptured_by(struct uncaptured *u, const struct execution *e, uint32_t indirect, bool indexed);

#endif
