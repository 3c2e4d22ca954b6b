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

/* Bands of colors that are blended with a second one of the shader, by its channels and by its alpha. */
static void draw_second(void) {
  enum { SECOND_COLOR = 0x88F9, OTHER_COLOR = 0x88FA, OTHER_ALPHA = 0x88FB, SECOND_ALPHA = 0x8589 };
  static const GLenum factors[4][2] = {
      {SECOND_COLOR, GL_ONE}, {GL_ONE, OTHER_COLOR}, {SECOND_ALPHA, OTHER_ALPHA}, {GL_SRC_ALPHA, SECOND_COLOR}};
  for (unsigned k = 0; k < 4; k++) {
    const float low = -1 + 0.5f * (float)k, high = low + 0.5f;
    const float band[] = {-1, low, 0, 0, 1, low, 0, 0, -1, high, 0, 0, 1, high, 0, 0};
    use_program(vertex,
                "#version 310 es\n#extension GL_EXT_blend_func_extended : require\nprecision highp float;"
                "layout(location = 0, index = 0) out vec4 first; layout(location = 0, index = 1) out vec4 second;"
                "void main() { vec2 at = gl_FragCoord.xy / 96.0; first = vec4(at, 0.7, 0.2 + at.x * 0.7);"
                "second = vec4(at.yx, 0.5, 1.0 - at.x); }");
    glEnable(GL_BLEND);
    glBlendFunc(factors[k][0], factors[k][1]);
    draw(GL_TRIANGLE_STRIP, band, 4);
    glDisable(GL_BLEND);
  }
}

/* Smooth lines of two widths, in perspective: of half a pixel up to such that leave the picture. */
static void draw_smooth(void) {
  float star[24 * 8], *end = star;
  for (int k = 0; k < 24; k++) {
    const double x = k * 0.0837 - 0.98, length = 0.008 + 0.0042 * k * k, turn = k * 0.71;
    end = put(end, x, 0.1 * (k % 5) - 0.3, 0.5, 1 - 0.015 * k);
    end = put(end, x + length * 0.6 * (turn - 8), 0.1 * (k % 5) - 0.3 + length * (k % 3 - 1), 1, 1);
  }
  use_program(
      "#version 310 es\nin vec4 place; out vec4 color;"
      "void main() { gl_Position = vec4(place.xy * place.w, 0.0, place.w);"
      "color = vec4(place.z, place.w, 0.5, place.z); }",
      "#version 310 es\nprecision highp float; in vec4 color; out vec4 result; void main() { result = color; }");
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(0x0B20 /* GL_LINE_SMOOTH, which OpenGL ES lacks */);
  draw(GL_LINES, star, 48);
  glLineWidth(2.5f);
  draw(GL_LINE_STRIP, star + 8 * 6, 12);
}

/* Levels of detail that a shader asks for: of a filter between two levels, and of one that takes the nearest. */
static void draw_levels(void) {
  static unsigned char texels[32 * 32 * 4];
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  glGenerateMipmap(GL_TEXTURE_2D);
  for (unsigned k = 0; k < 2; k++) {
    const float low = (float)k - 1, band[] = {-1, low, 0, 0, 1, low, 0, 0, -1, low + 1, 0, 0, 1, low + 1, 0, 0};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, k ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
    use_program("#version 400\nin vec4 place; void main() { gl_Position = vec4(place.xy, 0.0, 1.0); }",
                "#version 400\nout vec4 result; uniform sampler2D low; void main() { vec2 p = gl_FragCoord.xy / 40.0;"
                "vec2 lod = textureQueryLod(low, p * p * vec2(1.7, 0.4) - p.yx * 0.3);"
                "result = vec4(lod.x * 0.2, lod.y * 0.1 + 0.5, 0.5, 1.0); }");
    draw(GL_TRIANGLE_STRIP, band, 4);
  }
}

/* Fragments that fail the test of the stencil and mark it; a later draw covers what they have not marked, but for
 * fragments that become helpers, and a third one writes what the stencil is. */
