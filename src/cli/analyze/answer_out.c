/* An answer as a table with what it rests on, and as gridcast.analysis/1. */
#include "cli/analyze/answer.h"

#include <string.h>

#include "report/tables/clock_face.h"

#define DECIMALS 9 /* exact: a bound that is rounded down is none */

enum { OP, DEADLINE, BEST, WORST, SLACK, VERDICT, COLUMNS };

static clock_face face_of(const answer *a)
{
    int64_t longest = 0;
    for (size_t i = 0; i < a->count; i++) {
        const gcast_response *r = &a->responses[i];
        longest = r->deadline_ns > longest ? r->deadline_ns : longest;
        if (answer_bounded(r) && r->worst_ns > longest)
            longest = r->worst_ns;
    }
    clock_face f = clock_face_for(longest, DECIMALS);
    for (size_t i = 0; i < a->count; i++) {
        const gcast_response *r = &a->responses[i];
        clock_face_see(&f, r->deadline_ns);
        clock_face_see(&f, r->best_ns);
        clock_face_see(&f, a->w->ops[r->op].release_ns);
        if (answer_bounded(r))
            clock_face_see(&f, r->worst_ns);
    }
    return f;
}

static void row(grid *g, const answer *a, const gcast_response *r, clock_face f)
{
    verdict v = answer_verdict(a, r);
    bool bounded = answer_bounded(r);
    grid_add(g, v == VERDICT_MISSED || v == VERDICT_OPEN ? GRID_ALARM : GRID_PLAIN);
    grid_label(g, OP, a->w->ops[r->op].label);
    clock_face_cell(g, DEADLINE, r->deadline_ns, r->deadline_ns > 0, f);
    clock_face_cell(g, BEST, r->best_ns, !r->never_called, f);
    clock_face_cell(g, WORST, r->worst_ns, bounded, f);
    clock_face_cell(g, SLACK, bounded ? answer_slack(a, r) : 0, bounded && r->deadline_ns > 0, f);
    grid_cell(g, VERDICT, verdict_name(v));
}

static void put_methods(const answer *a, text *out)
{
    const char *before = "method ";
    for (size_t i = 0; i < a->part_count; i++)
        if (a->parts[i]->complete) {
            text_str(out, before);
            text_str(out, method_name(a->parts[i]->method));
            before = ", ";
        }
    size_t met = 0, all = 0;
    for (size_t i = 0; i < a->count; i++) {
        verdict v = answer_verdict(a, &a->responses[i]);
        met += v == VERDICT_MET;
        all += v != VERDICT_NONE;
    }
    if (all)
        text_printf(out, ": %zu of %zu deadlines met", met, all);
    text_char(out, '\n');
}

static bool said_before(const answer *a, size_t part, const char *sentence)
{
    for (size_t i = 0; i < part; i++)
        for (size_t k = 0; a->parts[i]->complete && k < a->parts[i]->assumption_count; k++)
            if (strcmp(a->parts[i]->assumptions[k], sentence) == 0)
                return true;
    return false;
}

static void put_assumptions(const answer *a, text *out)
{
    for (size_t i = 0; i < a->part_count; i++)
        for (size_t k = 0; a->parts[i]->complete && k < a->parts[i]->assumption_count; k++) {
            if (said_before(a, i, a->parts[i]->assumptions[k]))
                continue;
            text_str(out, "assumes: ");
            text_terminal(out, a->parts[i]->assumptions[k]);
            text_char(out, '\n');
        }
}

bool answer_table(const answer *a, bool color, text *out)
{
    clock_face f = face_of(a);
    char titles[COLUMNS][32];
    static const char *const names[] = {[DEADLINE] = "deadline", [BEST] = "best", [WORST] = "worst", [SLACK] = "slack"};
    grid_column columns[COLUMNS + 1] = {[OP] = {"op", false}, [VERDICT] = {"verdict", false}};
    for (int i = DEADLINE; i <= SLACK; i++)
        columns[i] = (grid_column){clock_face_title(titles[i], sizeof titles[i], names[i], f), true};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < a->count; i++)
        row(&g, a, &a->responses[i], f);
    bool ok = grid_text(&g, color, out);
    grid_close(&g);
    text_char(out, '\n');
    put_methods(a, out);
    text_printf(out, "best and worst are response times, from release to end%s; slack is deadline less worst\n",
                a->attained ? ", and happen" : ": no execution is beyond them");
    put_assumptions(a, out);
    return ok;
}

static void json_part(const gcast_analysis *part, text *out)
{
    text_str(out, "{\"method\": ");
    text_json(out, method_name(part->method));
    text_str(out, part->complete ? ", \"complete\": true" : ", \"complete\": false");
    if (part->why_not) {
        text_str(out, ", \"why_not\": ");
        text_json(out, part->why_not);
    }
    text_str(out, ", \"assumptions\": [");
    for (size_t i = 0; part->complete && i < part->assumption_count; i++) {
        text_str(out, i ? ", " : "");
        text_json(out, part->assumptions[i]);
    }
    text_str(out, "]}");
}

static void json_time(text *out, const char *key, int64_t ns, bool known)
{
    text_str(out, key);
    if (known)
        text_int(out, ns);
    else
        text_str(out, "null");
}

static void json_op(const answer *a, const gcast_response *r, text *out)
{
    const gcast_op *op = &a->w->ops[r->op];
    bool bounded = answer_bounded(r);
    text_str(out, "{\"label\": ");
    text_json(out, op->label);
    if (op->task != GCAST_ONCE) {
        text_str(out, ", \"task\": ");
        text_json(out, a->w->tasks[op->task].name);
        text_str(out, ", \"release_ns\": ");
        text_int(out, op->release_ns);
    }
    json_time(out, ", \"best_ns\": ", r->best_ns, !r->never_called);
    json_time(out, ", \"worst_ns\": ", r->worst_ns, bounded);
    if (r->never_called)
        text_str(out, ", \"never_called\": true");
    if (r->deadline_ns && !r->never_called) {
        text_str(out, ", \"deadline_ns\": ");
        text_int(out, r->deadline_ns);
        if (bounded) {
            text_str(out, ", \"slack_ns\": ");
            text_int(out, answer_slack(a, r));
        }
        text_str(out, ", \"verdict\": ");
        text_json(out, verdict_name(answer_verdict(a, r)));
    }
    text_char(out, '}');
}

void answer_json(const answer *a, text *out)
{
    text_str(out, "{\"schema\": \"gridcast.analysis/1\", \"workload\": ");
    text_json(out, a->w->name);
    text_str(out, ", \"gpu\": ");
    text_json(out, a->gpu->name);
    text_str(out, a->complete ? ", \"complete\": true" : ", \"complete\": false");
    text_str(out, a->attained ? ", \"attained\": true,\n \"methods\": [" : ", \"attained\": false,\n \"methods\": [");
    for (size_t i = 0; i < a->part_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        json_part(a->parts[i], out);
    }
    text_str(out, "],\n \"ops\": [");
    for (size_t i = 0; i < a->count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        json_op(a, &a->responses[i], out);
    }
    text_str(out, "]}\n");
}
