#include "cli/measure/latency_rows.h"

#include <stdio.h>

/* A time in microseconds, or a dash where it is below 0. */
static void put_us(text *t, int width, int64_t ns)
{
    char number[32] = "-";
    if (ns >= 0)
        snprintf(number, sizeof number, "%lld.%03lld", (long long)(ns / 1000), (long long)(ns % 1000));
    text_printf(t, " %*s", width, number);
}

/* The quantile of this name; -1: there are not enough samples. */
static int64_t quantile_ns(const gcast_latency *l, int64_t one_in)
{
    for (int i = 0; i < l->count; i++)
        if (l->quantile[i].one_in == one_in)
            return l->quantile[i].ns;
    return -1;
}

static void put_figures(text *t, const gcast_latency *l)
{
    text_printf(t, " %8lld", (long long)l->samples);
    put_us(t, 8, l->samples ? l->min_ns : -1);
    put_us(t, 8, quantile_ns(l, 2));
    put_us(t, 10, quantile_ns(l, 1000));
    put_us(t, 10, quantile_ns(l, 100000));
    put_us(t, 10, l->samples ? l->max_ns : -1);
    text_char(t, '\n');
}

static void put_pause(text *t, int64_t ns)
{
    char pause[32] = "none";
    if (ns)
        snprintf(pause, sizeof pause, ns < 1000000 ? "%lldus" : "%lldms",
                 (long long)(ns < 1000000 ? ns / 1000 : ns / 1000000));
    text_printf(t, " %5s", pause);
}

void latency_rows_write(text *t, const gcast_calibration *c)
{
    static const char *const calls[GCAST_CALLS] = {"launch", "h2d", "d2h"};
    if (!c->condition_count)
        return;
    text_printf(t, "\n%-6s %5s %-4s %-4s %8s %8s %8s %10s %10s %10s\n", "call", "pause", "GPU", "host", "samples",
                "min", "median", "1 in 1000", "1 in 10^5", "max");
    for (size_t i = 0; i < c->condition_count; i++) {
        const gcast_latency_condition *at = &c->conditions[i];
        text_printf(t, "%-6s", calls[at->call]);
        put_pause(t, at->pause_ns);
        text_printf(t, " %-4s %-4s", at->gpu_busy ? "busy" : "idle", at->host_busy ? "busy" : "idle");
        put_figures(t, &at->latency);
    }
    text_printf(t, "%-22s", "launches, in any case");
    put_figures(t, &c->launch_quantiles);
    text_printf(t, "%-22s", "copies, in any case");
    put_figures(t, &c->copy_quantiles);
    text_printf(t,
                "microseconds from the call to the start; the clocks left up to %lld ns open, which are in them; "
                "host busy: %d threads\n",
                (long long)c->clocks_open_ns, c->host_threads);
}
