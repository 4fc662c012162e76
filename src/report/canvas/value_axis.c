#include "report/canvas/value_axis.h"

#include <math.h>

#include "base/number.h"
#include "report/canvas/palette.h"

#define GRID 0xe4e4e4u

value_axis value_axis_for(double highest, double min_step, int max_lines, int32_t top, int32_t bottom)
{
    static const double factors[] = {2, 2.5, 2}; /* from 1 to 2, 5 and 10 */
    value_axis a = {.top = top, .bottom = bottom, .step = min_step};
    for (int i = 0; highest > a.step * max_lines; i++)
        a.step *= factors[i % 3];
    a.max = a.step * ceil(highest / a.step);
    if (a.max < a.step)
        a.max = a.step;
    return a;
}

value_axis value_axis_logarithmic(double lowest, double highest, int32_t top, int32_t bottom)
{
    value_axis a = {.top = top, .bottom = bottom, .min = exp2(floor(log2(lowest)))};
    a.max = exp2(ceil(log2(highest)));
    if (a.max <= a.min)
        a.max = 2 * a.min;
    return a;
}

int32_t value_axis_y(const value_axis *a, double value)
{
    double part = value / a->max;
    if (a->min > 0)
        part = value > 0 ? log2(value / a->min) / log2(a->max / a->min) : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return a->bottom - (int32_t)(part * (a->bottom - a->top) + 0.5);
}

static void draw_line(canvas *c, const value_axis *a, double value, int32_t left, int32_t right)
{
    char label[32];
    bool is_fraction = a->min > 0 && value < 1;
    int32_t y = value_axis_y(a, value);
    canvas_line(c, left, y, right, y, GRID, PX(1), false);
    if (number_print(label, sizeof label, "%s%.6g", is_fraction ? "1/" : "", is_fraction ? 1 / value : value) < 0)
        canvas_no_memory(c);
    else
        canvas_text(c, left - PX(6), y + PX(4), label, PX(11), CANVAS_RIGHT, INK);
}

void value_axis_draw(canvas *c, const value_axis *a, int32_t left, int32_t right)
{
    bool is_linear = a->min <= 0;
    int lines = (int)lround(is_linear ? a->max / a->step : log2(a->max / a->min));
    for (int i = 0; i <= lines; i++)
        draw_line(c, a, is_linear ? a->step * i : ldexp(a->min, i), left, right);
    canvas_line(c, left, a->top, left, a->bottom, INK, PX(1), false);
}
