#include "cli/smc/corun/corun_json.h"

#include "cli/choices.h"

static void put_kernel(const corun_request *c, uint32_t k, uint32_t first_sm, text *out)
{
    double alone = c->options.alone_ns[k], together = c->found.together_ns[k];
    text_str(out, k ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
    text_json(out, c->kernel[k].launch->name);
    text_str(out, ", \"file\": ");
    text_json(out, c->kernel[k].file);
    text_printf(out, ", \"workers\": %u, \"max_workers\": %u, \"sms\": %u, \"first_sm\": %u",
                c->found.config.workers[k], c->options.max_workers[k], c->found.config.sms[k], first_sm);
    text_printf(out, ", \"alone_ns\": %.0f, \"together_ns\": %.0f, \"slowdown\": %.6f}", alone, together,
                together / alone);
}

void corun_json(const corun_request *c, text *out)
{
    uint32_t first_sm = 0;
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
    for (uint32_t k = 0; k < c->options.kernels; k++) {
        put_kernel(c, k, first_sm, out);
        first_sm += c->found.config.sms[k];
    }
    text_str(out, "]}\n");
}
