#include "report/system/system_json.h"

#include <stdio.h>

#include "gridcast/names.h"
#include "gridcast/version.h"
#include "report/schemas.h"
#include "report/system/search_report.h"
#include "report/system/system_words.h"

static const char *const communications[] = {
#define X(id, name, text) name,
    GCAST_COMMUNICATION_TABLE(X)
#undef X
};

/* A time; null where there is no bound. */
static int64_t bounded(int64_t ns)
{
    return ns == SYS_UNBOUNDED ? JSON_UNKNOWN : ns;
}

static const char *verdict(gcast_deadline_verdict v)
{
    return gcast_name(GCAST_NAMES_VERDICT, v);
}

#define STEP_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, kind, true, kinds[s->kind], "run, trigger or wait")                                                    \
    FIELD(text, name, true, s->name, "its name")                                                                       \
    FIELD(text, op, s->kind == SYS_RUN && gpu, system_op_words(&s->op), "operation on the GPU")                        \
    FIELD(text, task, s->kind != SYS_RUN, a->of->tasks[s->task].name, "task that it triggers or waits for")            \
    FIELD(ns, start_best_ns, true, bounded(t->start_best_ns), "earliest start")                                        \
    FIELD(ns, end_best_ns, true, bounded(t->end_best_ns), "earliest end")                                              \
    FIELD(ns, end_worst_ns, true, bounded(t->end_worst_ns), "latest end")                                              \
    FIELD(ns, alone_best_ns, s->kind != SYS_TRIGGER, bounded(t->alone_best_ns),                                        \
          "shortest time if nothing disturbs it")                                                                      \
    FIELD(ns, alone_worst_ns, s->kind != SYS_TRIGGER, bounded(t->alone_worst_ns), "longest one")                       \
    FIELD(ns, own_worst_ns, gpu, bounded(t->own_worst_ns), "longest time on the GPU")

static void put_steps(json_out *j, const sys_answer *a, size_t task)
{
    static const char *const kinds[] = {"run", "trigger", "wait"};
    bool gpu = a->places[task].core == SYS_GPU;
    for (size_t i = 0; i < a->of->tasks[task].step_count; i++) {
        const sys_step *s = &a->of->tasks[task].steps[i];
        const sys_step_times *t = &a->tasks[task].steps[i];
        PUT_ELEMENT(STEP_FIELDS);
    }
}

#define PART_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(ns, computation_ns, true, t->computation_ns, "its own computation")                                          \
    FIELD(ns, access_ns, true, bounded(t->access_ns), "accesses to memory")                                            \
    FIELD(ns, interference_ns, true, bounded(t->interference_ns), "tasks of higher priority")                          \
    FIELD(ns, blocking_ns, true, bounded(t->blocking_ns), "tasks of lower priority that cannot be interrupted")        \
    FIELD(ns, waiting_ns, true, bounded(t->waiting_ns), "waiting for tasks that it triggers")

FIELD_WRITER(put_parts, PART_FIELDS, const sys_task_answer *t)

static bool waits(const sys_task *task)
{
    for (size_t i = 0; i < task->step_count; i++)
        if (task->steps[i].kind == SYS_WAIT)
            return true;
    return false;
}

/* How a task was seen: options of simulate. */
static void put_seen(json_out *j, const sys_answer *a, size_t tried)
{
    char words[64];
    system_tried_words(&a->tried[tried], words, sizeof words);
    text_json(j->out, words);
}

