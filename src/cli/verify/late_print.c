#include "cli/verify/late_print.h"

#include <stdio.h>

#include "base/text/units.h"

static void put_row(text *t, const char *name, const late_family *f)
{
    text_terminal(t, name);
    for (size_t n = text_width(name); n < 14; n++)
        text_char(t, ' ');
    text_printf(t, "%7zu%7zu%9zu%7zu%10zu%9zu%7zu%10zu\n", f->runs, f->open, f->kernels.operations, f->kernels.late,
                f->kernels.late_quantile, f->copies.operations, f->copies.late, f->copies.late_quantile);
}

/* The percentage that so many percent of the operations do not exceed, as a number with two decimals. */
static void put_ratio(text *t, const late_counts *c, size_t percent)
{
    int64_t ratio = c->percents.at[(c->percents.count - 1) * percent / 100];
    text_printf(t, "%lld.%02lld", (long long)(ratio / 100), (long long)(ratio % 100));
}

void late_table(text *t, const late_counts *c, size_t max_late)
{
    char rare[32];
    snprintf(rare, sizeof rare, "1/%lld", (long long)c->quantile);
    text_printf(t, "%-14s%7s%7s%9s%7s%10s%9s%7s%10s\n", "family", "runs", "open", "kernels", "late", rare, "copies",
                "late", rare);
    for (size_t i = 0; i < c->families.count; i++)
        put_row(t, c->families.at[i].name, &c->families.at[i]);
    put_row(t, "all", &c->all);
    if (c->percents.count) {
        text_str(t, "\nbound over response: median ");
        put_ratio(t, c, 50);
        text_str(t, ", 95th percentile ");
        put_ratio(t, c, 95);
        text_char(t, '\n');
    }
    if (c->late.count && max_late)
        text_str(t, "\nlatest:\n");
    for (size_t i = 0; i < c->late.count && i < max_late; i++) {
        const late_operation *o = &c->late.at[i];
        char response[40], bound[40];
        units_format_time(o->response_ns, response, sizeof response);
        units_format_time(o->bound_ns, bound, sizeof bound);
        text_str(t, "  ");
        text_terminal(t, o->name);
        text_printf(t, ": %s, bound %s\n", response, bound);
    }
}

void late_legend(text *t, const late_counts *c)
{
    text_printf(t,
                "\nopen     no bound is known\n"
                "late     ended after its bound, with the longest latencies of the GPU's file\n"
                "1/%-6lld the same, where one call in %lld may take longer than it says\n"
                "responses count from the host's call to the end, the latest that the clocks allow\n",
                (long long)c->quantile, (long long)c->quantile);
    if (c->launch_assumed)
        text_str(t, "how launch latencies vary was not measured on this GPU: one number is taken\n");
    if (c->copy_assumed)
        text_str(t, "how latencies of copies vary was not measured on this GPU: one number is taken\n");
}
