/* Products of vectors and matrices. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

/* Writes a column of a matrix, which has no halves of its own. */
static void write_column(struct translation *t, uint32_t matrix, uint32_t k) {
  const uint32_t column = translation_part(t, spirv_id(&t->module, matrix)->type, 0);
  if (!t->in_halves) {
    fprintf(t->body, "v%u.e[%u]", matrix, k);
    return;
  }
  fputs("convert_", t->body);
  translation_type(t, column);
  fprintf(t->body, "(v%u.e[%u])", matrix, k);
}

/* Writes the sum of products of a vector and another one, or a column of a matrix. It begins with the first component,
 * as Mesa has it; OpenCL's `dot` may add in another order. The compiler computes the products once, as one vector. */
static void write_sum(struct translation *t, uint32_t vector, uint32_t other, bool is_matrix, uint32_t column) {
  const uint32_t components = translation_components(t, spirv_id(&t->module, vector)->type);
  for (uint32_t k = 0; k < components && translation_goes_on(t); k++) {
    fputs(k ? " + (" : "(", t->body);
    translation_operand(t, vector);
    fputs(" * ", t->body);
    if (is_matrix)
      write_column(t, other, column);
    else
      translation_operand(t, other);
    fprintf(t->body, ").s%x", k);
  }
  fputs(";\n", t->body);
}

static void write_dot(struct translation *t, const uint32_t *i) {
  translation_result(t, i[2]);
  fputs(" = ", t->body);
  write_sum(t, i[3], i[4], false, 0);
}

static void write_matrix_product(struct translation *t, const uint32_t *i) {
  const uint32_t matrix = spirv_operand(spirv_id(&t->module, i[3]), 0);
  const uint32_t columns = translation_parts(t, matrix);
  switch (spirv_opcode(i)) {
  case SpvOpMatrixTimesVector:
    translation_result(t, i[2]);
    fputs(" = ", t->body);
    for (uint32_t k = 0; k < columns && translation_goes_on(t); k++) {
      fputs(k ? " + " : "", t->body);
      write_column(t, i[3], k);
      fputs(" * ", t->body);
      translation_operand(t, i[4]);
      fprintf(t->body, ".s%x", k);
    }
    fputs(";\n", t->body);
    break;
  case SpvOpVectorTimesMatrix:
    for (uint32_t k = 0; k < translation_components(t, i[1]) && translation_goes_on(t); k++) {
      translation_result(t, i[2]);
      fprintf(t->body, ".s%x = ", k);
      write_sum(t, i[3], i[4], true, k);
    }
    break;
  case SpvOpMatrixTimesScalar:
    for (uint32_t k = 0; k < columns && translation_goes_on(t); k++)
      fprintf(t->body, "  v%u.e[%u] = v%u.e[%u] * v%u;\n", i[2], k, i[3], k, i[4]);
    break;
  default:
    for (uint32_t c = 0; c < translation_parts(t, i[1]) && translation_goes_on(t); c++) {
      fprintf(t->body, "  v%u.e[%u] = ", i[2], c);
      for (uint32_t k = 0; k < columns && translation_goes_on(t); k++)
        fprintf(t->body, "%sv%u.e[%u] * v%u.e[%u].s%x", k ? " + " : "", i[3], k, i[4], c, k);
      fputs(";\n", t->body);
    }
  }
}

bool translation_product(struct translation *t, const uint32_t *i) {
  switch (spirv_opcode(i)) {
  case SpvOpDot:
    write_dot(t, i);
    return true;
  case SpvOpMatrixTimesVector:
  case SpvOpVectorTimesMatrix:
  case SpvOpMatrixTimesScalar:
  case SpvOpMatrixTimesMatrix:
    write_matrix_product(t, i);
    return true;
  default:
    return false;
  }
}
