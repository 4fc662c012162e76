#include "report/spawn/spawn_json.h"

#define X(id, name, text) name,
static const char *const names_idle[] = {GCAST_SPAWN_IDLE_TABLE(X)};
static const char *const names_average[] = {GCAST_SPAWN_AVERAGE_TABLE(X)};
static const char *const names_counters[] = {GCAST_SPAWN_COUNTER_TABLE(X)};
static const char *const names_start[] = {GCAST_SPAWN_START_TABLE(X)};
#undef X

static void put_count(text *out, const char *key, uint64_t count)
{
    text_printf(out, ", \"%s\": %llu", key, (unsigned long long)count);
}

static void put_row(const gcast_spawn_row *r, text *out)
{
    const gcast_launch_stats *s = &r->stats;
    bool has_threshold = (r->contender == GCAST_CONTENDER_OFFLINE || r->contender == GCAST_CONTENDER_THRESHOLD) &&
                         r->threshold != GCAST_NO_THRESHOLD;
    text_printf(out, "{\"policy\": \"%s\", \"threshold\": ", gcast_spawn_contender_name(r->contender));
    if (has_threshold)
        text_uint(out, r->threshold);
    else
        text_str(out, "null");
    put_count(out, "simulations", r->simulations);
    text_printf(out, ", \"end_ns\": %lld, \"speedup\": %.6f, \"occupancy\": %.6f,\n     ", (long long)r->end_ns,
                r->speedup, r->occupancy);
    text_printf(out, "\"children\": %llu", (unsigned long long)s->children);
    put_count(out, "child_blocks", s->child_blocks);
    put_count(out, "items", s->items);
    put_count(out, "offloaded", s->offloaded);
    put_count(out, "kept", s->kept);
    put_count(out, "refused", s->refused);
    put_count(out, "early", s->early);
    put_count(out, "max_live", s->max_live);
    put_count(out, "max_pool", s->max_pool);
    text_printf(out, ",\n     \"overhead_ns\": %.0f, \"stream_wait_ns\": %.0f, \"pool_wait_ns\": %.0f, ",
                spawn_mean(r, s->overhead_ns), spawn_mean(r, s->stream_wait_ns), spawn_mean(r, s->pool_wait_ns));
    text_printf(out, "\"queue_wait_ns\": %.0f, \"room_wait_ns\": %.0f}", spawn_mean(r, s->queue_wait_ns),
                spawn_mean(r, s->room_wait_ns));
}

static void put_comparison(const gcast_spawn_comparison *c, text *out)
{
    text_str(out, "{\"name\": ");
    text_json(out, c->name);
    text_printf(out, ", \"flat_ns\": %lld", (long long)c->flat_ns);
    put_count(out, "kernels", c->kernels);
    put_count(out, "launchers", c->launchers);
    put_count(out, "items", c->items);
    put_count(out, "thresholds", c->thresholds);
    text_str(out, ",\n   \"policies\": [");
    for (size_t i = 0; i < c->row_count; i++) {
        text_str(out, i ? ",\n    " : "\n    ");
        put_row(&c->rows[i], out);
    }
    text_str(out, "]}");
}

static void put_choices(const gcast_spawn_options *o, text *out)
{
    text_printf(out, ",\n \"spawn\": {\"window_ns\": %lld", (long long)o->window_ns);
    text_printf(out, ", \"queue_limit\": %llu, \"idle\": \"%s\", \"average\": \"%s\", \"counters\": \"%s\"",
                (unsigned long long)o->queue_limit, names_idle[o->idle], names_average[o->average],
                names_counters[o->counters]);
    text_printf(out, ", \"start\": \"%s\", \"fractions\": %s}", names_start[o->start], o->fractions ? "true" : "false");
}

void spawn_json(const spawn_set *s, text *out)
{
    const gcast_spawn_comparison *first = s->at[0];
    text_str(out, "{\"schema\": \"gridcast.spawn/1\", \"gpu\": ");
    text_json(out, first->gpu);
    put_choices(&first->spawn, out);
    text_str(out, ",\n \"comparisons\": [");
    for (size_t i = 0; i < s->count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_comparison(s->at[i], out);
    }
    text_str(out, "]");
    if (s->count > 1) {
        char name[SPAWN_NAME_SIZE];
        text_str(out, ",\n \"geometric_means\": {");
        for (size_t k = 0; k < first->row_count; k++)
            text_printf(out, "%s\"%s\": %.6f", k ? ", " : "", spawn_row_name(&first->rows[k], name),
                        spawn_mean_speedup(s, k));
        text_char(out, '}');
    }
    text_str(out, "}\n");
}
