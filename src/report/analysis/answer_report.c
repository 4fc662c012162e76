/* gcast_answer_report: the answer of an analysis as a table, as JSON or as a picture. */
#include "analyze/added_method.h"
#include "analyze/answer.h"
#include "base/api.h"
#include "base/text.h"
#include "gridcast/analyze.h"
#include "gridcast/names.h"
#include "report/analysis/answer_conditions.h"
#include "report/analysis/answer_table.h"
#include "report/analysis/verdict_draw.h"
#include "report/canvas/canvas.h"
#include "report/format_names.h"
#include "report/schemas.h"

/* answer_json writes gridcast.analysis/1 (docs/formats.md). */

#define LATENCY_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(ns, min_ns, true, c->min_ns, "shortest")                                                                     \
    FIELD(ns, max_ns, true, c->max_ns, "longest")                                                                      \
    FIELD(text, source, true, gcast_name(GCAST_NAMES_LATENCY_SOURCE, c->source), "given, assumed or measured")         \
    FIELD(int, one_in, c->source == GCAST_LATENCY_MEASURED, c->one_in, "one call in so many is longer; 0: none was")   \
    FIELD(int, samples, c->source == GCAST_LATENCY_MEASURED, c->samples, "calls that were measured")

FIELD_WRITER(put_latency, LATENCY_FIELDS, const gcast_call_latency *c)

#define ASSUMED_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(text, field, true, p->field, "key of gridcast.gpu/1")                                                        \
    FIELD(text, value, choice, choice, "its value, where it is a choice such as placement")                            \
    FIELD(int, value, !choice, p->value, "its value, where it is a number")                                            \
    FIELD(text, moved, !choice && p->is_count, p->downward ? "fewer" : "more", "which way a count was moved")          \
    FIELD(bool, matters, choice || p->tried, choice || p->matters, "false: 10 times, a tenth or 10 us change nothing") \
    FIELD(int, limit, !choice, p->limit, "farthest value tried that keeps all deadlines")                              \
    FIELD(bool, between_open, !choice && p->between_open, true, "values between were not tried")

static void put_assumed(json_out *j, const gcast_answer *a)
{
    for (size_t i = 0; i < a->assumed_count; i++) {
        const gcast_assumed *p = &a->assumed[i];
        const char *choice = assumed_choice(p, p->value);
        PUT_ELEMENT(ASSUMED_FIELDS);
    }
}

static void put_open(json_out *j, const gcast_answer *a)
{
    if (a->rests_on_carveouts)
        json_put_text(j, NULL, "carveout");
    if (a->rests_on_blocking)
        json_put_text(j, NULL, "blocking");
    if (a->rests_on_registers)
        json_put_text(j, NULL, "registers");
}

#define METHOD_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, method, true, analysis_method_name(m), "its name")                                                     \
    FIELD(bool, complete, true, m->complete, "it gave an answer")                                                      \
    FIELD(text, why_not, m->why_not, m->why_not, "why it gave none")                                                   \
    FIELD(list, assumptions, true, json_texts(j, m->assumptions, has_any ? m->assumption_count : 0), "sentences")

static void put_methods(json_out *j, const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++) {
        const gcast_analysis *m = a->analyses[i];
        bool has_any = analysis_has_times(m);
        PUT_ELEMENT(METHOD_FIELDS);
    }
}

#define RESPONSE_FIELDS(FIELD, LINE)                                                                                   \
    FIELD(text, label, true, op->label, "name of the operation")                                                       \
    FIELD(text, task, op->task != GCAST_ONCE, a->workload->tasks[op->task].name, "its task")                           \
    FIELD(ns, release_ns, op->task != GCAST_ONCE, op->release_ns, "from the release of the task to its own")           \
    FIELD(ns, best_ns, true, r->never_called ? JSON_UNKNOWN : r->best_ns, "shortest response time")                    \
    FIELD(ns, seen_ns, a->searched, r->seen_ns > 0 ? r->seen_ns : JSON_UNKNOWN, "longest one that a search saw")       \
    FIELD(ns, worst_ns, true, bounded ? r->worst_ns : JSON_UNKNOWN, "longest one; null: no bound is known")            \
    FIELD(bool, never_called, r->never_called, true, "no execution calls it; times are null")                          \
    FIELD(ns, deadline_ns, has_deadline, r->deadline_ns, "its deadline")                                               \
    FIELD(ns, slack_ns, has_slack, gcast_answer_slack_ns(a, r), "deadline - worst_ns")                                 \
    FIELD(text, verdict, has_deadline, gcast_name(GCAST_NAMES_VERDICT, gcast_answer_verdict(a, r)),                    \
          "met, met if, missed or open")                                                                               \
    FIELD(ns, launch_limit_ns, has_deadline && r->launch_limit_ns >= 0, r->launch_limit_ns,                            \
          "met if: no call takes longer")                                                                              \
    FIELD(ns, growth_ns_per_hyperperiod, r->growth_ns, r->growth_ns, "how much later it ends each hyperperiod")

