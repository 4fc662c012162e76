/* gcast_whatif_report: what changes bring, for people and as gridcast.whatif/1. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "change/change_text.h"
#include "gridcast/names.h"
#include "gridcast/whatif.h"
#include "report/format_names.h"
#include "report/grid.h"
#include "report/phrases.h"
#include "report/schemas.h"
#include "whatif/whatif_rows.h"

/* The output for people: where the time goes, and a row for each change. */

#define US_WIDTH 12

enum { NR, END, SPAN, WON, SHARE, MISSES, WHY, CHANGE };

static const grid_column columns[] = {{"nr", true},
                                      {"end us", true},
                                      {"GPU us", true},
                                      {"won us", true},
                                      {"%", true},
                                      {"missed", true},
                                      {"critical path before, after", false},
                                      {"change", false},
                                      {NULL, false}};
static const grid_column columns_without_deadlines[] = {{"nr", true},      {"end us", true},
                                                        {"GPU us", true},  {"won us", true},
                                                        {"%", true},       {"critical path before, after", false},
                                                        {"change", false}, {NULL, false}};

/* Microseconds with all their digits. */
static void put_us(text *t, int64_t ns, int width)
{
    const char *sign = ns < 0 ? "-" : "";
    uint64_t n = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    char digits[48];
    snprintf(digits, sizeof digits, "%s%" PRIu64 ".%03u", sign, n / 1000, (unsigned)(n % 1000));
    text_printf(t, "%*s", width, digits);
}

static void put_head(text *t, const gcast_whatif *r)
{
    text_terminal(t, *r->base.from.w->name ? r->base.from.w->name : r->base.from.w->source);
    text_str(t, " on ");
    text_terminal(t, r->base.from.gpu->name);
    if (r->base.of) {
        text_str(t, ": the end of ");
        text_terminal(t, r->base.of);
        text_str(t, " is at ");
    } else {
        text_str(t, ": the last end is at ");
    }
    put_us(t, r->before.end_ns, 0);
    text_str(t, " us, from the first start on the GPU to the last end ");
    put_us(t, r->before.gpu_ns, 0);
    text_str(t, " us");
    if (r->before.deadlines)
        text_printf(t, ", %zu of %zu deadlines missed", r->before.misses, r->before.deadlines);
    text_char(t, '\n');
}

static void put_labels(text *t, const gcast_whatif *r)
{
    if (!r->before.has_path)
        return;
    text_printf(t, "\n%*s %7s  where the time goes: the critical path, back from there to time 0\n", US_WIDTH, "us",
                "share");
    for (int k = 0; k < WAIT_LABELS; k++) {
        if (!r->before.by_label[k])
            continue;
        put_us(t, r->before.by_label[k], US_WIDTH);
        phrase_share(t, r->before.by_label[k], r->before.end_ns);
        text_printf(t, "  %-15s %s\n", wait_label_title((wait_label)k), wait_label_text((wait_label)k));
    }
    put_us(t, r->before.end_ns, US_WIDTH);
    text_str(t, "          in all\n");
    if (r->before.is_coarse)
        text_str(t, "more than 2 million blocks: time that a started kernel waits for SMs is counted as busy\n");
}

static void put_op(text *t, const gcast_workload *w, const path_part *p)
{
    const gcast_op *op = &w->ops[p->op];
    text_terminal(t, op->label);
    if (op->task != GCAST_ONCE)
        text_printf(t, "#%u", p->job);
}

static void put_parts(text *t, const gcast_whatif *r)
{
    text_printf(t, "\n%*s %*s  %-15s operation: why\n", US_WIDTH, "from us", US_WIDTH, "for us", "what");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        put_us(t, p->from_ns, US_WIDTH);
        text_char(t, ' ');
        put_us(t, p->to_ns - p->from_ns, US_WIDTH);
        text_printf(t, "  %-15s ", wait_label_title(p->label));
        put_op(t, r->base.from.w, p);
        text_printf(t, ": %s", gcast_text(GCAST_NAMES_REASON, p->reason));
        phrase_rule(t, p->reason, 0);
        text_char(t, '\n');
    }
}

/* Fills a cell, and escapes control characters, which labels from files may have. */
static void put_cell(grid *g, int column, text *made)
{
    text shown;
    text_open(&shown, NULL, NULL);
    text_made(&shown, made, text_terminal);
    char *escaped = text_take(&shown, NULL);
    char *kept = escaped ? arena_strdup(&g->memory, escaped) : NULL;
    if (kept)
        grid_cell(g, column, kept);
    else
        g->failed = true;
    free(escaped);
}

