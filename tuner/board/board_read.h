/* The functions that read board files. Private to tuner/board. Functions of type int return 0, or -1 with an error. */
#ifndef TUNER_BOARD_READ_H
#define TUNER_BOARD_READ_H

#include <jansson.h>

#include "tuner/board/board.h"
#include "tuner/board/board_choice.h"
#include "tuner/board/complaints.h"
#include "tuner/board/csv_table.h"

/* Writes a copy of the text to *out. */
int board_copy(const char *text, char **out, struct error *error);
/* Copies a member that is a string. *out does not change if the member is missing. */
int board_optional(const json_t *object, const char *key, char **out, const char *file, struct error *error);

/* Reads the "measurements" of a JSON board. */
int board_read_measurements(const json_t *list, struct board *board, struct complaints *complaints,
                            struct error *error);
/* Reads the "points" of a JSON board: the chosen records of a table. */
int board_read_points(const json_t *points, const struct board_split *split, struct board *board,
                      struct complaints *complaints, struct error *error);
/* Reads a board that is a table alone. */
int board_read_table(struct board *board, struct complaints *complaints, struct error *error);

/* Keeps the measurements that the board's choice names. */
int board_keep_chosen(struct board *board, const struct board_split *split, struct error *error);
/* Complains about names and launches that occur twice. */
int board_check_twice(const struct board *board, struct complaints *complaints, struct error *error);
void board_measurement_clear(struct board_measurement *m);
/* Writes m->workload, which describes the terms. */
int board_name_sum(struct board_measurement *m, struct error *error);

#endif
