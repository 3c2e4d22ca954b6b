/* Scenes in which the last bit of a number becomes a color: the order of sums, the rounding of texels to halves. */
#include <stdio.h>
#include <string.h>

#include "shapes.h"

static const char vertex[] = "#version 310 es\nin vec4 place; void main() { gl_Position = vec4(place.xy, 0.0, 1.0); }";

/* Draws a band of the picture, the number `k` of `count` from below, and shades it; `v` and `at` have few digits. */
static void draw_band(unsigned k, unsigned count, const char *shade) {
  const float low = -1 + 2.0f * (float)k / (float)count, high = low + 2.0f / (float)count;
  const float band[] = {-1, low, 0, 0, 1, low, 0, 0, -1, high, 0, 0, 1, high, 0, 0};
  char text[1024];
  snprintf(text, sizeof text,
           "#version 310 es\nprecision mediump float; out vec4 result; uniform sampler2D low;"
           "uniform highp sampler2D high; uniform highp vec4 factors; void main() { highp vec2 at = gl_FragCoord.xy / "
           "64.0; highp vec4 v = "
           "vec4(at, at.x * at.y, 0.5); %s }",
           shade);
  use_program(vertex, text);
  GLint program;
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  glUniform4f(glGetUniformLocation((GLuint)program, "factors"), 1.1f, 0.001f, 0.002f, 1.1f);
  draw(GL_TRIANGLE_STRIP, band, 4);
}

/* Sums of products whose first and last parts cancel each other. */
static void draw_sums(void) {
  draw_band(0, 4, "result = vec4(fract(dot(vec4(v.x * 300.0, v.y, v.z, -v.x * 300.0), factors) * 6000.0));");
  draw_band(1, 4, "result = vec4(fract(dot(vec3(v.x * 300.0, v.y, -v.x * 300.0), factors.xyw) * 3000.0));");
  draw_band(2, 4,
            "result = vec4(fract(length(v.xyz * 30.0) * 8192.0), fract(distance(v, v.wzyx) * 65536.0), 0.5, 1.0);");
  draw_band(3, 4, "result = vec4(fract(normalize(v.xyz) * 65536.0), 1.0);");
}

/* Texels that are halves, and one that is a float and a half. */
static void draw_cut(void) {
  static unsigned char texels[16 * 16 * 4];
  for (size_t i = 0; i < sizeof texels; i++)
    texels[i] = (unsigned char)(i * 37 % 251);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  draw_band(0, 3, "vec4 t = texture(low, at); result = fract(t * 1024.0);");
  draw_band(1, 3, "vec2 t = texture(low, at).zx; result = fract(t * 1024.0).xyyx;");
  draw_band(2, 3, "highp vec4 t = texture(high, at); vec4 m = t; result = fract(m * 1024.0) * 0.5 + t * 0.25;");
}

static const struct {
  const char *word;
  void (*draw)(void);
} scenes[] = {{"sums", draw_sums}, {"cut", draw_cut}};

void (*shapes_exact(const char *word))(void) {
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    if (strcmp(scenes[i].word, word) == 0)
      return scenes[i].draw;
  return NULL;
}
