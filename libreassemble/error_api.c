/* Implements errors and the version (reassemble.h). */
#include <string.h>

#include "libreassemble/private.h"

const char *reassemble_version(void) {
  return REASSEMBLE_VERSION;
}

int api_status(const struct error *reason, struct reassemble_error *error) {
  if (reason->kind == ERROR_NONE)
    return 0;
  if (!error)
    return -1;
  *error = (struct reassemble_error){
      .kind = reason->kind == ERROR_INPUT ? REASSEMBLE_BAD_INPUT : REASSEMBLE_FAILED,
      .line = reason->line,
      .column = reason->column,
  };
  _Static_assert(sizeof error->file >= sizeof reason->file && sizeof error->key >= sizeof reason->key &&
                     sizeof error->message >= sizeof reason->text,
                 "texts fit");
  memcpy(error->file, reason->file, sizeof reason->file);
  memcpy(error->key, reason->key, sizeof reason->key);
  memcpy(error->message, reason->text, sizeof reason->text);
  return -1;
}
