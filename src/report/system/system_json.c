#include "report/system/system_json.h"

#include "gridcast/names.h"
#include "gridcast/version.h"
#include "report/system/search_report.h"
#include "report/system/system_words.h"

static const char *const communications[] = {
#define X(id, name, text) name,
    SYS_COMMUNICATION_TABLE(X)
#undef X
};

static void put_text(text *out, const char *key, const char *value)
{
    text_printf(out, ", \"%s\": ", key);
    if (value)
        text_json(out, value);
    else
        text_str(out, "null");
}

static void put_bool(text *out, const char *key, bool value)
{
    text_printf(out, ", \"%s\": %s", key, value ? "true" : "false");
}

/* A time; null where there is no bound. */
static void put_time(text *out, const char *key, int64_t ns)
{
    text_printf(out, ", \"%s\": ", key);
    if (ns == SYS_UNBOUNDED)
        text_str(out, "null");
    else
        text_int(out, ns);
}

static void put_step(const sys_answer *a, size_t task, size_t step, text *out)
{
    static const char *const kinds[] = {"run", "trigger", "wait"};
    const sys_step *s = &a->of->tasks[task].steps[step];
    const sys_step_times *t = &a->tasks[task].steps[step];
    bool gpu = a->places[task].core == SYS_GPU;
    text_printf(out, "{\"kind\": \"%s\"", kinds[s->kind]);
    put_text(out, "name", s->name);
    if (s->kind == SYS_RUN && gpu)
        put_text(out, "op", system_op_words(&s->op));
    if (s->kind != SYS_RUN)
        put_text(out, "task", a->of->tasks[s->task].name);
    put_time(out, "start_best_ns", t->start_best_ns);
    put_time(out, "end_best_ns", t->end_best_ns);
    put_time(out, "end_worst_ns", t->end_worst_ns);
    if (s->kind != SYS_TRIGGER) {
        put_time(out, "alone_best_ns", t->alone_best_ns);
        put_time(out, "alone_worst_ns", t->alone_worst_ns);
    }
    if (gpu)
        put_time(out, "own_worst_ns", t->own_worst_ns);
    text_char(out, '}');
}

static void put_release(const sys_task *task, const sys_system *s, text *out)
{
    put_text(out, "arrival", system_arrival_name(task));
    put_time(out, "period_ns", s->tasks[task->root].once ? SYS_UNBOUNDED : task->period_ns);
    if (task->arrival == SYS_TRIGGERED) {
        put_text(out, "triggered_by", s->tasks[task->trigger].name);
        put_text(out, "root", s->tasks[task->root].name);
        return;
    }
    put_time(out, "offset_ns", task->offset_ns);
    put_time(out, "jitter_ns", task->jitter_ns);
}

static void put_parts(const sys_task_answer *t, text *out)
{
    if (t->own_worst_ns == SYS_UNBOUNDED)
        return;
    text_str(out, ", \"parts\": {\"computation_ns\": ");
    text_int(out, t->computation_ns);
    put_time(out, "access_ns", t->access_ns);
    put_time(out, "interference_ns", t->interference_ns);
    put_time(out, "blocking_ns", t->blocking_ns);
    put_time(out, "waiting_ns", t->waiting_ns);
    text_char(out, '}');
}

static bool waits(const sys_task *task)
{
    for (size_t i = 0; i < task->step_count; i++)
        if (task->steps[i].kind == SYS_WAIT)
            return true;
    return false;
}