static void draw_marked(void) {
  static const float square[] = {-0.9f, -0.9f, 0, 0, 0.9f, -0.8f, 0, 0, -0.8f, 0.9f, 0, 0, 0.9f, 0.9f, 0, 0};
  GLuint targets[2], frame;
  glGenRenderbuffers(2, targets);
  glGenFramebuffers(1, &frame);
  glBindFramebuffer(GL_FRAMEBUFFER, frame);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[0]);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, targets[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[1]);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, targets[1]);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  glEnable(GL_STENCIL_TEST);
  glStencilFunc(GL_NEVER, 1, 255);
  glStencilOp(GL_REPLACE, GL_KEEP, GL_KEEP);
  draw_band(1, 3, "result = vec4(1.0);");
  glStencilFunc(GL_EQUAL, 0, 255);
  use_program(vertex, "#version 310 es\n#extension GL_EXT_demote_to_helper_invocation : require\nprecision highp float;"
                      "out vec4 result; void main() { vec2 at = gl_FragCoord.xy; vec2 wave = sin(at * 0.3);"
                      "if (wave.x * wave.y > 0.4) demote;"
                      "result = vec4(abs(dFdx(at.x * wave.y)) * 0.1, fwidth(wave.x) * 2.0, at.x / 96.0, 1.0); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
  glStencilFunc(GL_EQUAL, 1, 255);
  draw_band(1, 3, "result = vec4(v.xy, 0.5, 1.0);");
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
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

#define VERSION "#version 320 es\nprecision highp float;"

static void use_geometry(const char *text) {
  const struct stage_text stages[MOST_STAGES] = {
      {GL_VERTEX_SHADER, VERSION "in vec4 place; out vec4 tint; void main() {"
                                 "gl_Position = vec4(place.xy, 0, 1); tint = vec4(place.zw, 0.5, 1); }"},
      {GL_GEOMETRY_SHADER, text},
      {GL_FRAGMENT_SHADER, VERSION "in vec4 color; flat in int number; out vec4 result;"
                                   "void main() { result = color * (0.6 + 0.1 * float(number % 5)); }"}};
  use_stages(stages);
}

#define OUTPUTS "in vec4 tint[]; out vec4 color; flat out int number;"

/* Geometry shaders: of points, strips (whose corners are not alike), lines and triangles with neighbours, with several
 * invocations, with nothing for some primitives, and strips that end; and the number of a primitive without one. */
static void draw_emitted(void) {
  static const float way[] = {-0.95f, -0.9f, 0.1f,  0.9f,  -0.8f, -0.5f, 0.4f,  0.2f,  -0.6f, -0.95f,
                              0.8f,   0.6f,  -0.4f, -0.4f, 0.2f,  0.3f,  -0.1f, -0.9f, 0.9f,  0.8f,
                              0.1f,   -0.5f, 0.5f,  0.5f,  0.4f,  -0.9f, 0.3f,  0.1f,  0.6f,  -0.4f,
                              0.7f,   0.9f,  0.7f,  -0.8f, 0.6f,  0.4f,  0.95f, -0.5f, 0.2f,  0.7f};
  use_geometry(VERSION "layout(points) in; layout(triangle_strip, max_vertices = 7) out;" OUTPUTS
                       "void main() { if (gl_PrimitiveIDIn == 3) return; for (int i = 0; i < 7; i++) {"
                       "gl_Position = gl_in[0].gl_Position + vec4(float(i % 2) * 0.07, float(i) * 0.03 + 0.5, 0, 0);"
                       "color = tint[0].zxyw + 0.05 * float(i); number = gl_PrimitiveIDIn + i; EmitVertex();"
                       "if (i == 3) EndPrimitive(); } }");
  draw(GL_POINTS, way, 10);
  use_geometry(VERSION "layout(triangles, invocations = 2) in; layout(line_strip, max_vertices = 4) out;" OUTPUTS
                       "void main() { for (int i = 0; i < 4; i++) { gl_Position = gl_in[i % 3].gl_Position *"
                       "vec4(0.97, 1.0 - 0.2 * float(gl_InvocationID), 1, 1) + vec4(0.0113, 0.0071, 0, 0);"
                       "color = tint[0] * float(i) * 0.3;"
                       "number = gl_PrimitiveIDIn * 2 + i; EmitVertex(); } }");
  draw(GL_TRIANGLE_STRIP, way, 7);
  draw(GL_TRIANGLE_FAN, way + 16, 6);
  use_geometry(VERSION "layout(lines_adjacency) in; layout(triangle_strip, max_vertices = 3) out;" OUTPUTS
                       "void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position +"
                       "vec4(0, 1.2, 0, 0) - gl_in[3].gl_Position * 0.1 * vec4(1, 1, 0, 0); color = tint[3 - i];"
                       "number = i; EmitVertex(); } }");
  draw(GL_LINE_STRIP_ADJACENCY, way, 7);
  use_geometry(VERSION "layout(triangles_adjacency) in; layout(points, max_vertices = 6) out;" OUTPUTS
                       "void main() { for (int i = 0; i < 6; i++) { gl_Position = gl_in[i].gl_Position * 0.9 +"
                       "gl_in[0].gl_Position * vec4(0.1, 0.1, 0, 0.1) + vec4(0, 0.6, 0, 0);"
                       "color = tint[i]; number = i; EmitVertex(); } }");
  draw(GL_TRIANGLE_STRIP_ADJACENCY, way, 10);
  use_program(VERSION "in vec4 place; void main() { gl_Position = vec4(place.xy * vec2(1, 0.5) +"
                      "vec2(0, float(gl_InstanceID) * 0.4), 0, 1); }",
              "#version 320 es\nprecision highp float; out vec4 result; void main() {"
              "result = vec4(float(gl_PrimitiveID) * 0.1, 0.5, 0.2, 1); }");
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, way);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 3, 6, 2);
}

