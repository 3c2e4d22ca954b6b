/* Further scenes of the program `shapes`: targets of several samples, compute shaders, compressed blocks, edges and
 * corners, stores, integers, and what is not drawn. */
#include "shapes.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <string.h>

static const char vertex[] = "#version 310 es\nin vec4 place; out vec4 color;"
                             "void main() { gl_Position = vec4(place.xyz, 1.0);"
                             "color = vec4(place.w, 1.0 - place.w, place.z * 0.5 + 0.5, place.w); }";
static const char fragment[] = "#version 310 es\nprecision highp float; in vec4 color; out vec4 shade;"
                               "void main() { shade = color; }";

/* Three triangles, of which two cross in depth, into four samples a pixel, which are then resolved. */
static void draw_samples(void) {
  static const float triangles[] = {-0.9f, -0.8f, -0.5f, 0.1f, 0.8f,  -0.7f, 0.5f,  0.9f, 0.1f, 0.95f, 0.1f, 0.5f,
                                    -0.7f, 0.9f,  -0.4f, 1.0f, 0.93f, 0.6f,  -0.3f, 0.2f, 0.2f, -0.9f, 0.7f, 0.6f};
  static const float over[] = {-0.5f, -0.35f, -0.9f, 0.3f, 0.6f, 0.05f, -0.9f, 0.9f, -0.2f, 0.4f, -0.9f, 0.6f};
  static const float fading[] = {-0.95f, 0.95f, -0.95f, 0.0f, 0.2f, 0.9f, -0.95f, 0.5f, -0.8f, -0.4f, -0.95f, 1.0f};
  GLuint targets[2], buffer;
  glGenRenderbuffers(2, targets);
  glGenFramebuffers(1, &buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[0]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, targets[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[1]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, targets[1]);
  need(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "glCheckFramebufferStatus");
  glClearColor(0.3f, 0.1f, 0.2f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  use_program(vertex, fragment);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_STENCIL_TEST);
  glStencilFunc(GL_ALWAYS, 1, 255);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  draw(GL_TRIANGLES, triangles, 6);
  glStencilFunc(GL_EQUAL, 1, 255);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw(GL_TRIANGLES, over, 3);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_BLEND);
  glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  draw(GL_TRIANGLES, fading, 3);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Samples that are shaded one by one: by their numbers and places, and with inputs at the sample. */
static void draw_shaded(void) {
  static const float triangles[] = {-0.9f, -0.8f, -0.5f, 0.1f, 0.8f,  -0.7f, 0.5f,  0.9f, 0.1f, 0.95f, 0.1f, 0.5f,
                                    -0.7f, 0.9f,  -0.4f, 1.0f, 0.93f, 0.6f,  -0.3f, 0.2f, 0.2f, -0.9f, 0.7f, 0.6f};
  static const float over[] = {-0.5f, -0.35f, -0.9f, 0.3f, 0.6f, 0.05f, -0.9f, 0.9f, -0.2f, 0.4f, -0.9f, 0.6f};
  static const char by_number[] =
      "#version 320 es\nprecision highp float; in vec4 color; out vec4 shade;"
      "void main() { shade = vec4(color.xy, float(gl_SampleID) * 0.25, 1.0) + vec4(gl_SamplePosition * 0.25, 0, 0); }";
  static const char at_sample[] =
      "#version 320 es\nprecision highp float; sample in vec4 color; out vec4 shade;"
      "void main() { shade = fract(color * 7.0) * 0.5 + vec4(fract(gl_FragCoord.xy), gl_FragCoord.z, 1) * 0.5; }";
  static const char least[] = "#version 320 es\nprecision highp float; in vec4 color; out vec4 shade;"
                              "void main() { shade = vec4(fract(color.xyz * 9.0), 1.0); }";
  static const char same[] = "#version 320 es\nin vec4 place; out vec4 color;"
                             "void main() { gl_Position = vec4(place.xyz, 1.0);"
                             "color = vec4(place.w, 1.0 - place.w, place.z * 0.5 + 0.5, place.w); }";
  static const char for_sample[] = "#version 320 es\nin vec4 place; sample out vec4 color;"
                                   "void main() { gl_Position = vec4(place.xyz, 1.0);"
                                   "color = vec4(place.w, 1.0 - place.w, place.z * 0.5 + 0.5, place.w); }";
  GLuint targets[2], buffer;
  glGenRenderbuffers(2, targets);
  glGenFramebuffers(1, &buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[0]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, targets[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, targets[1]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, targets[1]);
  need(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "glCheckFramebufferStatus");
  glClearColor(0.3f, 0.1f, 0.2f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  use_program(same, by_number);
  draw(GL_TRIANGLES, triangles, 3);
  use_program(for_sample, at_sample);
  draw(GL_TRIANGLES, triangles + 12, 3);
  glEnable(GL_SAMPLE_SHADING);
  glMinSampleShading(1.0f);
  use_program(same, least);
  draw(GL_TRIANGLES, over, 3);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void use_compute(const char *text) {
  const GLuint program = glCreateProgram(), shader = glCreateShader(GL_COMPUTE_SHADER);
  GLint is_good;
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &is_good);
  need(is_good, "a compute shader");
  glUseProgram(program);
}

static GLuint make_image(GLenum format) {
  GLuint image;
  glGenTextures(1, &image);
  glBindTexture(GL_TEXTURE_2D, image);
  glTexStorage2D(GL_TEXTURE_2D, 1, format, 16, 16);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return image;
}

static const float square[] = {-0.9f, -0.9f, 0, 0, 0.9f, -0.9f, 0, 1, -0.9f, 0.9f, 0, 0, 0.9f, 0.9f, 0, 1};
static const char at_place[] = "#version 310 es\nin vec4 place; out vec2 at;"
                               "void main() { gl_Position = vec4(place.xy, 0.0, 1.0); at = place.xy * 0.5 + 0.5; }";

/* A launch sums numbers of its work-groups in shared memory, counts in a buffer and writes an image; a second one,
 * whose size lies in a buffer, turns the image's rows. A triangle strip then shows image and buffer. */
static void draw_computed(void) {
  static const GLuint zeros[64], size[] = {2, 1, 1};
  const GLuint image = make_image(GL_RGBA8);
  use_compute(
      "#version 310 es\nlayout(local_size_x = 8, local_size_y = 4) in;"
      "layout(std430, binding = 0) buffer Sums { uint total; uint sums[]; };"
      "layout(rgba8, binding = 0) writeonly uniform highp image2D to; shared uint all[32];"
      "void main() { uint i = gl_LocalInvocationIndex; uvec2 p = gl_GlobalInvocationID.xy; all[i] = p.x * 3u + p.y;"
      "barrier(); for (uint half_way = 16u; half_way > 0u; half_way /= 2u) {"
      "if (i < half_way) all[i] += all[i + half_way]; barrier(); }"
      "if (i == 0u) { sums[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = all[0];"
      "atomicAdd(total, all[0]); } imageStore(to, ivec2(p), vec4(vec2(p) / 16.0, float(all[0]) / 900.0, 1.0)); }");
  fill_buffer(GL_SHADER_STORAGE_BUFFER, zeros, sizeof zeros);
  GLint sums;
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &sums);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, (GLuint)sums);
  glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  glDispatchCompute(2, 4, 1);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  use_compute("#version 310 es\nlayout(local_size_x = 8) in;"
              "layout(std430, binding = 0) buffer Sums { uint total; uint sums[]; };"
              "void main() { uint i = gl_GlobalInvocationID.x; if (i < 8u) sums[16u + i] = sums[7u - i] + total; }");
  fill_buffer(GL_DISPATCH_INDIRECT_BUFFER, size, sizeof size);
  glDispatchComputeIndirect(0);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  use_program(at_place, "#version 310 es\nprecision highp float; in vec2 at; out vec4 color; uniform sampler2D s;"
                        "layout(std430, binding = 0) readonly buffer Sums { uint total; uint sums[]; };"
                        "void main() { uint k = uint(at.x * 8.0) & 7u;"
                        "color = texture(s, at) * 0.5 + vec4(0, 0, float(sums[16u + k]) / 20000.0, 0.5); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
}

/* Fragments count in a buffer, and write an image of integers with an atomic maximum; the second draw reads them as a
 * texture of integers. */
static void draw_stores(void) {
  static const GLuint zeros[64];
  const GLuint image = make_image(GL_R32UI);
  GLint counts;
  fill_buffer(GL_SHADER_STORAGE_BUFFER, zeros, sizeof zeros);
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &counts);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, (GLuint)counts);
  glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
  use_program(at_place,
              "#version 310 es\n#extension GL_OES_shader_image_atomic : require\nprecision highp float; in vec2 at; "
              "out vec4 color;"
              "layout(std430, binding = 0) buffer Counts { uint counts[]; };"
              "layout(r32ui, binding = 0) uniform highp uimage2D to;"
              "void main() { ivec2 p = ivec2(at * 16.0); if (at.x + at.y > 1.5) discard;"
              "atomicAdd(counts[p.y & 15], 1u); imageAtomicMax(to, p, uint(at.x * 255.0) << 8u | uint(p.y * 16));"
              "color = vec4(fwidth(at) * 20.0, 0.3, 1.0); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  use_program(at_place,
              "#version 310 es\nprecision highp float; in vec2 at; out vec4 color; uniform highp usampler2D s;"
              "layout(std430, binding = 0) readonly buffer Counts { uint counts[]; };"
              "void main() { uvec4 t = texture(s, at); if (at.y > 0.8) discard;"
              "color = vec4(float(t.x >> 8u) / 255.0, float(t.x & 255u) / 255.0,"
              "float(counts[uint(at.y * 16.0) & 15u]) / 400.0, float(t.w)); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
}

/* Stores behind tests of depth and stencil that come before the shader, in whose order triangles cross: a count of the
 * fragments that have passed, in rows, and where the nearest one is; and a discard, which leaves the depth. */
static void draw_early(void) {
  static const float triangles[] = {-0.9f, -0.8f, -0.5f, 0.1f, 0.8f,  -0.7f, 0.5f,  0.9f, 0.1f, 0.95f, 0.1f, 0.5f,
                                    -0.7f, 0.9f,  -0.4f, 1.0f, 0.93f, 0.6f,  -0.3f, 0.2f, 0.2f, -0.9f, 0.7f, 0.6f};
  static const char over[] = "#version 310 es\nin vec4 place; out vec2 at;"
                             "void main() { gl_Position = vec4(place.xyz, 1.0); at = place.xy * 0.5 + 0.5; }";
  static const GLuint zeros[64];
  GLint counts;
  fill_buffer(GL_SHADER_STORAGE_BUFFER, zeros, sizeof zeros);
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &counts);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, (GLuint)counts);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  use_program(over, "#version 310 es\nprecision highp float; layout(early_fragment_tests) in; in vec2 at;"
                    "out vec4 color; layout(std430, binding = 0) buffer Counts { uint counts[]; };"
                    "void main() { uint row = uint(at.y * 16.0) & 15u; atomicAdd(counts[row], 1u);"
                    "atomicMax(counts[row + 16u], uint(at.x * 255.0)); if (at.x + at.y > 1.2) discard;"
                    "color = vec4(at, 0.7, 1.0); }");
  draw(GL_TRIANGLES, triangles, 6);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  use_program(over, "#version 310 es\nprecision highp float; in vec2 at; out vec4 color;"
                    "layout(std430, binding = 0) readonly buffer Counts { uint counts[]; };"
                    "void main() { uint row = uint(at.y * 16.0) & 15u;"
                    "color = vec4(float(counts[row]) / 400.0, float(counts[row + 16u]) / 255.0, at.x, 1.0); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
}

