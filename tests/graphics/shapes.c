/* Draws one picture of 96x64 pixels with OpenGL ES 3, without a window. WORD is a row of the table below: lines,
 * points, indirect draws, or a triangle whose fragment shader reads a texture of some kind.
 * Usage: shapes WORD */
#include <EGL/egl.h>
#include <GLES3/gl31.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

enum { SIDE = 16, DEPTH = 8, LINES = 24, POINTS = 60 };

void need(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "shapes: %s failed\n", what);
    exit(3);
  }
}

static GLuint shader(GLenum kind, const char *text) {
  const GLuint made = glCreateShader(kind);
  GLint is_good;
  glShaderSource(made, 1, &text, NULL);
  glCompileShader(made);
  glGetShaderiv(made, GL_COMPILE_STATUS, &is_good);
  need(is_good, text);
  return made;
}

void use_program(const char *vertex, const char *fragment) {
  const GLuint program = glCreateProgram();
  glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
  glBindAttribLocation(program, 0, "place");
  GLint is_good;
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &is_good);
  need(is_good, "glLinkProgram");
  glUseProgram(program);
}

void draw(GLenum primitives, const float *vertices, int count) {
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, vertices);
  glEnableVertexAttribArray(0);
  glDrawArrays(primitives, 0, count);
}

float *put(float *to, double x, double y, double a, double b) {
  to[0] = (float)x;
  to[1] = (float)y;
  to[2] = (float)a;
  to[3] = (float)b;
  return to + 4;
}

static void draw_lines(void) {
  static const float loop[] = {-0.9f, -0.9f, 1, 1, -0.5f, -0.85f, 1, 0, -0.8f, -0.5f, 0, 1, -0.95f, -0.2f, 1, 1};
  static const float strip[] = {0.5f, -0.9f, 1, 1, 0.9f, -0.6f, 0, 1, 0.6f, -0.3f, 1, 0, 0.95f, 0.9f, 0, 0};
  float star[LINES * 8], *end = star;
  for (int i = 0; i < LINES; i++) {
    const double angle = i * 6.2831853 / LINES, share = (double)i / LINES;
    end = put(end, 0.1 * cos(angle), 0.1 * sin(angle), 0, share);
    end = put(end, (0.95 + i % 5 * 0.05) * cos(angle + 0.03), 0.95 * sin(angle + 0.03), 1, 1 - share);
  }
  use_program("attribute vec4 place; varying vec4 color;"
              "void main() { gl_Position = vec4(place.xy, 0.0, 1.0); color = vec4(place.zw, 0.5, 1.0); }",
              "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }");
  draw(GL_LINES, star, LINES * 2);
  draw(GL_LINE_LOOP, loop, 4);
  glLineWidth(3);
  draw(GL_LINE_STRIP, strip, 4);
}

static void draw_points(void) {
  float points[POINTS * 4], *end = points;
  for (int i = 0; i < POINTS; i++)
    end = put(end, -1 + 2 * (i * 37 % 61) / 61.0 + 0.003 * i, -1 + 2 * (i * 23 % 59) / 59.0, (double)i / POINTS,
              1 + i % 9 * 1.37);
  use_program("attribute vec4 place; varying vec4 color; void main() { gl_Position = vec4(place.xy, 0.0, 1.0);"
              "gl_PointSize = place.w; color = vec4(place.z, place.w / 16.0, 0.5, 1.0); }",
              "precision mediump float; varying vec4 color;"
              "void main() { gl_FragColor = color * vec4(gl_PointCoord, 1.0, 1.0); }");
  draw(GL_POINTS, points, POINTS);
}

static const unsigned char *texels(void) {
  static unsigned char bytes[SIDE * SIDE * DEPTH * 4];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(127 + 120 * sin((double)i * 0.013 * (double)(1 + i % 4)));
  return bytes;
}

static void make_flat(void) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels());
  glGenerateMipmap(GL_TEXTURE_2D);
}

static void make_cube(void) {
  for (unsigned face = 0; face < 6; face++)
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels() + (size_t)face * SIDE * SIDE * 4);
}

static void make_volume(void) {
  glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA, SIDE, SIDE, DEPTH, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels());
}

static void make_array(void) {
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, SIDE, SIDE, DEPTH, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels());
  glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static void make_depths(void) {
  unsigned depths[SIDE * SIDE];
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    depths[i] = i * 16000000u + i % 7 * 100000000u;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SIDE, SIDE, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depths);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

#define HEAD "#version 300 es\nprecision highp float; in vec4 at; out vec4 color; uniform highp "

