/* A table: its cells as text, written as aligned columns or as HTML. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/canvas/time_axis.h"

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
    const grid_column *columns; /* the one after the last has no title */
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
/* The same, cut to `columns` and indented by so many spaces. */
void grid_label_cut(grid *g, int column, int indent, const char *label, int columns);

/* False without memory: nothing is written, and `out` has failed. */
bool grid_text(const grid *g, bool color, text *out);
/* At most max_rows rows, and how many more there are. False as for grid_text. */
bool grid_html(const grid *g, size_t max_rows, text *out);

/* How a table shows times: one unit, and the same number of decimals for all. */
typedef struct time_format {
    const time_unit *unit; /* of all times */
    int decimals;          /* needed by the times included so far */
    int max_decimals;      /* the most that may be shown */
} time_format;

/* For times up to `longest`. */
time_format time_format_for(int64_t longest, int max_decimals);
/* Includes a time that will be shown; ignores times below 0. */
void time_format_include(time_format *f, int64_t ns);
/* The time, or a dash where it does not apply. */
void time_format_cell(grid *g, int column, int64_t ns, bool applies, time_format f);
/* "start (ms)" */
const char *time_format_title(char *out, size_t size, const char *title, time_format f);

#endif
