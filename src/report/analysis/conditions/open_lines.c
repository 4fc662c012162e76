#include "report/analysis/conditions/open_lines.h"

static bool rests_on_open(const gcast_answer *a)
{
    return a->rests_on_carveouts || a->rests_on_blocking;
}

void open_condition(const gcast_answer *a, text *out)
{
    if (rests_on_open(a))
        text_printf(out, "%s what the workload leaves open is as assumed",
                    a->conditional || a->rests_on_assumed ? ", and" : ", if");
}

void open_lines(const gcast_answer *a, text *out)
{
    if (a->rests_on_carveouts)
        text_str(out,
                 "left open by the workload, and may matter: \"carveout\" of kernels, taken as most; CUDA's default is "
                 "driver\n");
    if (a->rests_on_blocking)
        text_str(out, "left open by the workload, and may matter: \"blocking\" of streams, taken as false; streams of "
                      "cudaStreamCreate are blocking\n");
}

void open_json(const gcast_answer *a, text *out)
{
    if (!rests_on_open(a))
        return;
    text_printf(out, ",\n \"rests_on_open\": [%s%s%s]", a->rests_on_carveouts ? "\"carveout\"" : "",
                a->rests_on_carveouts && a->rests_on_blocking ? ", " : "", a->rests_on_blocking ? "\"blocking\"" : "");
}