static const struct row {
  const char *word;
  GLenum target, minify;
  void (*make)(void);
  const char *fragment;
} rows[] = {
    {"flat", GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, make_flat,
     HEAD "sampler2D s; void main() { color = texture(s, at.xy * 4.0); }"},
    {"cube", GL_TEXTURE_CUBE_MAP, GL_LINEAR, make_cube,
     HEAD "samplerCube s; void main() { vec3 d = vec3(at.xy * 2.0, 0.3);"
          "color = texture(s, vec3(d.x, sin(d.y * 3.0), cos(d.x * 3.0))); }"},
    {"volume", GL_TEXTURE_3D, GL_LINEAR, make_volume,
     HEAD "sampler3D s; void main() { color = texture(s, vec3(at.xy * 1.5, at.x * at.y)); }"},
    {"array", GL_TEXTURE_2D_ARRAY, GL_LINEAR_MIPMAP_NEAREST, make_array,
     HEAD "sampler2DArray s; void main() { color = texture(s, vec3(at.xy * 1.5, floor(4.0 + 4.0 * at.x))); }"},
    {"compare", GL_TEXTURE_2D, GL_LINEAR, make_depths,
     HEAD "sampler2DShadow s; void main() {"
          "color = vec4(texture(s, vec3(at.xy * 0.5 + 0.5, 0.5 + 0.3 * at.x)), at.xy, 1.0); }"},
    {"fetch", GL_TEXTURE_2D, GL_LINEAR_MIPMAP_NEAREST, make_flat,
     HEAD "sampler2D s; void main() { ivec2 size = textureSize(s, 1);"
          "color = texelFetch(s, ivec2(at.xy * 4.0 + 4.0), 1) + textureLod(s, at.xy, 1.5) * 0.3 +"
          "textureGrad(s, at.xy, vec2(0.1, 0.0), vec2(0.0, 0.2)) * 0.2 + vec4(size, 0, 0) * 0.01 +"
          "textureOffset(s, at.xy, ivec2(1, 2)) * 0.1; }"},
};

static void draw_textured(const struct row *r) {
  static const float corners[] = {-0.9f, -0.8f, 0, 0, 0.9f, -0.95f, 0, 0, 0.1f, 0.97f, 0, 0};
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(r->target, texture);
  r->make();
  glTexParameteri(r->target, GL_TEXTURE_MIN_FILTER, (GLint)r->minify);
  glTexParameteri(r->target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  use_program("#version 300 es\nin vec4 place; out vec4 at;"
              "void main() { gl_Position = vec4(place.xy, 0.0, 1.0); at = place; }",
              r->fragment);
  draw(GL_TRIANGLES, corners, 3);
}

void fill_buffer(GLenum target, const void *bytes, size_t size) {
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
}

/* Two strips with a restart between them, three instances of which two share a color, and a base vertex: what is drawn
 * stands in a buffer. */
static void draw_indirect(void) {
  static const float places[] = {9,     9,     0, 0, 9,     9,     0, 0, -0.9f, -0.9f, 0, 0,
                                 -0.9f, -0.3f, 0, 0, -0.6f, -0.9f, 0, 0, -0.6f, -0.3f, 0, 0,
                                 -0.5f, -0.7f, 0, 0, -0.5f, 0.1f,  0, 0, -0.4f, -0.5f, 0, 0};
  static const float colors[] = {1, 0.5f, 0, 1, 0, 0.7f, 1, 1};
  static const GLushort indices[] = {7, 0, 1, 2, 3, 0xffff, 4, 5, 6};
  static const GLuint command[] = {8, 3, 1, 2, 0}; /* indices, instances, first index, base vertex */
  GLuint array;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  use_program(
      "#version 300 es\nin vec4 place; layout(location = 1) in vec4 tint; flat out vec4 shade;"
      "void main() { gl_Position = vec4(place.xy + float(gl_InstanceID) * 0.5, 0.0, 1.0); shade = tint; }",
      "#version 300 es\nprecision highp float; flat in vec4 shade; out vec4 color; void main() { color = shade; }");
  fill_buffer(GL_ARRAY_BUFFER, places, sizeof places);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
  glEnableVertexAttribArray(0);
  fill_buffer(GL_ARRAY_BUFFER, colors, sizeof colors);
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, NULL);
  glEnableVertexAttribArray(1);
  glVertexAttribDivisor(1, 2);
  fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices);
  fill_buffer(GL_DRAW_INDIRECT_BUFFER, command, sizeof command);
  glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  glDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, NULL);
}

static void begin(EGLDisplay display, EGLSurface *surface, int desktop) {
  static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                  EGL_PBUFFER_BIT,
                                  EGL_RED_SIZE,
                                  8,
                                  EGL_GREEN_SIZE,
                                  8,
                                  EGL_BLUE_SIZE,
                                  8,
                                  EGL_ALPHA_SIZE,
                                  8,
                                  EGL_DEPTH_SIZE,
                                  24,
                                  EGL_SAMPLES,
                                  0,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_ES2_BIT,
                                  EGL_NONE};
  static const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
  static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
  EGLConfig config;
  EGLint count;
  need(eglInitialize(display, NULL, NULL), "eglInitialize");
  need(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1, "eglChooseConfig");
  *surface = eglCreatePbufferSurface(display, config, size);
  need((int)eglBindAPI(desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API), "eglBindAPI");
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, desktop ? NULL : version);
  need((int)eglMakeCurrent(display, *surface, *surface, context), "eglMakeCurrent");
}

int main(int count, char **words) {
  const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  const char *word = count > 1 ? words[1] : "";
  const struct row *found = NULL;
  void (*more)(void) = shapes_more(word);
  unsigned char pixels[WIDTH * HEIGHT * 4];
  EGLSurface surface;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    found = strcmp(rows[i].word, word) == 0 ? &rows[i] : found;
  if (!found && !more && !strstr("lines points indirect", word))
    return 2;
  begin(display, &surface, shapes_is_desktop(word));
  glViewport(0, 0, WIDTH, HEIGHT);
  glClearColor(0.1f, 0.2f, 0.3f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (more)
    more();
  else if (found)
    draw_textured(found);
  else if (word[0] == 'l')
    draw_lines();
  else if (word[0] == 'i')
    draw_indirect();
  else
    draw_points();
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  eglSwapBuffers(display, surface);
  return glGetError() != GL_NO_ERROR;
}