#define TASK_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, name, true, task->name, "its name")                                                                    \
    FIELD(text, core, true, on_gpu ? NULL : system_place_name(s, place->core), "its core; null: the GPU")              \
    FIELD(bool, gpu, true, on_gpu, "it runs on the GPU")                                                               \
    FIELD(bool, isr, task->isr, true, "it is an interrupt service routine")                                            \
    FIELD(ns, priority, true, bounded(place->priority), "its priority")                                                \
    FIELD(text, wait, waits(task), place->busy ? "busy" : "suspend", "busy or suspend: how it waits")                  \
    FIELD(text, arrival, true, system_arrival_name(task), "periodic, sporadic, once or triggered")                     \
    FIELD(ns, period_ns, true, once ? JSON_UNKNOWN : bounded(task->period_ns), "period")                               \
    FIELD(text, triggered_by, is_triggered, s->tasks[task->trigger].name, "task that triggers it")                     \
    FIELD(text, root, is_triggered, s->tasks[task->root].name, "task whose release starts all")                        \
    FIELD(ns, offset_ns, !is_triggered, bounded(task->offset_ns), "first release")                                     \
    FIELD(ns, jitter_ns, !is_triggered, bounded(task->jitter_ns), "largest delay of a release")                        \
    FIELD(ns, release_min_ns, true, bounded(t->release_min_ns), "from the release of the root: earliest release")      \
    FIELD(ns, release_max_ns, true, bounded(t->release_max_ns), "latest release")                                      \
    FIELD(ns, best_ns, true, bounded(t->best_ns), "earliest end")                                                      \
    FIELD(ns, worst_ns, true, bounded(t->worst_ns), "latest end")                                                      \
    FIELD(ns, seen_ns, was_seen, t->seen_ns < 0 ? JSON_UNKNOWN : bounded(t->seen_ns),                                  \
          "latest end of the executions tried")                                                                        \
    FIELD(object, seen_in, was_seen, put_seen(j, a, t->seen_in), "options of simulate that show it")                   \
    FIELD(ns, own_worst_ns, true, bounded(t->own_worst_ns), "longest response time from its own release")              \
    FIELD(record, parts, t->own_worst_ns != SYS_UNBOUNDED, put_parts(j, t), "parts of own_worst_ns")                   \
    FIELD(ns, deadline_ns, task->deadline_ns, bounded(task->deadline_ns), "deadline, from its own release")            \
    FIELD(text, requirement, is_named, task->deadline_name, "requirement that sets it")                                \
    FIELD(ns, slack_ns, task->deadline_ns && t->own_worst_ns != SYS_UNBOUNDED, task->deadline_ns - t->own_worst_ns,    \
          "deadline_ns - own_worst_ns")                                                                                \
    FIELD(text, verdict, task->deadline_ns, verdict(t->verdict), "met, met if, missed or open")                        \
    FIELD(text, limited_by, t->limited_by != SYS_NONE, s->tasks[t->limited_by].name, "task that keeps it from ending") \
    FIELD(text, why_not, t->why_not, t->why_not, "why there is no bound")                                              \
    LINE(list, steps, true, put_steps(j, a, i), "steps in order")

static void put_tasks(json_out *j, const sys_answer *a)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_task *task = &s->tasks[i];
        const sys_task_answer *t = &a->tasks[i];
        const sys_place *place = &a->places[i];
        bool on_gpu = place->core == SYS_GPU, once = s->tasks[task->root].once, was_seen = t->seen_in != SYS_NONE;
        bool is_triggered = task->arrival == SYS_TRIGGERED, is_named = task->deadline_ns && task->deadline_name[0];
        PUT_ELEMENT(TASK_FIELDS);
    }
}

#define LATENCY_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(ns, reaction_best_ns, true, l->reaction_best_ns, "from a change to the first output of it: shortest")        \
    FIELD(ns, reaction_worst_ns, true, bounded(l->reaction_worst_ns), "longest, of a change just missed")              \
    FIELD(ns, age_best_ns, true, bounded(l->age_best_ns), "from a reading to the last output of it: shortest")         \
    FIELD(ns, age_worst_ns, true, bounded(l->age_worst_ns), "longest")                                                 \
    FIELD(ns, first_worst_ns, true, bounded(l->first_worst_ns), "to the last output of the first job: longest")        \
    FIELD(bool, any_phase, true, l->any_phase, "offsets were not used")

FIELD_WRITER(put_latency, LATENCY_FIELDS, const sys_latency *l)

static void put_chain_tasks(json_out *j, const sys_answer *a, const sys_chain *chain)
{
    for (size_t k = 0; k < chain->task_count; k++)
        json_put_text(j, NULL, a->of->tasks[chain->tasks[k]].name);
}

#define CHAIN_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, name, true, chain->name, "its name")                                                                   \
    FIELD(list, tasks, true, put_chain_tasks(j, a, chain), "names of its tasks")                                       \
    FIELD(ns, reaction_limit_ns, chain->reaction_ns, chain->reaction_ns, "longest reaction allowed")                   \
    FIELD(text, reaction_verdict, chain->reaction_ns, verdict(r->reaction_verdict), "met, met if, missed or open")     \
    FIELD(ns, age_limit_ns, chain->age_ns, chain->age_ns, "longest age allowed")                                       \
    FIELD(text, age_verdict, chain->age_ns, verdict(r->age_verdict), "met, met if, missed or open")                    \
    LINE(record, direct, true, put_latency(j, &r->by[GCAST_COMMUNICATION_DIRECT]), "with direct communication")        \
    LINE(record, implicit, true, put_latency(j, &r->by[GCAST_COMMUNICATION_IMPLICIT]), "with implicit communication")  \
    LINE(record, let, true, put_latency(j, &r->by[GCAST_COMMUNICATION_LET]), "with logical execution time")