void use_stages(const struct stage_text stages[MOST_STAGES]) {
  const GLuint program = glCreateProgram();
  for (int i = 0; i < MOST_STAGES && stages[i].kind; i++) {
    const GLuint shader = glCreateShader(stages[i].kind);
    glShaderSource(shader, 1, &stages[i].text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
  }
  glBindAttribLocation(program, 0, "place");
  GLint is_good;
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &is_good);
  need(is_good, "a program of several stages");
  glUseProgram(program);
}

#define AS_IT_IS "#version 320 es\nin vec4 place; void main() { gl_Position = vec4(place.xy, 0.0, 1.0); }"
#define RED      "#version 320 es\nprecision highp float; out vec4 color; void main() { color = vec4(1, 0, 0, 1); }"

/* A draw with a geometry shader, one with tessellation, and one that is plain. */
static void draw_stages(void) {
  static const struct stage_text geometry[MOST_STAGES] = {
      {GL_VERTEX_SHADER, AS_IT_IS},
      {GL_GEOMETRY_SHADER, "#version 320 es\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                           "void main() { for (int i = 0; i < 3; i++) {"
                           "gl_Position = gl_in[i].gl_Position * vec4(0.5, 0.5, 1, 1); EmitVertex(); } }"},
      {GL_FRAGMENT_SHADER, RED}};
  static const struct stage_text tessellation[MOST_STAGES] = {
      {GL_VERTEX_SHADER, AS_IT_IS},
      {GL_TESS_CONTROL_SHADER, "#version 320 es\nlayout(vertices = 3) out;"
                               "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
                               "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;"
                               "gl_TessLevelInner[0] = 2.0; }"},
      {GL_TESS_EVALUATION_SHADER, "#version 320 es\nlayout(triangles) in; void main() { gl_Position ="
                                  "gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +"
                                  "gl_in[2].gl_Position * gl_TessCoord.z; }"},
      {GL_FRAGMENT_SHADER, RED}};
  use_stages(geometry);
  draw(GL_TRIANGLES, square, 3);
  use_stages(tessellation);
  glPatchParameteri(GL_PATCH_VERTICES, 3);
  draw(GL_PATCHES, square, 3);
  use_program(at_place, "#version 310 es\nprecision highp float; in vec2 at; out vec4 color;"
                        "void main() { color = vec4(at, 0.0, 1.0); }");
  draw(GL_TRIANGLE_STRIP, square, 4);
}

/* Five strips, each with a texture of another compressed format, from arbitrary blocks. */
static void draw_blocks(void) {
  static const struct {
    GLenum format;
    int block_bytes;
  } formats[] = {{0x83F1 /* GL_COMPRESSED_RGBA_S3TC_DXT1_EXT */, 8},
                 {0x83F3 /* GL_COMPRESSED_RGBA_S3TC_DXT5_EXT */, 16},
                 {0x8DBD /* GL_COMPRESSED_RED_GREEN_RGTC2_EXT */, 16},
                 {0x8E8C /* GL_COMPRESSED_RGBA_BPTC_UNORM_EXT */, 16},
                 {GL_COMPRESSED_RGB8_ETC2, 8}};
  unsigned char blocks[16 * 16];
  unsigned state = 1;
  use_program(at_place, "#version 310 es\nprecision highp float; in vec2 at; out vec4 color; uniform sampler2D s;"
                        "void main() { color = vec4(texture(s, at).rgb, 1.0); }");
  for (int k = 0; k < 5; k++) {
    const float low = -0.95f + 0.38f * (float)k, high = low + 0.36f;
    const float strip[] = {-0.9f, low, 0, 0, 0.9f, low, 0, 1, -0.9f, high, 0, 0, 0.9f, high, 0, 1};
    GLuint texture;
    for (size_t i = 0; i < sizeof blocks; i++)
      blocks[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, formats[k].format, 16, 16, 0, 16 * formats[k].block_bytes, blocks);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, k % 2 ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, k % 2 ? GL_NEAREST : GL_LINEAR);
    draw(GL_TRIANGLE_STRIP, strip, 4);
  }
}

/* The edges of a strip, seen in perspective, and the corners of a triangle; OpenGL ES has neither. */
static void draw_edges(void) {
  static const float strip[] = {-0.93f, -0.81f, 0.1f, 1.0f, -0.85f, 0.77f, 0.3f, 1.0f, -0.31f, -0.73f, 0.9f, 1.0f,
                                -0.17f, 0.89f,  0.4f, 0.7f, 0.43f,  -0.9f, 0.8f, 0.6f, 0.87f,  0.64f,  0.2f, 0.9f};
  void (*const polygon_mode)(GLenum, GLenum) = (void (*)(GLenum, GLenum))eglGetProcAddress("glPolygonMode");
  need(polygon_mode != NULL, "glPolygonMode");
  use_program("attribute vec4 place; varying vec4 color;"
              "void main() { gl_Position = vec4(place.xy * place.w, place.z * place.w, place.w);"
              "color = vec4(place.z, place.w, 0.5, 1.0); }",
              "varying vec4 color; void main() { gl_FragColor = color; }");
  polygon_mode(GL_FRONT_AND_BACK, 0x1B01 /* GL_LINE */);
  draw(GL_TRIANGLE_STRIP, strip, 6);
  polygon_mode(GL_FRONT_AND_BACK, 0x1B00 /* GL_POINT */);
  draw(GL_TRIANGLES, strip + 12, 3);
}

/* Bands whose fragment shaders compute with mediump: arithmetic, functions, conditions, loops, a uniform. */
static void draw_mediump(void) {
  static const char *const results[] = {
      "vec4(dot(v, v) * 0.2, dot(v.xyz, color.zyx) * 0.3, length(v.yzw) * 0.2, 1.0)",
      "vec4(normalize(v.xyz) * 0.5 + 0.5, distance(v.xy, v.zw) * 0.3)",
      "vec4(reflect(normalize(v.xyz), v.zyx) * 0.3 + 0.5, cross(v.xyz, color.yzx).x * 0.5 + 0.5)",
      "vec4(color.x / (v.w + 1.0), exp2(color.x) * 0.5, log2(color.y + 1.1), sqrt(color.z))",
      "vec4(fract(v.x * 5.1), floor(v.y * 3.0) * 0.25, mod(abs(v.z), 0.37), mix(v.x, v.w, color.z))",
      "vec4(sin(v.x) * 0.5 + 0.5, cos(v.y) * 0.5 + 0.5, atan(v.x, v.w) * 0.3, exp(v.x - 1.0))",
      "vec4(v.x > v.w ? v.y : v.z, step(0.3, v.x), smoothstep(0.1, 0.8, v.w), min(v.x, max(v.y, 0.4)))",
      "vec4(float(int(v.x * 7.0)) * 0.1, sum, clamp(v.y, 0.2, 0.6), sign(v.z) * 0.5 + 0.5)"};
  for (unsigned k = 0; k < sizeof results / sizeof results[0]; k++) {
    const float low = -1 + 0.25f * (float)k, high = low + 0.25f;
    const float band[] = {-1, low, -1, 0.1f, 1, low, 1, 0.9f, -1, high, -0.7f, 0.3f, 1, high, 0.6f, 1};
    char text[1024];
    snprintf(text, sizeof text,
             "#version 310 es\nprecision mediump float; in vec4 color; out vec4 shade; uniform vec4 tint; void main() {"
             "vec4 v = color * 1.37 + tint * vec4(0.13, -0.7, -0.31, 0.21); float sum = 0.0;"
             "for (int i = 0; i < 4; i++) sum += v.w * 0.1 * float(i); shade = %s; }",
             results[k]);
    use_program(vertex, text);
    GLint program;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform4f(glGetUniformLocation((GLuint)program, "tint"), 1, 0.9f, 0.8f, 0.7f);
    draw(GL_TRIANGLE_STRIP, band, 4);
  }
}

int shapes_is_desktop(const char *word) {
  return strcmp(word, "edges") == 0 || strcmp(word, "smooth") == 0 || strcmp(word, "levels") == 0 ||
         strcmp(word, "distances") == 0 || strcmp(word, "chosen") == 0;
}

static const struct {
  const char *word;
  void (*draw)(void);
} scenes[] = {{"samples", draw_samples}, {"shaded", draw_shaded}, {"computed", draw_computed},
              {"stores", draw_stores},   {"early", draw_early},   {"stages", draw_stages},
              {"blocks", draw_blocks},   {"edges", draw_edges},   {"mediump", draw_mediump}};

void (*shapes_more(const char *word))(void) {
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    if (strcmp(scenes[i].word, word) == 0)
      return scenes[i].draw;
  return shapes_exact(word);
}
