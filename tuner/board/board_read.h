/* The readers of board files. Private to tuner/board. */
#ifndef TUNER_BOARD_READ_H
#define TUNER_BOARD_READ_H

#include <jansson.h>

#include "tuner/board/board.h"
#include "tuner/board/board_choice.h"
#include "tuner/board/complaints.h"
#include "tuner/board/csv_table.h"

int board_no_memory(struct error *error);
/* A copy of the text to *out. */
int board_copy(const char *text, char **out, struct error *error);
/* A member that is a string, copied; where it is missing *out stays as it is. */
int board_optional(const json_t *object, const char *key, char **out, const char *file, struct error *error);

/* The "measurements" of a JSON board. */
int board_read_measurements(const json_t *list, struct board *board, struct complaints *complaints,
                            struct error *error);
/* The "points" of a JSON board: the chosen rows of a table. */
int board_read_points(const json_t *points, const struct board_split *split, struct board *board,
                      struct complaints *complaints, struct error *error);
/* A board that is a table alone. */
int board_read_table(struct board *board, struct complaints *complaints, struct error *error);

/* Keeps the measurements that the board's choice names. */
int board_keep_chosen(struct board *board, const struct board_split *split, struct error *error);
/* Complains about names and launches that are there twice. */
int board_check_twice(const struct board *board, struct complaints *complaints, struct error *error);
void board_measurement_clear(struct board_measurement *m);
/* Writes m->workload, which says what the terms are. */
int board_name_sum(struct board_measurement *m, struct error *error);

#endif