static void cell_us(grid *g, int column, int64_t ns)
{
    text t;
    text_open(&t, NULL, NULL);
    put_us(&t, ns, 0);
    put_cell(g, column, &t);
}

static void cell_change(grid *g, int column, const gcast_whatif *r, const whatif_row *row)
{
    text t;
    text_open(&t, NULL, NULL);
    whatif_put_changes(row, &t);
    text_str(&t, ": ");
    whatif_put_words(r, row, &t);
    put_cell(g, column, &t);
}

static void cell_why(grid *g, int column, const gcast_whatif *r, const whatif_row *row)
{
    wait_label label;
    int64_t ns;
    if (row->state == WHATIF_HANGS) {
        grid_cell(g, column, "it hangs");
        return;
    }
    if (!whatif_why(&r->before, row, &label, &ns))
        return;
    text t;
    text_open(&t, NULL, NULL);
    text_printf(&t, "%s ", wait_label_title(label));
    put_us(&t, r->before.by_label[label], 0);
    text_str(&t, ", ");
    put_us(&t, row->by_label[label], 0);
    put_cell(g, column, &t);
}

/* How much of the end a change wins, in percent with one decimal. No floats: locales write them differently. */
static void cell_share(grid *g, int column, const gcast_whatif *r, int64_t won)
{
    uint64_t end = (uint64_t)r->before.end_ns, part = won < 0 ? -(uint64_t)won : (uint64_t)won;
    uint64_t permille = end ? (uint64_t)(((unsigned __int128)part * 1000 + end / 2) / end) : 0;
    grid_print(g, column, "%s%" PRIu64 ".%u", won < 0 && permille ? "-" : "", permille / 10, (unsigned)(permille % 10));
}

static void add_row(grid *g, const gcast_whatif *r, size_t i)
{
    const whatif_row *row = &r->rows.at[i];
    bool misses = r->before.deadlines > 0;
    grid_add(g, row->state == WHATIF_DONE ? GRID_PLAIN : GRID_DIM);
    grid_print(g, NR, "%zu", i + 1);
    if (row->state == WHATIF_DONE) {
        int64_t won = whatif_won_ns(&r->before, row);
        cell_us(g, END, row->end_ns);
        cell_us(g, SPAN, row->gpu_ns);
        cell_us(g, WON, won);
        cell_share(g, SHARE, r, won);
        if (misses)
            grid_print(g, MISSES, "%zu", row->misses);
    }
    cell_why(g, WHY - !misses, r, row);
    cell_change(g, CHANGE - !misses, r, row);
}

/* Says which change cannot be made, and why. */
static void put_refused(text *t, const whatif_row *row)
{
    text made;
    text_open(&made, NULL, NULL);
    whatif_put_changes(row, &made);
    text_printf(&made, " not tried: %s", row->refusal);
    text_made(t, &made, text_terminal);
    text_char(t, '\n');
}

/* Says how many rows are not shown: `nothing` changes bring nothing, `worse` ones cost time. */
static void put_hidden(text *t, const gcast_whatif *r, size_t nothing, size_t worse)
{
    if (nothing)
        text_printf(t, "%zu change%s nothing", nothing, nothing == 1 ? " brings" : "s bring");
    if (nothing && worse)
        text_str(t, ", ");
    if (worse)
        text_printf(t, "%zu %scost%s time", worse,
                    nothing      ? ""
                    : worse == 1 ? "change "
                                 : "changes ",
                    worse == 1 ? "s" : "");
    if (worse && r->before.deadlines)
        text_str(t, " or deadlines");
    if (nothing || worse)
        text_str(t, "; --all shows them\n");
}

static void put_not_tried(text *t, const gcast_whatif *r)
{
    if (r->not_tried)
        text_printf(t, "%zu changes not tried: %zu operations, limit %d; --all tries them\n", r->not_tried,
                    r->base.from.w->op_count, WHATIF_MANY_OPS);
}

/* The other GPU that a row is on; NULL: none. */
static const gcast_gpu *other_gpu(const gcast_whatif *r, const whatif_row *row)
{
    for (size_t i = 0; i < row->change_count; i++)
        for (size_t k = 0; row->changes[i].kind == CHANGE_GPU && k < r->base.from.gpu_count; k++)
            if (strcmp(r->base.from.gpu_names[k], row->changes[i].name) == 0)
                return r->base.from.gpus[k];
    return NULL;
}

