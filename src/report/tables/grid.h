/* A table in the making: cells as text, then lined up (or as HTML). */
#ifndef REPORT_TABLES_GRID_H
#define REPORT_TABLES_GRID_H

#include "base/arena.h"
#include "base/text/text.h"
#include "base/vec.h"

#define GRID_COLUMNS 12

typedef enum { GRID_PLAIN, GRID_DIM, GRID_ALARM } grid_look;

typedef struct grid_column {
    const char *title;
    bool right; /* numbers */
} grid_column;

typedef struct grid_row {
    const char *cell[GRID_COLUMNS]; /* NULL: empty */
    grid_look look;
} grid_row;

typedef struct grid {
    const grid_column *columns; /* up to one without a title */
    int count;
    VEC(grid_row) rows;
    arena memory;
    bool failed;
} grid;

void grid_open(grid *g, const grid_column *columns);
void grid_close(grid *g);
/* A new row; the row added last is the one cells go to. */
void grid_add(grid *g, grid_look look);
void grid_cell(grid *g, int column, const char *words);
void grid_print(grid *g, int column, const char *format, ...) GCAST_PRINTF(3, 4);
/* Text of unknown origin, cut to 40 columns and escaped for terminals. */
void grid_label(grid *g, int column, const char *label);

/* Without memory false, nothing is put, and `out` has failed: nobody need look. */
bool grid_text(const grid *g, bool color, text *out);
/* At most `most` rows, and how many more there are. */
bool grid_html(const grid *g, size_t most, text *out);

#endif