/* Draws patches of so many vertices. The control shader passes positions on and sets levels; the evaluation shader sets
 * `at`, a place in the unit square. Each primitive has the color of its provoking corner, darker at its back. */
static void draw_patches(int vertices, const char *levels, const char *layout, const char *at, const float *place,
                         int count) {
  static char control[1024], evaluation[1024];
  snprintf(control, sizeof control,
           VERSION "layout(vertices = 3) out; in float turn[]; patch out vec2 shift; out float share[]; void main() {"
                   "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID %% %d].gl_Position;"
                   "share[gl_InvocationID] = turn[0] + float(gl_InvocationID); barrier();"
                   "if (gl_InvocationID == 0) shift = vec2(share[1], share[2]) * 0.02;"
                   "float nothing = 0.0; %s }",
           vertices, levels);
  snprintf(evaluation, sizeof evaluation,
           VERSION
           "layout(%s) in; patch in vec2 shift; in float share[]; flat out vec3 color; void main() { vec2 at = %s;"
           "color = fract(vec3(at * 5.7, at.x * 3.1 + at.y * 7.3) + share[2] + float(gl_PrimitiveID) * 0.37);"
           "gl_Position = vec4(gl_in[0].gl_Position.xy + (at + shift) * gl_in[1].gl_Position.xy, 0, 1); }",
           layout, at);
  const struct stage_text stages[MOST_STAGES] = {
      {GL_VERTEX_SHADER, VERSION "in vec4 place; out float turn; void main() {"
                                 "gl_Position = vec4(place.xy, 0, 1); turn = place.z; }"},
      {GL_TESS_CONTROL_SHADER, control},
      {GL_TESS_EVALUATION_SHADER, evaluation},
      {GL_FRAGMENT_SHADER, VERSION "flat in vec3 color; out vec4 result; void main() {"
                                   "result = vec4(color * (gl_FrontFacing ? 1.0 : 0.5), 1); }"}};
  use_stages(stages);
  glPatchParameteri(GL_PATCH_VERTICES, vertices);
  draw(GL_PATCHES, place, count);
}

/* Patches of each domain and spacing: with levels that differ by edge, are not whole, out of bounds or no numbers. The
 * first vertex of a patch says where it lies, the second how large it is. */
