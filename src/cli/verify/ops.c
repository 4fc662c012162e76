#include "cli/verify/ops.h"

#include <stdio.h>

#include "base/minmax.h"
#include "verify/op_times.h"

/* Milliseconds, to the microsecond. */
static void put_ms(text *t, int64_t ns)
{
    char number[40];
    int64_t us = (ns < 0 ? -ns : ns) / 1000;
    snprintf(number, sizeof number, "%s%lld.%03lld", ns < 0 && us ? "-" : "", (long long)(us / 1000),
             (long long)(us % 1000));
    text_printf(t, " %11s", number);
}

/* The width of the longest label, and at least that of the heading. */
static size_t label_width(const gcast_run *run)
{
    size_t width = 4;
    for (size_t i = 0; i < run->op_count; i++)
        width = max_size(width, text_width(run->workload->ops[run->ops[i].op].label));
    return width;
}

bool verify_op_table(text *t, const gcast_run *predicted, const gcast_run *measured, bool legend)
{
    verify_op_times_list list = {0};
    bool ok = verify_list_op_times(predicted, measured, &list);
    size_t width = label_width(predicted);
    text_printf(t, "\n%*s%24s%24s\n%-*s%12s%12s%12s%12s%12s\n", (int)width, "", "predicted (ms)", "measured (ms)",
                (int)width, "op", "start", "end", "start", "end", "off");
    for (size_t i = 0; i < list.count; i++) {
        const verify_op_times *times = &list.at[i];
        const char *label = predicted->workload->ops[times->op].label;
        text_terminal(t, label);
        for (size_t n = text_width(label); n < width; n++)
            text_char(t, ' ');
        put_ms(t, times->predicted_start_ns);
        put_ms(t, times->predicted_end_ns);
        put_ms(t, times->measured_start_ns);
        put_ms(t, times->measured_end_ns);
        put_ms(t, times->error_ns);
        text_char(t, '\n');
    }
    if (legend)
        text_str(t, "times count from the first start, of the prediction and of the run; off is the difference of the "
                    "ends\n");
    vec_free(&list);
    return ok;
}
