/* Functions that all scenes of the program `shapes` call: OpenGL ES 3 without a window. */
#ifndef SHAPES_H
#define SHAPES_H

#include <GLES3/gl32.h>
#include <stddef.h>

enum { WIDTH = 96, HEIGHT = 64, MOST_STAGES = 5 };

/* Ends the program where the condition does not hold. */
void need(int condition, const char *what);
/* Compiles, links and uses a program. Attribute 0 is `place`. */
void use_program(const char *vertex, const char *fragment);
struct stage_text {
  GLenum kind; /* 0: none */
  const char *text;
};
/* Links stages whose vertices have `place`, and uses them. */
void use_stages(const struct stage_text stages[MOST_STAGES]);
/* Draws vertices of four floats. */
void draw(GLenum primitives, const float *vertices, int count);
/* Writes a vertex: x, y and two numbers that the shaders take. Returns the place of the next one. */
float *put(float *to, double x, double y, double a, double b);
/* Makes a buffer, binds and fills it. */
void fill_buffer(GLenum target, const void *bytes, size_t size);

/* Returns whether the scene is drawn with OpenGL, and not with OpenGL ES. */
int shapes_is_desktop(const char *word);
/* Returns what draws a further scene; NULL: there is none of this name. */
void (*shapes_more(const char *word))(void);
void (*shapes_exact(const char *word))(void);

#endif