static void draw_divided(void) {
  static const float places[] = {-0.95f, -0.95f, 0.1f, 0, 0.6f, 0.8f,   0.2f, 0, -0.3f, -0.95f, 0.4f, 0,
                                 0.6f,   0.8f,   0.3f, 0, 0.4f, -0.95f, 0,    0, 0.55f, 0.8f,   0,    0,
                                 -0.95f, 0.05f,  0.3f, 0, 0.6f, 0.9f,   0.2f, 0, -0.3f, 0.05f,  0.6f, 0,
                                 0.6f,   0.9f,   0.3f, 0, 0.4f, 0.05f,  0.7f, 0, 0.55f, 0.9f,   0,    0};
  static const char *const of_quads[] = {
      "gl_TessLevelOuter = float[4](3.0, 2.0, 5.0, 4.0); gl_TessLevelInner = float[2](4.0, 3.0);",
      "gl_TessLevelOuter = float[4](2.3, 4.7, 1.0, 3.0); gl_TessLevelInner = float[2](5.2, 2.1);",
      "gl_TessLevelOuter = float[4](9.1, 1.0, 6.6, 70.0); gl_TessLevelInner = float[2](3.3, nothing / nothing);"};
  static const char *const of_triangles[] = {
      "gl_TessLevelOuter = float[4](3.0, 4.0, 5.0, 0.0); gl_TessLevelInner[0] = 5.0;",
      "gl_TessLevelOuter = float[4](2.3, 4.7, 1.0, nothing / nothing); gl_TessLevelInner[0] = 1.0;",
      "gl_TessLevelOuter = float[4](6.2, 3.9, 8.4, 1.0); gl_TessLevelInner[0] = 6.6;"};
  static const char *const spacings[] = {"equal_spacing", "fractional_odd_spacing", "fractional_even_spacing"};
  char layout[64];
  for (int k = 0; k < 3; k++) {
    snprintf(layout, sizeof layout, "quads, %s, %s", spacings[k], k == 1 ? "cw" : "ccw");
    draw_patches(2, of_quads[k], layout, "gl_TessCoord.xy", places + 8 * k, 2);
    snprintf(layout, sizeof layout, "triangles, %s, %s", spacings[k], k == 1 ? "ccw" : "cw");
    draw_patches(2, of_triangles[k], layout, "gl_TessCoord.xy + gl_TessCoord.z * vec2(0.3, 0.2)", places + 24 + 8 * k,
                 2);
  }
  draw_patches(2, "gl_TessLevelOuter = float[4](4.0, 5.4, 0.0, 0.0);", "isolines, fractional_odd_spacing",
               "gl_TessCoord.xy * vec2(1, 0.9) + vec2(0, 0.0371)", places, 12);
  draw_patches(2,
               "gl_TessLevelOuter = float[4](gl_PrimitiveID == 3 ? -1.0 : 3.0, 4.0, 5.0, 6.0);"
               "gl_TessLevelInner = float[2](3.0, 2.0);",
               "quads, equal_spacing, point_mode", "gl_TessCoord.xy * 0.9 + 0.0613", places, 12);
}

/* Plain lines between arbitrary places, short and long, of one and of three pixels. */
static void draw_strokes(void) {
  static float lines[400 * 8];
  float *end = lines;
  unsigned state = 1;
  for (int k = 0; k < 400 * 2; k++) {
    double at[2];
    for (int i = 0; i < 2; i++) {
      state = state * 1664525u + 1013904223u;
      at[i] = (double)(state >> 8) / (1 << 23) - 1;
    }
    const int is_short = k % 2 && k / 2 % 3 == 0;
    end = put(end, is_short ? (double)end[-4] + at[0] * 0.1 : at[0], is_short ? (double)end[-3] + at[1] * 0.1 : at[1],
              k % 2, (k / 2) % 7 / 7.0);
  }
  use_program(
      "#version 310 es\nin vec4 place; out vec4 color;"
      "void main() { gl_Position = vec4(place.xy, 0.0, 1.0); color = vec4(place.zw, 0.5, 1.0); }",
      "#version 310 es\nprecision highp float; in vec4 color; out vec4 result; void main() { result = color; }");
  for (int k = 0; k < 5; k++) {
    glLineWidth(k == 4 ? 3 : 1);
    draw(GL_LINES, lines + k * 80 * 8, 160);
  }
}

