/* The left axis of a picture: steps of 1, 2 or 5 times a power of ten from 0 on, or powers of two. */
#ifndef REPORT_CANVAS_VALUE_AXIS_H
#define REPORT_CANVAS_VALUE_AXIS_H

#include "report/canvas/canvas.h"

typedef struct value_axis {
    int32_t top, bottom; /* y of its ends */
    double max;          /* the value at the top, which is a step or more */
    double step;         /* between lines of a linear axis */
    double min;          /* of a logarithmic axis: the power of two at the bottom; 0: it is linear from 0 on */
} value_axis;

/* An axis for values up to `highest`, with at most max_lines steps. Steps are not below min_step. */
value_axis value_axis_for(double highest, double min_step, int max_lines, int32_t top, int32_t bottom);
/* A logarithmic axis from the power of two at or below `lowest` to that at or above `highest`; both are above 0. */
value_axis value_axis_logarithmic(double lowest, double highest, int32_t top, int32_t bottom);
/* The y of a value; values beyond an end of the axis are at that end. */
int32_t value_axis_y(const value_axis *a, double value);
/* Lines from left to right with their values beside them. */
void value_axis_draw(canvas *c, const value_axis *a, int32_t left, int32_t right);

#endif
