/* Anisotropic filters: a Gaussian over the ellipse that a pixel covers in the texture. Heckbert, "Fundamentals of
 * texture mapping and image warping", 1989, section 3.5.8; the level is that of the ellipse's shorter axis, as lavapipe
 * has it. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/shader_sample.h"

bool sample_is_anisotropic(const struct sample *s) {
  return s->texture.sampler->anisotropy > 1 && s->dimension == SpvDim2D && !s->lod && !s->gathers && !s->reference &&
         !s->texture.sampler->unnormalized;
}

/* A x^2 + B x y + C y^2 = F is the ellipse, in texels of the level; the form is scaled so that its weight is looked up
 * from 0 at the centre to 1023 at the rim. */
static const char ellipse[] =
    "      const float ux = along_x.x * size.x * scale, uy = along_y.x * size.x * scale;\n"
    "      const float vx = along_x.y * size.y * scale, vy = along_y.y * size.y * scale;\n"
    "      const float fa = vx * vx + vy * vy + 1, fb = (ux * vx + uy * vy) * -2, fc = ux * ux + uy * uy + 1;\n"
    "      const float ff = fa * fc - fb * fb / 4, fd = fa * fc * 4 - fb * fb;\n"
    "      const float box_u = 2 / fd * sqrt(fd * fc * ff), box_v = 2 / fd * sqrt(fa * fd * ff), form = 1023 / ff;\n"
    "      const float a = fa * form, b = fb * form, c = fc * form;\n"
    "      const float px = at.x * (size.x * scale) - 0.5f, py = at.y * (size.y * scale) - 0.5f;\n"
    "      const int u0 = (int)floor(px - box_u), u1 = (int)ceil(px + box_u);\n"
    "      const int v0 = (int)floor(py - box_v), v1 = (int)ceil(py + box_v);\n"
    "      const float u_base = (float)u0 - px;\n"
    "      float weights = 0;\n"
    "      float4 sum = 0;\n";

static const char rows[] = "      for (int v = v0; v <= v1; v++) {\n"
                           "        const float dv = (float)v - py;\n"
                           "        float q = (c * dv + b * u_base) * dv + a * (u_base * u_base);\n"
                           "        float dq = b * dv + (u_base * 2 + 1) * a;\n"
                           "        for (int u = u0; u <= u1; u++, q += dq, dq += a * 2) {\n"
                           "          if ((int)q > 1023) continue;\n"
                           "          const float weight = exp(-2 * ((float)max((int)q, 0) / 1023));\n";

void sample_write_anisotropic(struct translation *t, const struct sample *s, const char *name) {
  t->out->reads_texels = true;
  fputs("    {\n", t->body);
  sample_write_sizes(t, s);
  fputs("      const float scale = 1 / (float)(1 << level);\n", t->body);
  fputs(ellipse, t->body);
  fputs(rows, t->body);
  sample_write_axis(t, s, "x", "u", "w", 0, 0);
  sample_write_axis(t, s, "y", "v", "h", 1, 0);
  sample_write_at(t, s, "next_texel", "x", "y", "layer");
  fprintf(t->body,
          "          sum += next_texel * weight;\n          weights += weight;\n        }\n      }\n"
          "      %s = sum / weights;\n    }\n",
          name);
}