/* Distances from planes that a shader clips or culls by, which fragments show: of triangles, and of lines. */
static void draw_distances(void) {
  static const char clips[] = "#version 450\nin vec4 place; out float gl_ClipDistance[3]; void main() {"
                              "gl_Position = vec4(place.xy * place.w, 0.0, place.w);"
                              "gl_ClipDistance[0] = place.x + 0.6; gl_ClipDistance[2] = place.z + 0.8;"
                              "gl_ClipDistance[1] = 0.7 - place.y + 0.2 * place.x; }";
  static const char shows_clips[] = "#version 450\nin float gl_ClipDistance[3]; out vec4 result; void main() {"
                                    "result = vec4(gl_ClipDistance[0] * 0.5, gl_ClipDistance[1] * 0.3,"
                                    "gl_ClipDistance[2] * 0.4, 1.0); }";
  static const char culls[] = "#version 450\nin vec4 place; out float gl_CullDistance[2]; void main() {"
                              "gl_Position = vec4(place.xy * place.w, 0.0, place.w);"
                              "gl_CullDistance[0] = place.x + 0.5; gl_CullDistance[1] = 0.4 - place.x * 0.9; }";
  static const char shows_culls[] = "#version 450\nin float gl_CullDistance[2]; out vec4 result; void main() {"
                                    "result = vec4(gl_CullDistance[0], gl_CullDistance[1], 1.0, 1.0) * 0.4 + 0.3; }";
  float net[28 * 4], *end = net;
  for (int k = 0; k < 28; k++)
    end = put(end, -0.97 + 0.069 * k, k % 2 ? 0.9 - 0.053 * (k * 7 % 11) : -0.9 + 0.057 * (k * 5 % 13), 0.1 * (k % 4),
              1 + 0.05 * (k % 6));
  use_program(clips, shows_clips);
  for (GLenum k = 0; k < 3; k++)
    glEnable(0x3000 + k /* GL_CLIP_DISTANCE0 */);
  draw(GL_TRIANGLES, net, 27);
  draw(GL_LINES, net + 4, 26);
  for (GLenum k = 0; k < 3; k++)
    glDisable(0x3000 + k);
  use_program(culls, shows_culls);
  draw(GL_TRIANGLES, net, 27);
  draw(GL_LINES, net + 4, 26);
}

/* Layers and viewports that a shader chooses: a target without layers, one that has two, and a second viewport. */
static void draw_chosen(void) {
  static const float square[] = {-0.9f, -0.9f, 0, 0, 0.9f, -0.8f, 0, 0, -0.8f, 0.9f, 0, 0, 0.9f, 0.9f, 0, 0};
  static const char *const chooses[] = {"gl_Layer = 1;", "gl_ViewportIndex = 1;"};
  GLuint texture, frame;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
  glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, WIDTH, HEIGHT, 2);
  glGenFramebuffers(1, &frame);
  for (unsigned k = 0; k < 3; k++) {
    char text[512];
    snprintf(text, sizeof text,
             "#version 450\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out; void main() {"
             "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; %s EmitVertex(); } }",
             chooses[k == 0]);
    const struct stage_text stages[MOST_STAGES] = {
        {GL_VERTEX_SHADER, "#version 450\nin vec4 place; void main() { gl_Position = vec4(place.xy, 0.0, 1.0); }"},
        {GL_GEOMETRY_SHADER, text},
        {GL_FRAGMENT_SHADER, "#version 450\nout vec4 result; void main() { result = vec4(gl_Layer, 0.5, 0.6, 1.0); }"}};
    use_stages(stages);
    if (k == 1) {
      glBindFramebuffer(GL_FRAMEBUFFER, frame);
      glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    }
    draw(GL_TRIANGLE_STRIP, square, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (k == 0)
      glClear(GL_COLOR_BUFFER_BIT);
  }
}

static const struct {
  const char *word;
  void (*draw)(void);
} scenes[] = {{"sums", draw_sums},       {"cut", draw_cut},         {"bits", draw_bits},
              {"second", draw_second},   {"clamped", draw_clamped}, {"smooth", draw_smooth},
              {"levels", draw_levels},   {"marked", draw_marked},   {"emitted", draw_emitted},
              {"divided", draw_divided}, {"strokes", draw_strokes}, {"distances", draw_distances},
              {"chosen", draw_chosen}};

void (*shapes_exact(const char *word))(void) {
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    if (strcmp(scenes[i].word, word) == 0)
      return scenes[i].draw;
  return NULL;
}
