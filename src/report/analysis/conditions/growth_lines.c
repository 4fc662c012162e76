#include "report/analysis/conditions/growth_lines.h"

#include "base/text/units.h"

#define MAX_NAMED 5 /* ops in the line */

static const gcast_response *fastest(const gcast_answer *a)
{
    const gcast_response *found = NULL;
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].growth_ns && (!found || a->responses[i].growth_ns > found->growth_ns))
            found = &a->responses[i];
    return found;
}

/* "A, B and 3 more" */
static void put_growing(const gcast_answer *a, text *out)
{
    size_t n = 0;
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].growth_ns && n++ < MAX_NAMED) {
            text_str(out, n == 1 ? "" : ", ");
            text_terminal(out, a->workload->ops[a->responses[i].op].label);
        }
    if (n > MAX_NAMED)
        text_printf(out, " and %zu more", n - MAX_NAMED);
}

void growth_lines(const gcast_answer *a, text *out)
{
    const gcast_response *r = fastest(a);
    char growth[40], period[40];
    int64_t hyperperiod;
    if (a->growth == GCAST_BACKLOG_PILES_UP) {
        text_str(out, "piles up: ");
        text_terminal(out, a->growth_why);
        text_char(out, '\n');
    }
    if (a->growth == GCAST_BACKLOG_UNKNOWN || !r || !gcast_workload_hyperperiod(a->workload, &hyperperiod))
        return;
    units_format_time(r->growth_ns, growth, sizeof growth);
    units_format_time(hyperperiod, period, sizeof period);
    if (a->growth == GCAST_BACKLOG_GROWS)
        text_printf(out, "grows (seen over %llu hyperperiods, no proof that it goes on): ",
                    (unsigned long long)a->growth_hyperperiods);
    else
        text_str(out, "grows: ");
    put_growing(a, out);
    text_printf(out, ", by up to %s per hyperperiod of %s\n", growth, period);
}

void growth_json(const gcast_answer *a, text *out)
{
    const gcast_response *r = fastest(a);
    if (!a->growth_searched)
        return;
    text_str(out, a->growth == GCAST_BACKLOG_PILES_UP ? ", \"piles_up\": true" : ", \"piles_up\": false");
    if (a->growth == GCAST_BACKLOG_GROWS)
        text_printf(out, ", \"grows_over_hyperperiods\": %llu", (unsigned long long)a->growth_hyperperiods);
    if (a->growth != GCAST_BACKLOG_UNKNOWN && r) {
        text_str(out, ", \"growth_ns_per_hyperperiod\": ");
        text_int(out, r->growth_ns);
    }
}
