#include "cli/smc/corun/corun_json.h"

#include "cli/choices.h"

/* The SMs of a kernel, as `on` of a plan has them: a number, or [from, to] with both included. */
static void put_sms(const uint32_t *kernel_of, uint32_t sms, uint32_t k, text *out)
{
    const char *between = "";
    for (uint32_t s = 0, end; s < sms; s = end) {
        for (end = s + 1; end < sms && kernel_of[end] == kernel_of[s]; end++)
            ;
        if (kernel_of[s] != k)
            continue;
        if (end - s == 1)
            text_printf(out, "%s%u", between, s);
        else
            text_printf(out, "%s[%u, %u]", between, s, end - 1);
        between = ", ";
    }
}

static void put_kernel(const corun_request *c, uint32_t k, const uint32_t *kernel_of, text *out)
{
    double alone = c->options.alone_ns[k], together = c->found.together_ns[k];
    text_str(out, k ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
    text_json(out, c->kernel[k].launch->name);
    text_str(out, ", \"file\": ");
    text_json(out, c->kernel[k].file);
    text_printf(out, ", \"workers\": %u, \"max_workers\": %u, \"sms\": %u, \"on\": [", c->found.config.workers[k],
                c->options.max_workers[k], c->found.config.sms[k]);
    put_sms(kernel_of, c->options.sms, k, out);
    text_printf(out, "], \"alone_ns\": %.0f, \"together_ns\": %.0f, \"slowdown\": %.6f}", alone, together,
                together / alone);
}

void corun_json(const corun_request *c, text *out)
{
    uint32_t kernel_of[GCAST_PLAN_MAX_SMS];
    gcast_corun_deal_sms(&c->found.config, c->options.kernels, c->options.sms, kernel_of);
    text_str(out, "{\"schema\": \"gridcast.corun/1\", \"gpu\": ");
    if (c->smc->gpu)
        text_json(out, c->smc->gpu->name);
    else
        text_str(out, "null");
    text_printf(out, ", \"sms\": %u, \"goal\": \"%s\", \"stp\": %.6f, \"antt\": %.6f, \"tried\": %u", c->options.sms,
                metric_choices[c->options.goal], c->found.score.stp, c->found.score.antt, c->found.tried);
    text_printf(out, ", \"times\": \"%s\", \"note\": ", c->evaluator->name);
    text_json(out, c->evaluator->note);
    text_str(out, ", \"kernels\": [");
    for (uint32_t k = 0; k < c->options.kernels; k++)
        put_kernel(c, k, kernel_of, out);
    text_str(out, "]}\n");
}