static void put_task(const sys_answer *a, size_t i, text *out)
{
    const sys_system *s = a->of;
    const sys_task *task = &s->tasks[i];
    const sys_task_answer *t = &a->tasks[i];
    text_str(out, "{\"name\": ");
    text_json(out, task->name);
    put_text(out, "core", a->places[i].core == SYS_GPU ? NULL : system_place_name(s, a->places[i].core));
    put_bool(out, "gpu", a->places[i].core == SYS_GPU);
    if (task->isr)
        put_bool(out, "isr", true);
    put_time(out, "priority", a->places[i].priority);
    if (waits(task))
        put_text(out, "wait", a->places[i].busy ? "busy" : "suspend");
    put_release(task, s, out);
    put_time(out, "release_min_ns", t->release_min_ns);
    put_time(out, "release_max_ns", t->release_max_ns);
    put_time(out, "best_ns", t->best_ns);
    put_time(out, "worst_ns", t->worst_ns);
    if (t->seen_in != SYS_NONE) {
        char words[64];
        put_time(out, "seen_ns", t->seen_ns < 0 ? SYS_UNBOUNDED : t->seen_ns);
        system_tried_words(&a->tried[t->seen_in], words, sizeof words);
        put_text(out, "seen_in", words);
    }
    put_time(out, "own_worst_ns", t->own_worst_ns);
    put_parts(t, out);
    if (task->deadline_ns) {
        put_time(out, "deadline_ns", task->deadline_ns);
        if (*task->deadline_name)
            put_text(out, "requirement", task->deadline_name);
        if (t->own_worst_ns != SYS_UNBOUNDED)
            put_time(out, "slack_ns", task->deadline_ns - t->own_worst_ns);
        put_text(out, "verdict", gcast_name(GCAST_NAMES_VERDICT, t->verdict));
    }
    if (t->limited_by != SYS_NONE)
        put_text(out, "limited_by", s->tasks[t->limited_by].name);
    if (t->why_not)
        put_text(out, "why_not", t->why_not);
    text_str(out, ",\n   \"steps\": [");
    for (size_t k = 0; k < task->step_count; k++) {
        text_str(out, k ? ",\n    " : "\n    ");
        put_step(a, i, k, out);
    }
    text_str(out, "]}");
}

static void put_latency(const sys_latency *l, text *out)
{
    text_str(out, "{\"reaction_best_ns\": ");
    text_int(out, l->reaction_best_ns);
    put_time(out, "reaction_worst_ns", l->reaction_worst_ns);
    put_time(out, "age_best_ns", l->age_best_ns);
    put_time(out, "age_worst_ns", l->age_worst_ns);
    put_time(out, "first_worst_ns", l->first_worst_ns);
    put_bool(out, "any_phase", l->any_phase);
    text_char(out, '}');
}

static void put_chain(const sys_answer *a, size_t i, text *out)
{
    const sys_chain *chain = &a->of->chains[i];
    const sys_chain_answer *r = &a->chains[i];
    text_str(out, "{\"name\": ");
    text_json(out, chain->name);
    text_str(out, ", \"tasks\": [");
    for (size_t k = 0; k < chain->task_count; k++) {
        text_str(out, k ? ", " : "");
        text_json(out, a->of->tasks[chain->tasks[k]].name);
    }
    text_char(out, ']');
    if (chain->reaction_ns) {
        put_time(out, "reaction_limit_ns", chain->reaction_ns);
        put_text(out, "reaction_verdict", gcast_name(GCAST_NAMES_VERDICT, r->reaction_verdict));
    }
    if (chain->age_ns) {
        put_time(out, "age_limit_ns", chain->age_ns);
        put_text(out, "age_verdict", gcast_name(GCAST_NAMES_VERDICT, r->age_verdict));
    }
    for (int c = 0; c < SYS_COMMUNICATIONS; c++) {
        text_printf(out, ",\n   \"%s\": ", communications[c]);
        put_latency(&r->by[c], out);
    }
    text_char(out, '}');
}

static void put_limit(const sys_answer *a, size_t i, text *out)
{
    static const char *const kinds[] = {
#define X(id, name, text) name,
        SYS_LIMIT_TABLE(X)
#undef X
    };
    static const char *const mappings[] = {
#define X(id, name) name,
        SYS_MAPPING_TABLE(X)
#undef X
    };
    const sys_limit *l = &a->of->limits[i];
    const sys_limit_answer *r = &a->limits[i];
    text_str(out, "{\"name\": ");
    text_json(out, l->name);
    put_text(out, "kind", kinds[l->kind]);
    if (l->kind == SYS_LIMIT_DELAY) {
        put_text(out, "source", l->source.name);
        put_text(out, "target", l->target.name);
        put_text(out, "mapping", mappings[l->mapping]);
    } else {
        put_text(out, "on", l->on);
    }
    if (l->min_ns != SYS_NO_LIMIT)
        put_time(out, "min_ns", l->min_ns);
    if (l->max_ns != SYS_NO_LIMIT)
        put_time(out, "max_ns", l->max_ns);
    put_time(out, "best_ns", r->best_ns == SYS_NO_LEAST ? SYS_UNBOUNDED : r->best_ns);
    put_time(out, "worst_ns", r->worst_ns);
    put_text(out, "verdict", gcast_name(GCAST_NAMES_VERDICT, r->verdict));
    if (r->seen_in != SYS_NONE) {
        char words[64];
        put_time(out, "seen_ns", r->seen_ns);
        system_tried_words(&a->tried[r->seen_in], words, sizeof words);
        put_text(out, "seen_in", words);
    }
    if (r->why_not)
        put_text(out, "why_not", r->why_not);
    text_char(out, '}');
}

