#include "report/analysis/conditions/duration_line.h"

void duration_line(const gcast_answer *a, text *out)
{
    if (a->duration_percent)
        text_printf(out,
                    "open, but bound shows every deadline to be met where kernels take at most %d %% of their time%s\n",
                    a->duration_percent, a->percent_may_be_larger ? " (perhaps more)" : "");
}

void duration_json(const gcast_answer *a, text *out)
{
    if (a->duration_percent)
        text_printf(out, ",\n \"duration_percent\": %d", a->duration_percent);
}