static void put_responses(json_out *j, const gcast_answer *a)
{
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        const gcast_op *op = &a->workload->ops[r->op];
        bool bounded = !r->never_called && r->worst_ns != GCAST_NO_BOUND;
        bool has_deadline = r->deadline_ns && !r->never_called, has_slack = has_deadline && bounded;
        PUT_ELEMENT(RESPONSE_FIELDS);
    }
}

#define ANSWER_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, schema, true, "gridcast.analysis/1", "the format")                                                     \
    FIELD(text, workload, true, a->workload->name, "the workload")                                                     \
    FIELD(text, gpu, true, a->gpu->name, "the GPU")                                                                    \
    FIELD(bool, complete, true, a->complete, "some method gave an answer")                                             \
    FIELD(bool, attained, true, a->attained, "worst times happen; else they are only bounds")                          \
    LINE(record, launch_latency, a->launch.used, put_latency(j, &a->launch), "from a launch to the GPU")               \
    LINE(record, copy_latency, a->copy.used, put_latency(j, &a->copy), "from the call of a copy to the GPU")           \
    LINE(ns, launch_limit_ns, a->conditional && a->launch_limit_ns >= 0, a->launch_limit_ns,                           \
         "met if: deadlines are met if no call takes longer")                                                          \
    LINE(int, duration_percent, a->duration_percent, a->duration_percent,                                              \
         "open: bound shows all deadlines met at this share of the times of kernels")                                  \
    FIELD(bool, piles_up, a->growth_searched, a->growth == GCAST_BACKLOG_PILES_UP,                                     \
          "response times are proven to grow for ever")                                                                \
    FIELD(count, grows_over_hyperperiods, a->growth_searched && a->growth == GCAST_BACKLOG_GROWS,                      \
          a->growth_hyperperiods, "they were seen to grow over so many; there is no proof")                            \
    FIELD(ns, growth_ns_per_hyperperiod, a->growth_searched && a->growth != GCAST_BACKLOG_UNKNOWN && growing,          \
          growing->growth_ns, "by how much the fastest grows")                                                         \
    LINE(bool, rests_on_assumed, a->assumed_count, a->rests_on_assumed,                                                \
         "verdicts are met if because of these numbers")                                                               \
    LINE(list, assumed, a->assumed_count, put_assumed(j, a), "numbers of the GPU that nobody has measured")            \
    LINE(list, rests_on_open, a->rests_on_open, put_open(j, a),                                                        \
         "verdicts are met if because the workload lacks carveout, blocking or registers")                             \
    LINE(int, open_registers, a->rests_on_open && a->rests_on_registers, a->open_registers,                            \
         "so many registers per thread change nothing")                                                                \
    LINE(list, notes, a->workload->note_count,                                                                         \
         json_texts(j, (const char *const *)a->workload->notes, a->workload->note_count), "notes of the workload")     \
    LINE(list, methods, true, put_methods(j, a), "methods that were tried")                                            \
    LINE(list, ops, true, put_responses(j, a), "operations")                                                           \
    LINE(object, thesis, answer_added(a), answer_added(a)->by->json(a, out), "method thesis: its numbers")

const record analysis_schema[] = {RECORD("", ANSWER_FIELDS),         RECORD("launch_latency", LATENCY_FIELDS),
                                  RECORD("assumed", ASSUMED_FIELDS), RECORD("methods", METHOD_FIELDS),
                                  RECORD("ops", RESPONSE_FIELDS),    {NULL, NULL}};

static void answer_json(const gcast_answer *a, text *out)
{
    const gcast_response *growing = growth_fastest(a);
    json_out *j = &(json_out){.out = out, .indent = 1};
    PUT_DOCUMENT(ANSWER_FIELDS);
}

gcast_status gcast_answer_report(const gcast_answer *a, gcast_format format, const gcast_report_options *given,
                                 gcast_write_fn write, void *data, gcast_error *err)
{
    if (!a || !write)
        return argument_missing(err);
    text t;
    gcast_report_options own = gcast_report_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_report_options", err);
    if (status == GCAST_OK && canvas_writes(format))
        status = canvas_check_format(format, err);
    if (status != GCAST_OK)
        return status;
    if (canvas_writes(format))
        return (answer_added(a) ? answer_added(a)->by->draw : verdict_draw)(a, format, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return format_refused("an analysis", format, err);
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        answer_json(a, &t);
    else
        answer_table(a, own.color, &t);
    return text_finish(&t, err);
}
