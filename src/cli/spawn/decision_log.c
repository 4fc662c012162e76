#include "cli/spawn/decision_log.h"

/* A time or another number, if it is known. */
static void field(text *t, bool is_known, double value)
{
    if (is_known)
        text_printf(t, "%.3f", value);
    text_char(t, ',');
}

void decision_log_head(output *out)
{
    text_str(&out->words, "time_ns,items,blocks,n,t_cta_ns,n_con,t_warp_ns,blocks_per_us,t_overhead_ns,t_child_ns,"
                          "t_parent_ns,choice,why\n");
}

void decision_log_row(void *out, const gcast_spawn_decision *d)
{
    text *t = &((output *)out)->words;
    text_printf(t, "%lld,%u,%u,%llu,", (long long)d->time_ns, d->items, d->blocks, (unsigned long long)d->n);
    field(t, true, (double)d->t_cta_ns);
    field(t, true, d->n_con);
    field(t, true, (double)d->t_warp_ns);
    field(t, d->t_cta_ns > 0, d->t_cta_ns > 0 ? 1000 * d->n_con / (double)d->t_cta_ns : 0);
    field(t, true, (double)d->overhead_ns);
    field(t, d->child_ns >= 0, d->child_ns);
    field(t, d->parent_ns >= 0, d->parent_ns);
    text_printf(t, "%s,%s\n", d->launches ? "launch" : "loop", gcast_spawn_why_name(d->why));
}
