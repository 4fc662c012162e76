/* A table: its cells as text, written as aligned columns or as HTML. */
#ifndef REPORT_TABLES_GRID_H
#define REPORT_TABLES_GRID_H

#include "base/arena.h"
#include "base/text/text.h"
#include "base/vec.h"

#define GRID_COLUMNS 12 /* the maximum */

typedef enum { GRID_PLAIN, GRID_DIM, GRID_ALARM } grid_style;

typedef struct grid_column {
    const char *title; /* NULL ends a list of columns */
    bool right;        /* aligned to the right, as numbers are */
} grid_column;

typedef struct grid_row {
    const char *cell[GRID_COLUMNS]; /* NULL: empty */
    grid_style style;               /* how its text is coloured */
} grid_row;

typedef struct grid {
    const grid_column *columns; /* up to one without a title */
    int count;                  /* of columns */
    VEC(grid_row) rows;         /* from top to bottom */
    arena memory;               /* holds the text of cells */
    bool failed;                /* there was no memory for a row or a cell */
} grid;

void grid_open(grid *g, const grid_column *columns);
void grid_close(grid *g);
/* Adds a row. Cells are set in the row that was added last. */
void grid_add(grid *g, grid_style style);
void grid_cell(grid *g, int column, const char *words);
void grid_print(grid *g, int column, const char *format, ...) GCAST_PRINTF(3, 4);
/* Text of unknown origin, cut to 40 columns and escaped for terminals. */
void grid_label(grid *g, int column, const char *label);

/* Without memory it is false, nothing is written, and `out` has failed. */
bool grid_text(const grid *g, bool color, text *out);
/* At most max_rows rows, and how many more there are. */
bool grid_html(const grid *g, size_t max_rows, text *out);

#endif
