#include "report/analysis/conditions/open_lines.h"

void open_condition(const gcast_answer *a, text *out)
{
    if (a->rests_on_open)
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
    if (a->rests_on_registers && a->open_registers)
        text_printf(
            out,
            "left open by the workload, and may matter: \"registers\" of kernels, taken as 0; up to %d per thread "
            "change nothing\n",
            a->open_registers);
    else if (a->rests_on_registers)
        text_str(out, "left open by the workload, and may matter: \"registers\" of kernels, taken as 0\n");
}

void open_json(const gcast_answer *a, text *out)
{
    if (!a->rests_on_open)
        return;
    const struct {
        bool rests;
        const char *key;
    } open[] = {
        {a->rests_on_carveouts, "carveout"}, {a->rests_on_blocking, "blocking"}, {a->rests_on_registers, "registers"}};
    text_str(out, ",\n \"rests_on_open\": [");
    bool follows = false;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        if (!open[i].rests)
            continue;
        text_printf(out, "%s\"%s\"", follows ? ", " : "", open[i].key);
        follows = true;
    }
    text_char(out, ']');
    if (a->rests_on_registers)
        text_printf(out, ",\n \"open_registers\": %d", a->open_registers);
}
