/* gridcast.replay/1: a replay for programs (docs/profiles.md). */
#include "cli/import/replay_print.h"

static void put_int(text *out, const char *key, int64_t value)
{
    text_printf(out, "\"%s\": %lld", key, (long long)value);
}

static void put_error(text *out, const char *key, const replay_error *e)
{
    text_printf(out, ", \"%s\": {", key);
    put_int(out, "median_ns", e->median_ns);
    text_str(out, ", ");
    put_int(out, "largest_ns", e->largest_ns);
    text_char(out, '}');
}

static void put_names(text *out, const prof_replay *r)
{
    text_str(out, ",\n \"names\": [");
    for (size_t i = 0; i < r->name_count; i++) {
        const replay_name *n = &r->names[i];
        text_str(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(out, n->label);
        text_printf(out, ", \"launches\": %llu, ", (unsigned long long)n->launches);
        put_int(out, "recorded_ns", n->recorded_ns);
        put_error(out, "duration_error", &n->duration);
        put_error(out, "start_error", &n->start);
        put_error(out, "end_error", &n->end);
        text_printf(out, ", \"slowed\": %llu, ", (unsigned long long)n->slowed);
        put_int(out, "slowed_ns", n->slowed_ns);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_quantiles(text *out, const char *key, const replay_quantiles *q)
{
    text_printf(out, ",\n \"%s\": {", key);
    put_int(out, "median_ns", q->median_ns);
    text_str(out, ", ");
    put_int(out, "p90_ns", q->p90_ns);
    text_char(out, '}');
}

static void put_late(text *out, const prof_replay *r)
{
    text_str(out, ",\n \"late\": [");
    for (size_t i = 0; i < r->late_count; i++) {
        const replay_late *l = &r->late[i];
        text_str(out, i ? ",\n  {\"label\": " : "\n  {\"label\": ");
        text_json(out, r->ops[l->op].label);
        text_printf(out, ", \"cause\": \"%s\", ", replay_cause_name(l->cause));
        put_int(out, "start_ns", r->ops[l->op].start_ns);
        text_str(out, ", ");
        put_int(out, "error_ns", l->error_ns);
        text_char(out, '}');
    }
    text_char(out, ']');
}

void replay_json(text *out, const char *name, const prof_replay *r)
{
    text_str(out, "{\"schema\": \"gridcast.replay/1\", \"name\": ");
    text_json(out, name);
    text_printf(out, ", \"operations\": %zu,\n ", r->op_count);
    put_int(out, "recorded_ns", r->recorded_ns);
    text_str(out, ", ");
    put_int(out, "replayed_ns", r->replayed_ns);
    text_str(out, ", \"off_percent\": ");
    text_milli(out, replay_off(r));
    put_quantiles(out, "start_error", &r->start);
    put_quantiles(out, "duration_error", &r->duration);
    put_names(out, r);
    put_late(out, r);
    text_printf(out, ",\n \"beside\": {\"kernels\": %llu, \"never_alone\": %llu, \"slowed\": %llu, ",
                (unsigned long long)r->beside, (unsigned long long)r->never_alone, (unsigned long long)r->slowed);
    put_int(out, "slowed_ns", r->slowed_ns);
    text_str(out, "}}\n");
}
