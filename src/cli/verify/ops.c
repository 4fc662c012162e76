#include "cli/verify/ops.h"

static bool ran(const gcast_run *run, size_t i)
{
    return !run->ops[i].skipped && gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind);
}

static int64_t first_start(const gcast_run *run)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (ran(run, i) && run->ops[i].start_ns < first)
            first = run->ops[i].start_ns;
    return first;
}

/* Milliseconds, to the microsecond. */
static void put_ms(text *t, int64_t ns)
{
    char number[40];
    int64_t us = (ns < 0 ? -ns : ns) / 1000;
    snprintf(number, sizeof number, "%s%lld.%03lld", ns < 0 && us ? "-" : "", (long long)(us / 1000),
             (long long)(us % 1000));
    text_printf(t, " %11s", number);
}

void put_ops(text *t, const gcast_run *predicted, const gcast_run *measured, bool legend)
{
    const gcast_workload *w = predicted->workload;
    int64_t zero = first_start(predicted), measured_zero = first_start(measured);
    size_t width = 4;
    for (size_t i = 0; i < predicted->op_count; i++) {
        size_t n = text_width(w->ops[predicted->ops[i].op].label);
        width = n > width ? n : width;
    }
    text_printf(t, "\n%*s%24s%24s\n%-*s%12s%12s%12s%12s%12s\n", (int)width, "", "predicted (ms)", "measured (ms)",
                (int)width, "op", "start", "end", "start", "end", "off");
    for (size_t i = 0; i < predicted->op_count && i < measured->op_count; i++) {
        const gcast_run_op *p = &predicted->ops[i], *m = &measured->ops[i];
        const char *label = w->ops[p->op].label;
        if (!ran(predicted, i) || !ran(measured, i))
            continue;
        text_terminal(t, label);
        for (size_t n = text_width(label); n < width; n++)
            text_char(t, ' ');
        put_ms(t, p->start_ns - zero);
        put_ms(t, p->end_ns - zero);
        put_ms(t, m->start_ns - measured_zero);
        put_ms(t, m->end_ns - measured_zero);
        put_ms(t, (p->end_ns - zero) - (m->end_ns - measured_zero));
        text_char(t, '\n');
    }
    if (legend)
        text_str(t, "times count from the first start, of the prediction and of the run; off is the difference of the "
                    "ends\n");
}
