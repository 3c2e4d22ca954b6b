/* Scenes in which the last bit of a number becomes a color (the order of sums, the rounding of texels to halves, bits
 * of integers), and scenes of state that few programs use. */
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

/* Functions on the bits of integers. */
static void draw_bits(void) {
  draw_band(0, 3,
            "highp uvec2 q = uvec2(at * 64.0) * 40503u; highp uint r = bitfieldReverse(q.x);"
            "result = vec4(uvec4(r >> 24u, bitfieldReverse(q).y >> 25u, bitCount(q.x) * 9, r & 255u)) / 255.0;");
  draw_band(1, 3,
            "highp ivec2 q = ivec2(at * 64.0) * 40503 - 999999; highp uvec2 u = uvec2(q); int n = int(at.y * 64.0) % 9;"
            "result = vec4(ivec4(bitfieldExtract(q, n, 7) + 64, bitfieldExtract(u, n, n).x,"
            "bitfieldInsert(q.x, q.y, n, 5) & 255)) / 255.0;");
  draw_band(2, 3,
            "highp ivec2 q = ivec2(at * 64.0) * 321 - 9999; highp uvec2 u = uvec2(q);"
            "result = vec4(ivec4(findMSB(q) * 8, findLSB(q).x * 8 + sign(q.x), findMSB(u.y >> 3u) * 8)) / 255.0;");
}

/* A color that is blended with a second one of the shader, which is not supported, and one that is not. */
static void draw_second(void) {
  static const float strip[] = {-1, -1, 0, 0, 1, -1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0};
  use_program("#version 300 es\nin vec4 place; void main() { gl_Position = vec4(place.xy, 0.0, 1.0); }",
              "#version 300 es\n#extension GL_EXT_blend_func_extended : require\nprecision highp float;"
              "layout(location = 0, index = 0) out vec4 first; layout(location = 0, index = 1) out vec4 second;"
              "void main() { first = vec4(0.9, 0.4, 0.7, 1.0); second = vec4(0.3, 0.8, 0.5, 1.0); }");
  glEnable(GL_BLEND);
  glBlendFunc(0x88F9 /* GL_SRC1_COLOR_EXT */, GL_ONE);
  draw(GL_TRIANGLE_STRIP, strip, 4);
  glDisable(GL_BLEND);
  draw_band(1, 3, "result = vec4(at, 0.5, 1.0);");
}

/* Depths beyond the near and the far plane, clamped (EXT_depth_clamp) and clipped; the last pass has no colors. */
static void draw_clamped(void) {
  static const float strips[] = {-0.9f, -0.9f, -1.7f, 0.1f,  0.8f, -0.8f, 0.6f, 0.9f,  -0.8f, 0.9f, 0.4f,
                                 0.4f,  0.9f,  0.7f,  1.9f,  1.0f, -0.6f, 0.9f, 1.6f,  0.8f,  0.9f, 0.5f,
                                 0.3f,  0.3f,  -0.9f, -0.5f, 0.2f, 0.5f,  0.7f, -0.9f, -1.8f, 0.0f};
  GLuint target, frame;
  use_program("#version 300 es\nin vec4 place; out float shade;"
              "void main() { gl_Position = vec4(place.xyz, 1.0); shade = place.w; }",
              "#version 300 es\nprecision highp float; in float shade; out vec4 color;"
              "void main() { color = vec4(shade, gl_FragCoord.z, 1.0 - shade, 1.0); }");
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(0x864F /* GL_DEPTH_CLAMP_EXT */);
  draw(GL_TRIANGLE_STRIP, strips, 4);
  glDisable(0x864F);
  draw(GL_TRIANGLE_STRIP, strips + 16, 4);
  glGenTextures(1, &target);
  glBindTexture(GL_TEXTURE_2D, target);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
  glGenFramebuffers(1, &frame);
  glBindFramebuffer(GL_FRAMEBUFFER, frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target, 0);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw(GL_TRIANGLE_STRIP, strips, 4);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static const struct {
  const char *word;
  void (*draw)(void);
} scenes[] = {
    {"sums", draw_sums}, {"cut", draw_cut}, {"bits", draw_bits}, {"second", draw_second}, {"clamped", draw_clamped}};

void (*shapes_exact(const char *word))(void) {
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    if (strcmp(scenes[i].word, word) == 0)
      return scenes[i].draw;
  return NULL;
}
