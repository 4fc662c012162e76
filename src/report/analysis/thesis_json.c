#include "report/analysis/thesis_json.h"

#include "report/analysis/thousandths.h"

static void put_number(text *out, const char *key, int64_t n)
{
    text_str(out, key);
    text_int(out, n);
}

static void put_kernel(const gcast_answer *a, const gcast_thesis *t, size_t i, text *out)
{
    char u[THOUSANDTHS_SIZE];
    text_str(out, "{\"label\": ");
    text_json(out, a->workload->ops[t->ops[i]].label);
    if (t->periods_ns[i])
        put_number(out, ", \"period_ns\": ", t->periods_ns[i]);
    else
        text_str(out, ", \"period_ns\": null");
    put_number(out, ", \"execution_ns\": ", t->kernels[i].execution_ns);
    text_printf(out, ", \"blocks\": %llu", (unsigned long long)t->kernels[i].blocks);
    put_number(out, ", \"release_ns\": ", t->completions_ns[i] - t->responses_ns[i]);
    put_number(out, ", \"completion_ns\": ", t->completions_ns[i]);
    put_number(out, ", \"response_ns\": ", t->responses_ns[i]);
    text_str(out, ", \"utilisation\": ");
    text_str(out, t->periods_ns[i] ? thousandths_text(t->utilisations[i], u) : "null");
    text_char(out, '}');
}

void thesis_json(const gcast_answer *a, const gcast_thesis *t, text *out)
{
    char total[THOUSANDTHS_SIZE];
    text_printf(out,
                "{\"slots\": %u, \"threads_per_block\": %d, \"threads\": %lld, \"utilisation\": %s, \"kernels\": [",
                t->pool.slots, t->threads, (long long)t->total_threads,
                t->period_count ? thousandths_text(t->total_utilisation, total) : "null");
    for (size_t i = 0; i < t->count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_kernel(a, t, i, out);
    }
    text_str(out, "]}");
}
