/* Assigns rows one by one, each along the cheapest augmenting path; potentials of rows and columns keep reduced costs
 * non-negative (Jonker and Volgenant 1987). Index 0 stands for none. */
#include "analyze/mapping/mapping_assign.h"

#include <stdlib.h>

typedef struct assignment {
    const int64_t *gain;
    size_t count;
    int64_t *row, *column; /* potentials */
    int64_t *least;        /* by column: cost of the cheapest path to it */
    size_t *taken_by;      /* by column: its row */
    size_t *from;          /* by column: the previous column of that path */
    bool *reached;         /* by column */
} assignment;

/* Reduced cost. */
static int64_t cost(const assignment *a, size_t row, size_t column)
{
    return -a->gain[(row - 1) * a->count + column - 1] - a->row[row] - a->column[column];
}

/* Extends the search to the nearest unreached column, and returns it. */
static size_t reach(assignment *a, size_t last)
{
    size_t row = a->taken_by[last], next = 0;
    int64_t step = INT64_MAX;
    a->reached[last] = true;
    for (size_t c = 1; c <= a->count; c++) {
        if (a->reached[c])
            continue;
        if (cost(a, row, c) < a->least[c]) {
            a->least[c] = cost(a, row, c);
            a->from[c] = last;
        }
        if (a->least[c] < step) {
            step = a->least[c];
            next = c;
        }
    }
    for (size_t c = 0; c <= a->count; c++) {
        if (a->reached[c]) {
            a->row[a->taken_by[c]] += step;
            a->column[c] -= step;
        } else {
            a->least[c] -= step;
        }
    }
    return next;
}

static void assign_row(assignment *a, size_t row)
{
    size_t column = 0;
    for (size_t c = 0; c <= a->count; c++) {
        a->least[c] = INT64_MAX / 2;
        a->reached[c] = false;
    }
    a->taken_by[0] = row;
    do
        column = reach(a, column);
    while (a->taken_by[column] != 0);
    for (; column != 0; column = a->from[column])
        a->taken_by[column] = a->taken_by[a->from[column]];
}

bool map_assign(const int64_t *gain, size_t count, int *chosen)
{
    int64_t *numbers = calloc(3 * (count + 1), sizeof *numbers);
    size_t *columns = calloc(2 * (count + 1), sizeof *columns);
    bool *reached = calloc(count + 1, sizeof *reached);
    bool ok = numbers && columns && reached;
    if (ok) {
        assignment a = {
            gain,   count, numbers, numbers + count + 1, numbers + 2 * (count + 1), columns, columns + count + 1,
            reached};
        for (size_t row = 1; row <= count; row++)
            assign_row(&a, row);
        for (size_t c = 1; c <= count; c++)
            chosen[a.taken_by[c] - 1] = (int)c - 1;
    }
    free(numbers);
    free(columns);
    free(reached);
    return ok;
}