/* Does `there` lack times that `here` has? They were not measured, count as 0, and look like time won. */
static bool lacks_times(const gcast_gpu *here, const gcast_gpu *there)
{
    return (here->launch_latency_ns && !there->launch_latency_ns) || (here->stream_gap_ns && !there->stream_gap_ns) ||
           (here->handover_ns && !there->handover_ns);
}

static bool is_shown(const gcast_whatif *r, const whatif_row *row, bool all)
{
    return row->state != WHATIF_REFUSED &&
           (all || r->with_given || row->state == WHATIF_HANGS || whatif_rows_brings(r, row));
}

static void put_lacking(text *t, const gcast_gpu *gpu, bool *any)
{
    text_str(t, *any ? ", " : "latencies and gaps count as 0, since nobody has measured them, on ");
    text_terminal(t, gpu->name);
    *any = true;
}

static void put_gpu_notes(text *t, const gcast_whatif *r, bool all)
{
    bool any = false, lacking = false, here_lacks = false;
    for (size_t i = 0; i < r->rows.count; i++) {
        const gcast_gpu *gpu = is_shown(r, &r->rows.at[i], all) ? other_gpu(r, &r->rows.at[i]) : NULL;
        any = any || gpu;
        here_lacks = here_lacks || (gpu && lacks_times(gpu, r->base.from.gpu));
        if (gpu && lacks_times(r->base.from.gpu, gpu))
            put_lacking(t, gpu, &lacking);
    }
    if (here_lacks)
        put_lacking(t, r->base.from.gpu, &lacking);
    if (lacking)
        text_str(t, ", which looks faster by that\n");
    if (any)
        text_str(t, "on another GPU blocks take as long as on this one, unless scale=PERCENT says otherwise\n");
}

static void put_rows(text *t, const gcast_whatif *r, bool all)
{
    grid g;
    size_t nothing = 0, worse = 0, shown = 0;
    grid_open(&g, r->before.deadlines ? columns : columns_without_deadlines);
    for (size_t i = 0; i < r->rows.count; i++) {
        const whatif_row *row = &r->rows.at[i];
        if (row->state == WHATIF_REFUSED)
            continue;
        if (is_shown(r, row, all)) {
            add_row(&g, r, i);
            shown++;
            continue;
        }
        bool costs = row->end_ns > r->before.end_ns || row->misses > r->before.misses;
        nothing += !costs;
        worse += costs;
    }
    text_char(t, '\n');
    if (shown)
        grid_text(&g, false, t);
    put_hidden(t, r, nothing, worse);
    put_not_tried(t, r);
    for (size_t i = 0; i < r->rows.count; i++)
        if (r->rows.at[i].state == WHATIF_REFUSED)
            put_refused(t, &r->rows.at[i]);
    put_gpu_notes(t, r, all);
    grid_close(&g);
}

/* `all`: also shows changes that bring nothing. `parts`: shows the critical path part by part. */
static void whatif_print(text *t, const gcast_whatif *r, bool all, bool parts)
{
    put_head(t, r);
    put_labels(t, r);
    if (parts && r->before.has_path)
        put_parts(t, r);
    put_rows(t, r, all);
}

/* The output as gridcast.whatif/1. */

static void put_json_labels(json_out *j, const whatif_row *row)
{
    for (int k = 0; k < WAIT_LABELS && row->has_path; k++)
        json_put_ns(j, wait_label_name((wait_label)k), row->by_label[k]);
}

#define CHANGE_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(made, with, true, &with, "as --with takes it")                                                               \
    FIELD(made, text, true, &words, "in words")                                                                        \
    FIELD(text, condition, change_condition(c), change_condition(c), "what must hold for it")

static void put_json_changes(json_out *j, const whatif_row *row)
{
    for (size_t i = 0; i < row->change_count; i++) {
        const change *c = &row->changes[i];
        text with, words;
        text_open(&with, NULL, NULL);
        text_open(&words, NULL, NULL);
        change_write(c, &with);
        change_say(c, &words);
        PUT_OBJECT(CHANGE_FIELDS);
    }
}

#define WHY_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(text, label, true, wait_label_name(label), "label that shrank most, or grew most if nothing was won")        \
    FIELD(ns, ns, true, ns, "by how much; below 0: it shrank")

FIELD_WRITER(put_json_why, WHY_FIELDS, wait_label label, int64_t ns)

