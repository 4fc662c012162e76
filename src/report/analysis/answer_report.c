/* gcast_answer_report: the answer of an analysis as a table, as JSON or as a picture. */
#include "base/api.h"
#include "base/text.h"
#include "gridcast/analyze.h"
#include "gridcast/names.h"
#include "model/research/thesis_analysis.h"
#include "report/analysis/answer_conditions.h"
#include "report/analysis/answer_table.h"
#include "report/analysis/thesis_report.h"
#include "report/analysis/verdict_draw.h"
#include "report/canvas/canvas.h"

/* answer_json writes gridcast.analysis/1 (docs/formats.md). */

static void put_analysis(const gcast_analysis *analysis, text *out)
{
    text_str(out, "{\"method\": ");
    text_json(out, gcast_name(GCAST_NAMES_METHOD, analysis->method));
    text_str(out, analysis->complete ? ", \"complete\": true" : ", \"complete\": false");
    if (analysis->why_not) {
        text_str(out, ", \"why_not\": ");
        text_json(out, analysis->why_not);
    }
    text_str(out, ", \"assumptions\": [");
    for (size_t i = 0; (analysis->complete || analysis->thesis) && i < analysis->assumption_count; i++) {
        text_str(out, i ? ", " : "");
        text_json(out, analysis->assumptions[i]);
    }
    text_str(out, "]}");
}

static void put_time(text *out, const char *key, int64_t ns, bool known)
{
    text_str(out, key);
    if (known)
        text_int(out, ns);
    else
        text_str(out, "null");
}

static void put_op(const gcast_answer *a, const gcast_response *r, text *out)
{
    const gcast_op *op = &a->workload->ops[r->op];
    bool bounded = !r->never_called && r->worst_ns != GCAST_NO_BOUND;
    text_str(out, "{\"label\": ");
    text_json(out, op->label);
    if (op->task != GCAST_ONCE) {
        text_str(out, ", \"task\": ");
        text_json(out, a->workload->tasks[op->task].name);
        text_str(out, ", \"release_ns\": ");
        text_int(out, op->release_ns);
    }
    put_time(out, ", \"best_ns\": ", r->best_ns, !r->never_called);
    if (a->searched)
        put_time(out, ", \"seen_ns\": ", r->seen_ns, r->seen_ns > 0);
    put_time(out, ", \"worst_ns\": ", r->worst_ns, bounded);
    if (r->never_called)
        text_str(out, ", \"never_called\": true");
    if (r->deadline_ns && !r->never_called) {
        text_str(out, ", \"deadline_ns\": ");
        text_int(out, r->deadline_ns);
        if (bounded) {
            text_str(out, ", \"slack_ns\": ");
            text_int(out, gcast_answer_slack_ns(a, r));
        }
        text_str(out, ", \"verdict\": ");
        text_json(out, gcast_name(GCAST_NAMES_VERDICT, gcast_answer_verdict(a, r)));
        if (r->launch_limit_ns >= 0)
            put_time(out, ", \"launch_limit_ns\": ", r->launch_limit_ns, true);
    }
    if (r->growth_ns)
        put_time(out, ", \"growth_ns_per_hyperperiod\": ", r->growth_ns, true);
    text_char(out, '}');
}

static void answer_json(const gcast_answer *a, text *out)
{
    text_str(out, "{\"schema\": \"gridcast.analysis/1\", \"workload\": ");
    text_json(out, a->workload->name);
    text_str(out, ", \"gpu\": ");
    text_json(out, a->gpu->name);
    text_str(out, a->complete ? ", \"complete\": true" : ", \"complete\": false");
    text_str(out, a->attained ? ", \"attained\": true" : ", \"attained\": false");
    latency_json(a, out);
    duration_json(a, out);
    growth_json(a, out);
    assumed_json(a, out);
    open_json(a, out);
    note_json(a, out);
    text_str(out, ",\n \"methods\": [");
    for (size_t i = 0; i < a->analysis_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_analysis(a->analyses[i], out);
    }
    text_str(out, "],\n \"ops\": [");
    for (size_t i = 0; i < a->response_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_op(a, &a->responses[i], out);
    }
    text_char(out, ']');
    if (gcast_answer_thesis(a)) {
        text_str(out, ",\n \"thesis\": ");
        thesis_json(a, gcast_answer_thesis(a), out);
    }
    text_str(out, "}\n");
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
        return (gcast_answer_thesis(a) ? thesis_draw : verdict_draw)(a, format, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return gcast_error_set(err, GCAST_USAGE, NULL, "an analysis cannot be written as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        answer_json(a, &t);
    else
        answer_table(a, own.color, &t);
    return text_finish(&t, err);
}
