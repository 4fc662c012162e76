#include "cli/smc/corun/corun_table.h"

#include "base/minmax.h"
#include "base/text/number.h"
#include "report/tables/time_format.h"

#define MAX_DECIMALS 3

enum { KERNEL, ALONE, WORKERS, SMS, TOGETHER, SLOWDOWN };

static int64_t rounded(double ns)
{
    return (int64_t)(ns + 0.5);
}

/* One unit for all times. */
static time_format find_format(const corun_request *c)
{
    int64_t longest = 0;
    for (uint32_t k = 0; k < c->options.kernels; k++)
        longest = max_i64(longest, max_i64(rounded(c->options.alone_ns[k]), rounded(c->found.together_ns[k])));
    time_format f = time_format_for(longest, MAX_DECIMALS);
    for (uint32_t k = 0; k < c->options.kernels; k++) {
        time_format_include(&f, rounded(c->options.alone_ns[k]));
        time_format_include(&f, rounded(c->found.together_ns[k]));
    }
    return f;
}

static void put_kernels(grid *g, const corun_request *c, time_format f)
{
    for (uint32_t k = 0; k < c->options.kernels; k++) {
        double alone = c->options.alone_ns[k], together = c->found.together_ns[k];
        char slowdown[32] = "";
        grid_add(g, GRID_PLAIN);
        grid_label(g, KERNEL, c->kernel[k].launch->name);
        time_format_cell(g, ALONE, rounded(alone), true, f);
        grid_print(g, WORKERS, "%u", c->found.config.workers[k]);
        grid_print(g, SMS, "%u", c->found.config.sms[k]);
        time_format_cell(g, TOGETHER, rounded(together), true, f);
        if (number_print(slowdown, sizeof slowdown, "%.2f", together / alone) < 0)
            g->failed = true;
        grid_cell(g, SLOWDOWN, slowdown);
    }
}

void corun_table(const corun_request *c, text *out)
{
    char alone[32], together[32];
    time_format f = find_format(c);
    const grid_column columns[] = {
        {"kernel", false},
        {time_format_title(alone, sizeof alone, "alone", f), true},
        {"workers per SM", true},
        {"SMs", true},
        {time_format_title(together, sizeof together, "together", f), true},
        {"slowdown", true},
        {NULL, false},
    };
    bool is_antt = c->options.goal == GCAST_CORUN_ANTT;
    grid g;
    grid_open(&g, columns);
    put_kernels(&g, c, f);
    grid_text(&g, want_color(c->smc->a), out);
    grid_close(&g);
    text_printf(out, "STP    %.3f%s\n", c->found.score.stp, is_antt ? "" : ", the goal");
    text_printf(out, "ANTT   %.3f%s\n", c->found.score.antt, is_antt ? ", the goal" : "");
    text_printf(out, "tried  %u configurations\n", c->found.tried);
    text_printf(out, "times  %s: %s\n", c->evaluator->name, c->evaluator->note);
}