#define ROW_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(count, nr, true, i + 1, "1: the best")                                                                       \
    FIELD(list, changes, true, put_json_changes(j, row), "what was changed")                                           \
    FIELD(text, state, true, states[row->state], "done, refused or hangs")                                             \
    FIELD(text, refusal, row->state == WHATIF_REFUSED, row->refusal, "why it cannot be made")                          \
    FIELD(ns, end_ns, done, row->end_ns, "last end with the changes")                                                  \
    FIELD(ns, gpu_ns, done, row->gpu_ns, "from the first start on the GPU to the last end")                            \
    FIELD(ns, won_ns, done, whatif_won_ns(&r->before, row), "how much earlier the end is")                             \
    FIELD(count, lost_dependencies, lost > 0, lost, "dependencies that the changes lose")                              \
    FIELD(count, deadlines, done && r->before.deadlines, row->deadlines, "jobs with a deadline")                       \
    FIELD(count, missed, done && r->before.deadlines, row->misses, "of these, jobs that miss it")                      \
    FIELD(record, labels, done, put_json_labels(j, row), "time of the critical path by label, sum end_ns")             \
    FIELD(record, why, has_why, put_json_why(j, label, ns), "where most of the time was won")

static void put_json_rows(json_out *j, const gcast_whatif *r)
{
    static const char *const states[] = {"done", "refused", "hangs"};
    for (size_t i = 0; i < r->rows.count; i++) {
        const whatif_row *row = &r->rows.at[i];
        bool done = row->state == WHATIF_DONE;
        wait_label label;
        int64_t ns;
        bool has_why = done ? whatif_why(&r->before, row, &label, &ns) : false;
        size_t lost = done ? whatif_lost(&r->before, row) : 0;
        PUT_ELEMENT(ROW_FIELDS);
    }
}

#define PART_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, op, true, r->base.from.w->ops[p->op].label, "name of the operation")                                   \
    FIELD(count, job, true, p->job, "job of its task")                                                                 \
    FIELD(text, label, true, wait_label_name(p->label), "what the time is of")                                         \
    FIELD(text, rule, true, gcast_name(GCAST_NAMES_REASON, p->reason), "why, as in gridcast.explanation/1")            \
    FIELD(ns, from_ns, true, p->from_ns, "begin")                                                                      \
    FIELD(ns, to_ns, true, p->to_ns, "end")

static void put_json_path(json_out *j, const gcast_whatif *r)
{
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        PUT_ELEMENT(PART_FIELDS);
    }
}

#define WHATIF_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, schema, true, "gridcast.whatif/1", "the format")                                                       \
    FIELD(text, workload, true, r->base.from.w->name, "the workload")                                                  \
    FIELD(text, gpu, true, r->base.from.gpu->name, "the GPU")                                                          \
    FIELD(text, of, r->base.of, r->base.of, "operation whose end is looked at")                                        \
    FIELD(ns, end_ns, true, r->before.end_ns, "last end, or end of `of`")                                              \
    FIELD(ns, gpu_ns, true, r->before.gpu_ns, "from the first start on the GPU to the last end")                       \
    FIELD(count, not_tried, r->not_tried, r->not_tried, "changes not tried: too many operations")                      \
    FIELD(count, deadlines, r->before.deadlines, r->before.deadlines, "jobs with a deadline")                          \
    FIELD(count, missed, r->before.deadlines, r->before.misses, "of these, jobs that miss it")                         \
    FIELD(record, labels, true, put_json_labels(j, &r->before), "time of the critical path by label, sum end_ns")      \
    LINE(list, path, true, put_json_path(j, r), "parts of the critical path, from 0 to end_ns")                        \
    LINE(list, rows, true, put_json_rows(j, r), "changes, best first")

const record whatif_schema[] = {RECORD("", WHATIF_FIELDS),      RECORD("path", PART_FIELDS),
                                RECORD("rows", ROW_FIELDS),     RECORD("rows.changes", CHANGE_FIELDS),
                                RECORD("rows.why", WHY_FIELDS), {NULL, NULL}};

static void whatif_json(text *t, const gcast_whatif *r)
{
    json_out *j = &(json_out){.out = t};
    PUT_DOCUMENT(WHATIF_FIELDS);
}

gcast_status gcast_whatif_report(const gcast_whatif *x, gcast_format format, bool all, bool path, gcast_write_fn write,
                                 void *data, gcast_error *err)
{
    if (!x || !write)
        return argument_missing(err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return format_refused("what changes bring", format, err);
    text t;
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        whatif_json(&t, x);
    else
        whatif_print(&t, x, all, path);
    return text_finish(&t, err);
}