/* What a finding means for answers, and whom it is about. */
static void put_effects(const sys_system *s, const sys_finding *f, text *out)
{
    size_t n = 0;
    text_str(out, ", \"effects\": [");
#define X(id, bit, name)                                                                                               \
    if (f->effects & (bit))                                                                                            \
        text_printf(out, "%s\"%s\"", n++ ? ", " : "", name);
    SYS_EFFECT_TABLE(X)
#undef X
    text_char(out, ']');
    if (f->effects && f->task >= 0)
        put_text(out, "task", s->tasks[f->task].name);
    if (f->effects & SYS_UNCHECKED)
        put_time(out, "requirements", (int64_t)f->count);
}

/* How many findings have an effect. */
static int64_t count_effect(const sys_system *s, sys_effect effect)
{
    int64_t count = 0;
    for (size_t i = 0; i < s->finding_count; i++)
        count += (s->findings[i].effects & effect) != 0;
    return count;
}

static void put_findings(const sys_system *s, text *out)
{
    for (size_t i = 0; i < s->finding_count; i++) {
        const sys_finding *f = &s->findings[i];
        text_str(out, i ? ",\n  {\"text\": " : "\n  {\"text\": ");
        text_json(out, f->text);
        if (*f->file) {
            put_text(out, "file", f->file);
            put_time(out, "line", f->line);
        }
        put_bool(out, "doubtful", f->doubtful);
        put_effects(s, f, out);
        text_char(out, '}');
    }
}

static void put_cores(const sys_answer *a, text *out)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->core_count; i++) {
        text_str(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(out, s->cores[i].name);
        put_text(out, "kind", s->kinds[s->cores[i].kind]);
        text_printf(out, ", \"utilization\": %.6f}", a->cores[i].utilization);
    }
}

void system_json(const sys_answer *a, const sys_report_options *options, text *out)
{
    const sys_system *s = a->of;
    text_str(out, "{\"schema\": \"gridcast.system/1\", \"system\": ");
    text_json(out, s->name);
    put_text(out, "source", s->source);
    put_text(out, "gridcast", gcast_version());
    if (options->command)
        put_text(out, "command", options->command);
    text_str(out, ", \"files\": [");
    for (size_t i = 0; i < s->source_count; i++) {
        text_str(out, i ? ", {\"file\": " : "{\"file\": ");
        text_json(out, s->sources[i].path);
        text_printf(out, ", \"crc32\": \"%08x\"}", (unsigned)s->sources[i].crc);
    }
    text_char(out, ']');
    put_text(out, "gpu", s->gpu ? s->gpu->name : NULL);
    if (s->gpu) {
        put_text(out, "gpu_unit", s->gpu_name);
        put_text(out, "sharing", s->sharing == SYS_SLICES ? "slices" : "streams");
        put_bool(out, "gpu_bounded", a->gpu_bounded);
        if (a->gpu_why_not)
            put_text(out, "gpu_why_not", a->gpu_why_not);
    }
    put_text(out, "communication", communications[options->communication]);
    put_text(out, "reaction_from", system_reaction_name(a->reaction));
    put_bool(out, "all_met", a->all_met);
    put_time(out, "conditions", count_effect(s, SYS_CONDITION));
    put_time(out, "unchecked", (int64_t)system_unchecked(s));
    put_time(out, "iterations", a->iterations);
    if (options->search)
        search_json(a, options->search, out);
    text_str(out, ",\n \"findings\": [");
    put_findings(s, out);
    text_str(out, "],\n \"cores\": [");
    put_cores(a, out);
    text_str(out, "],\n \"tasks\": [");
    for (size_t i = 0; i < s->task_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_task(a, i, out);
    }
    text_str(out, "],\n \"chains\": [");
    for (size_t i = 0; a->chains && i < s->chain_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_chain(a, i, out);
    }
    text_str(out, "],\n \"limits\": [");
    for (size_t i = 0; a->limits && i < s->limit_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_limit(a, i, out);
    }
    text_str(out, "],\n \"affinities\": [");
    for (size_t i = 0; i < s->affinity_count; i++) {
        text_str(out, i ? ", {\"text\": " : "{\"text\": ");
        text_json(out, s->affinities[i].words);
        put_bool(out, "kept", system_affinity_holds(s, &s->affinities[i], a->places));
        text_char(out, '}');
    }
    text_str(out, "],\n \"assumptions\": [");
    for (size_t i = 0; i < a->assumption_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        text_json(out, a->assumptions[i]);
    }
    text_str(out, "]}\n");
}