static void put_chains(json_out *j, const sys_answer *a)
{
    for (size_t i = 0; a->chains && i < a->of->chain_count; i++) {
        const sys_chain *chain = &a->of->chains[i];
        const sys_chain_answer *r = &a->chains[i];
        PUT_ELEMENT(CHAIN_FIELDS);
    }
}

#define LIMIT_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, name, true, l->name, "its name")                                                                       \
    FIELD(text, kind, true, kinds[l->kind], "response, runnable or delay")                                             \
    FIELD(text, source, is_delay, l->source.name, "delay: event that it counts from")                                  \
    FIELD(text, target, is_delay, l->target.name, "delay: event that it counts to")                                    \
    FIELD(text, mapping, is_delay, mappings[l->mapping], "delay: Reaction, OneToOne or UniqueReaction")                \
    FIELD(text, on, !is_delay, l->on, "task or runnable")                                                              \
    FIELD(ns, min_ns, l->min_ns != SYS_NO_LIMIT, bounded(l->min_ns), "shortest time allowed")                          \
    FIELD(ns, max_ns, l->max_ns != SYS_NO_LIMIT, bounded(l->max_ns), "longest time allowed")                           \
    FIELD(ns, best_ns, true, r->best_ns == SYS_NO_LEAST ? JSON_UNKNOWN : bounded(r->best_ns),                          \
          "shortest time; OneToOne, below 0: the target comes first")                                                  \
    FIELD(ns, worst_ns, true, bounded(r->worst_ns), "longest time")                                                    \
    FIELD(text, verdict, true, verdict(r->verdict), "met, met if, missed or open")                                     \
    FIELD(ns, seen_ns, r->seen_in != SYS_NONE, bounded(r->seen_ns), "worst time of the executions tried")              \
    FIELD(object, seen_in, r->seen_in != SYS_NONE, put_seen(j, a, r->seen_in), "options of simulate that show it")     \
    FIELD(text, why_not, r->why_not, r->why_not, "why there is no bound")

static void put_limits(json_out *j, const sys_answer *a)
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
    for (size_t i = 0; a->limits && i < a->of->limit_count; i++) {
        const sys_limit *l = &a->of->limits[i];
        const sys_limit_answer *r = &a->limits[i];
        bool is_delay = l->kind == SYS_LIMIT_DELAY;
        PUT_ELEMENT(LIMIT_FIELDS);
    }
}

static void put_effects(json_out *j, const sys_finding *f)
{
#define X(id, bit, name)                                                                                               \
    if (f->effects & (bit))                                                                                            \
        json_put_text(j, NULL, name);
    SYS_EFFECT_TABLE(X)
#undef X
}

/* How many findings have an effect. */
static int64_t count_effect(const sys_system *s, sys_effect effect)
{
    int64_t count = 0;
    for (size_t i = 0; i < s->finding_count; i++)
        count += (s->findings[i].effects & effect) != 0;
    return count;
}

#define FINDING_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(text, text, true, f->text, "what was found in the model")                                                    \
    FIELD(text, file, *f->file, f->file, "file of the model")                                                          \
    FIELD(int, line, *f->file, f->line, "line in it")                                                                  \
    FIELD(bool, doubtful, true, f->doubtful, "probably a mistake")                                                     \
    FIELD(list, effects, true, put_effects(j, f), "condition, not checked, approximated, elsewhere or left out")       \
    FIELD(text, task, f->effects && f->task >= 0, s->tasks[f->task].name, "task that it is about")                     \
    FIELD(int, requirements, f->effects &SYS_UNCHECKED, (int64_t)f->count, "requirements that are not checked")

static void put_findings(json_out *j, const sys_system *s)
{
    for (size_t i = 0; i < s->finding_count; i++) {
        const sys_finding *f = &s->findings[i];
        PUT_ELEMENT(FINDING_FIELDS);
    }
}

#define CORE_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, name, true, s->cores[i].name, "its name")                                                              \
    FIELD(text, kind, true, s->kinds[s->cores[i].kind], "kind of core")                                                \
    FIELD(share, utilization, true, a->cores[i].utilization, "1: always busy, waits included")

static void put_cores(json_out *j, const sys_answer *a)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->core_count; i++)
        PUT_ELEMENT(CORE_FIELDS);
}

#define FILE_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, file, true, s->sources[i].path, "path")                                                                \
    FIELD(text, crc32, true, crc, "checksum")

