/* gcast_gpu_write_json: a GPU as gridcast.gpu/1, with every number. Reading it gives the same GPU. */
#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "gridcast/read.h"
#include "model/gpu/fields.h"

static void write_text(text *t, const char *key, const char *value)
{
    text_printf(t, ",\n  \"%s\": ", key);
    text_json(t, value);
}

static void write_list(text *t, const char *key, const int *list, int n)
{
    text_printf(t, ",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        text_str(t, i ? ", " : "");
        text_int(t, list[i]);
    }
    text_char(t, ']');
}

static void write_gpcs(text *t, const gcast_gpu *gpu)
{
    const int *sm = gpu->gpc_sms;
    text_str(t, ",\n  \"gpcs\": [");
    for (int g = 0; g < gpu->gpc_count; g++) {
        text_str(t, g ? "], [" : "[");
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            text_printf(t, "%s%d", i ? ", " : "", *sm++);
    }
    text_str(t, "]]");
}

static void write_latency(text *t, const char *key, const gcast_latency *l)
{
    if (!l->samples)
        return;
    text_printf(t, ",\n  \"%s\": [", key);
    for (int i = 0; i < l->count; i++)
        text_printf(t, "{\"one_in\": %lld, \"ns\": %lld}, ", (long long)l->quantile[i].one_in,
                    (long long)l->quantile[i].ns);
    text_printf(t, "{\"min_ns\": %lld, \"max_ns\": %lld, \"samples\": %lld}]", (long long)l->min_ns,
                (long long)l->max_ns, (long long)l->samples);
}

static void write_sources(text *t, const gcast_gpu *gpu)
{
    text_str(t, ",\n  \"sources\": [");
    for (size_t i = 0; i < gpu->source_count; i++) {
        text_str(t, i ? ",\n    {\"fields\": " : "\n    {\"fields\": ");
        text_json(t, gpu->sources[i].fields);
        text_str(t, ", \"text\": ");
        text_json(t, gpu->sources[i].text);
        text_char(t, '}');
    }
    text_str(t, gpu->source_count ? "\n  ]" : "]");
}

gcast_status gcast_gpu_write_json(const gcast_gpu *gpu, char **out, size_t *size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!gpu || !out)
        return argument_missing(err);
    gcast_status status = gcast_gpu_check(gpu, err);
    if (status != GCAST_OK)
        return status;
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"gridcast.gpu/1\"");
    write_text(&t, "name", gpu->name);
    write_text(&t, "title", gpu->title);
    text_printf(&t, ",\n  \"cc\": \"%d.%d\"", gpu->limits.cc_major, gpu->limits.cc_minor);
    for (size_t i = 0; i < gpu_field_count; i++)
        text_printf(&t, ",\n  \"%s\": %lld", gpu_fields[i].key, (long long)gpu_field_get(gpu, &gpu_fields[i]));
    write_list(&t, "carveouts", gpu->limits.carveout, gpu->limits.carveouts);
    text_printf(&t, ",\n  \"register_quarters\": %s", gpu->register_quarters ? "true" : "false");
    write_text(&t, "placement", gcast_placement_name(gpu->placement));
    if (gpu->tie_list)
        write_list(&t, "tie_order", gpu->tie_list, gpu->sms);
    else
        write_text(&t, "tie_order", gcast_tie_order_name(gpu->tie_order));
    if (gpu->reach_ns)
        write_list(&t, "reach_ns", gpu->reach_ns, gpu->sms);
    if (gpu->gpc_count)
        write_gpcs(&t, gpu);
    write_latency(&t, "launch_quantiles", &gpu->launch_quantiles);
    write_latency(&t, "copy_quantiles", &gpu->copy_quantiles);
    write_sources(&t, gpu);
    text_str(&t, "\n}\n");
    *out = text_take(&t, size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