static void put_files(json_out *j, const sys_system *s)
{
    for (size_t i = 0; i < s->source_count; i++) {
        char crc[9];
        snprintf(crc, sizeof crc, "%08x", (unsigned)s->sources[i].crc);
        PUT_OBJECT(FILE_FIELDS);
    }
}

#define AFFINITY_FIELDS(FIELD, LINE)                                                                                   \
    FIELD(text, text, true, s->affinities[i].words, "in words")                                                        \
    FIELD(bool, kept, true, system_affinity_holds(s, &s->affinities[i], a->places), "the mapping keeps it")

static void put_affinities(json_out *j, const sys_answer *a)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->affinity_count; i++)
        PUT_OBJECT(AFFINITY_FIELDS);
}

static void put_assumptions(json_out *j, const sys_answer *a)
{
    for (size_t i = 0; i < a->assumption_count; i++) {
        json_line(j);
        json_put_text(j, NULL, a->assumptions[i]);
    }
}

#define SYSTEM_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, schema, true, "gridcast.system/1", "the format")                                                       \
    FIELD(text, system, true, s->name, "name of the model")                                                            \
    FIELD(text, source, true, s->source, "its file or folder")                                                         \
    FIELD(text, gridcast, true, gcast_version(), "version of gridcast")                                                \
    FIELD(text, command, options->command, options->command, "the command")                                            \
    FIELD(list, files, true, put_files(j, s), "files that were read")                                                  \
    FIELD(text, gpu, true, s->gpu ? s->gpu->name : NULL, "the GPU of --gpu")                                           \
    FIELD(text, gpu_unit, s->gpu, s->gpu_name, "the model's name for it")                                              \
    FIELD(text, sharing, s->gpu, s->sharing == SYS_SLICES ? "slices" : "streams", "slices or streams: who shares it")  \
    FIELD(bool, gpu_bounded, s->gpu, a->gpu_bounded, "its response times have bounds")                                 \
    FIELD(text, gpu_why_not, s->gpu && a->gpu_why_not, a->gpu_why_not, "why they have none")                           \
    FIELD(text, communication, true, communications[options->communication], "verdicts of chains are for it")          \
    FIELD(text, reaction_from, true, system_reaction_name(a->reaction),                                                \
          "stimulus or change: what reactions count from")                                                             \
    FIELD(bool, all_met, true, a->all_met, "all requirements are met, apart from findings")                            \
    FIELD(int, conditions, true, count_effect(s, SYS_CONDITION), "findings that are conditions")                       \
    FIELD(int, unchecked, true, (int64_t)system_unchecked(s), "requirements that are not checked")                     \
    FIELD(int, iterations, true, a->iterations, "analyses until nothing changed")                                      \
    LINE(record, search, options->search, search_json(a, options->search, j), "with --map: the search for a mapping")  \
    LINE(list, findings, true, put_findings(j, s), "about the model")                                                  \
    LINE(list, cores, true, put_cores(j, a), "cores")                                                                  \
    LINE(list, tasks, true, put_tasks(j, a), "tasks")                                                                  \
    LINE(list, chains, true, put_chains(j, a), "event chains")                                                         \
    LINE(list, limits, true, put_limits(j, a), "timing requirements")                                                  \
    LINE(list, affinities, true, put_affinities(j, a), "constraints on the mapping")                                   \
    LINE(list, assumptions, true, put_assumptions(j, a), "sentences")

const record system_schema[] = {RECORD("", SYSTEM_FIELDS),
                                RECORD("files", FILE_FIELDS),
                                {"search", search_fields},
                                {"search.before, search.after", search_score_fields},
                                {"search.changes", search_change_fields},
                                {"search.changes.from, search.changes.to", search_place_fields},
                                RECORD("findings", FINDING_FIELDS),
                                RECORD("cores", CORE_FIELDS),
                                RECORD("tasks", TASK_FIELDS),
                                RECORD("tasks.parts", PART_FIELDS),
                                RECORD("tasks.steps", STEP_FIELDS),
                                RECORD("chains", CHAIN_FIELDS),
                                RECORD("chains.direct, chains.implicit, chains.let", LATENCY_FIELDS),
                                RECORD("limits", LIMIT_FIELDS),
                                RECORD("affinities", AFFINITY_FIELDS),
                                {NULL, NULL}};

void system_json(const sys_answer *a, const sys_report_options *options, text *out)
{
    const sys_system *s = a->of;
    json_out *j = &(json_out){.out = out, .indent = 1};
    PUT_DOCUMENT(SYSTEM_FIELDS);
}
