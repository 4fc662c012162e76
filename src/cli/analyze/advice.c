#include "cli/analyze/advice.h"

#include <stdio.h>
#include <string.h>

#include "analyze/added_method.h"
#include "analyze/advice/judge.h"
#include "analyze/time_limit.h"
#include "base/text.h"
#include "base/units.h"
#include "change/variant.h"
#include "cli/analyze/answer.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/advice.h"
#include "gridcast/names.h"
#include "report/grid.h"

/* --what-if repeats the analysis on other GPUs and on fewer SMs. */

enum { GPU, SMS, WORST, OP, VERDICT };

typedef struct what_if {
    const gcast_workload *w;
    const gcast_gpu *gpu;          /* sms= takes fewer of its SMs */
    judge judge;                   /* tells whether deadlines are met */
    gcast_analyze_options options; /* of the judge */
    time_limit limit;              /* for all rows together */
    bool attains;                  /* the worst times of the judge occur */
    bool is_conditional;           /* in some row deadlines are met if what is assumed of its GPU holds */
    grid g;                        /* the table */
} what_if;

static gcast_status add_row(what_if *x, const gcast_workload *w, const gcast_gpu *gpu)
{
    judgement v;
    gcast_error err;
    char time[40] = "no bound";
    x->options.max_ms = limit_left_ms(&x->limit);
    if (judge_ask(&x->judge, w, gpu, &v, &err) != GCAST_OK)
        return say_error(&err);
    grid_add(&x->g, v.known && !v.meets ? GRID_ALARM : GRID_PLAIN);
    grid_label(&x->g, GPU, gpu->name);
    grid_print(&x->g, SMS, "%d", gpu->sms);
    if (!v.known) {
        grid_cell(&x->g, VERDICT, "not known");
        return say(GCAST_OK, "note: %s with %d SMs: %s", gpu->name, gpu->sms, v.why);
    }
    if (v.worst_ns != GCAST_NO_BOUND)
        units_format_time(v.worst_ns, time, sizeof time);
    grid_cell(&x->g, WORST, time);
    if (w->op_count)
        grid_label(&x->g, OP, w->ops[v.worst_op].label);
    x->is_conditional = x->is_conditional || (v.deadlines && v.meets && v.conditional);
    const char *missed = x->attains ? "a deadline missed" : "open";
    grid_cell(&x->g, VERDICT,
              !v.deadlines    ? "no deadlines"
              : !v.meets      ? missed
              : v.conditional ? "deadlines met if"
                              : "deadlines met");
    return GCAST_OK;
}

/* Adds the row of a change; `other` is the GPU that it names, or NULL. */
static gcast_status with_change(what_if *x, const change *c, const gcast_gpu *other)
{
    gcast_error err;
    variant v;
    variant_base base = {.w = x->w, .gpu = x->gpu, .gpus = &other, .gpu_names = &c->name, .gpu_count = other ? 1 : 0};
    gcast_status status = variant_make(&base, c, 1, &v, &err);
    status = status == GCAST_OK ? add_row(x, v.w, v.gpu) : say_error(&err);
    variant_free(&v);
    return status;
}

/* Reads a number of SMs, which must end at one of the characters in `ends` or at the end of the text. */
static bool read_sms(const char **at, const char *ends, int *sms)
{
    uint64_t v;
    if (!read_digits(at, &v) || v < 1 || v > GCAST_MAX_SMS)
        return false;
    *sms = (int)v;
    return !**at || strchr(ends, **at);
}

/* A list such as 1,2,4..8. With x NULL it is only checked, here and below. */
static gcast_status on_sms_list(what_if *x, const char *list, const gcast_gpu *gpu)
{
    const char *at = list;
    gcast_status status = GCAST_OK;
    for (int first = 0, last = 0; status == GCAST_OK;) {
        bool ok = read_sms(&at, ",.", &first);
        last = first;
        if (ok && *at == '.')
            ok = at[1] == '.' && (at += 2, read_sms(&at, ",", &last)) && last >= first;
        if (!ok)
            return say(GCAST_USAGE, "--what-if sms= takes numbers and ranges such as 1,2,4..8, not %s", list);
        if (last > gpu->sms)
            return say(GCAST_USAGE, "--what-if sms=%s: there are %d SMs", list, gpu->sms);
        for (int n = first; x && n <= last && status == GCAST_OK; n++)
            status = with_change(x, &(change){.kind = CHANGE_SMS, .value = n}, NULL);
        if (!*at)
            break;
        at++;
    }
    return status;
}

static gcast_status on_gpu(what_if *x, const char *name)
{
    gcast_gpu *gpu;
    gcast_error err;
    if (gcast_gpu_load(name, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (x)
        gpu_notes_say(x->w, gpu);
    gcast_status status = x ? with_change(x, &(change){.kind = CHANGE_GPU, .name = name}, gpu) : GCAST_OK;
    gcast_gpu_free(gpu);
    return status;
}

static gcast_status one_change(what_if *x, const char *words, const gcast_gpu *gpu)
{
    if (strncmp(words, "sms=", 4) == 0)
        return on_sms_list(x, words + 4, gpu);
    if (strncmp(words, "gpu=", 4) == 0)
        return on_gpu(x, words + 4);
    return say(GCAST_USAGE, "--what-if is sms=LIST or gpu=NAME, not %s", words);
}

static gcast_status all_changes(what_if *x, const args *a, const gcast_gpu *gpu)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "what-if"))
            status = one_change(x, a->given[i].value, gpu);
    return status;
}

/* Prints a table with one row per GPU and number of SMs; without --what-if nothing. Sets *is_conditional if in some row
 * deadlines are met if what is assumed of its GPU holds. */
static gcast_status what_if_from_args(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const judge *j,
                                      bool attains, text *t, bool *is_conditional)
{
    static const grid_column columns[] = {
        [GPU] = {"GPU", false}, [SMS] = {"SMs", true},          [WORST] = {"worst response", true},
        [OP] = {"of", false},   [VERDICT] = {"verdict", false}, {NULL, false}};
    if (!args_has(a, "what-if"))
        return GCAST_OK;
    what_if x = {.w = w, .gpu = gpu, .judge = *j, .options = *j->options, .attains = attains};
    x.judge.options = &x.options;
    x.limit = limit_from_now(x.options.max_ms);
    grid_open(&x.g, columns);
    gcast_status status = all_changes(&x, a, gpu);
    if (status == GCAST_OK) {
        text_char(t, '\n');
        if (!grid_text(&x.g, want_color(a), t))
            status = say_no_memory();
    }
    *is_conditional = *is_conditional || x.is_conditional;
    grid_close(&x.g);
    return status;
}

/* Advice is printed as tables and sentences, each after an empty line. */

#define MAX_NAMES 100 /* operations of an order that are listed; of the best order all are */

/* A time, or "-" if there is none. */
static void time_cell(grid *g, int column, int64_t ns, bool applies)
{
    char cell[40] = "-";
    if (applies && ns != GCAST_NO_BOUND)
        units_format_time(ns, cell, sizeof cell);
    grid_cell(g, column, cell);
}

static bool put_grid(text *t, grid *g, bool color)
{
    text_char(t, '\n');
    bool ok = (g->rows.count == 0 && !g->failed) || grid_text(g, color, t);
    grid_close(g);
    return ok;
}

/* Does the limit come with a number? */
static bool has_value(gcast_limit limit)
{
    return limit == GCAST_LIMIT_EXACT || limit == GCAST_LIMIT_SAFE || limit == GCAST_LIMIT_TRIED;
}

static bool print_slacks(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { TASK, DEADLINE, END, KERNEL, WITHOUT };
    static const grid_column columns[] = {[TASK] = {"task", false},         [DEADLINE] = {"deadline", true},
                                          [END] = {"latest end", true},     [KERNEL] = {"waits most for", false},
                                          [WITHOUT] = {"without it", true}, {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->slack_count; i++) {
        const gcast_slack *x = &s->slacks[i];
        const gcast_task *task = &w->tasks[x->task];
        grid_add(&g, x->end_ns > task->deadline_ns ? GRID_ALARM : GRID_PLAIN);
        grid_label(&g, TASK, task->name);
        time_cell(&g, DEADLINE, task->deadline_ns, true);
        time_cell(&g, END, x->end_ns, true);
        grid_label(&g, KERNEL, x->op == SIZE_MAX ? "-" : w->ops[x->op].label);
        time_cell(&g, WITHOUT, x->without_ns, x->op != SIZE_MAX);
    }
    return put_grid(t, &g, color);
}

static bool print_growths(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { KERNEL, NOW, MAX, FACTOR, LIMIT };
    static const grid_column columns[] = {
        [KERNEL] = {"kernel", false}, [NOW] = {"longest block", true}, [MAX] = {"may be", true},
        [FACTOR] = {"factor", true},  [LIMIT] = {"limit", false},      {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->growth_count; i++) {
        const gcast_growth *x = &s->growths[i];
        bool value = has_value(x->limit);
        grid_add(&g, value && x->permille < 1000 ? GRID_ALARM : GRID_PLAIN);
        grid_label(&g, KERNEL, w->ops[x->op].label);
        time_cell(&g, NOW, x->longest_ns, true);
        time_cell(&g, MAX, x->max_allowed_ns, value);
        if (value)
            grid_print(&g, FACTOR, "%lld.%03lld", (long long)x->permille / 1000, (long long)x->permille % 1000);
        grid_cell(&g, LIMIT, gcast_name(GCAST_NAMES_LIMIT, x->limit));
    }
    return put_grid(t, &g, color);
}

static bool print_periods(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { TASK, NOW, MIN, LIMIT };
    static const grid_column columns[] = {[TASK] = {"task", false},
                                          [NOW] = {"period", true},
                                          [MIN] = {"may be", true},
                                          [LIMIT] = {"limit", false},
                                          {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->period_count; i++) {
        const gcast_min_period *x = &s->periods[i];
        grid_add(&g, GRID_PLAIN);
        grid_label(&g, TASK, w->tasks[x->task].name);
        time_cell(&g, NOW, x->period_ns, true);
        time_cell(&g, MIN, x->min_ns, has_value(x->limit));
        grid_cell(&g, LIMIT, gcast_name(GCAST_NAMES_LIMIT, x->limit));
    }
    return put_grid(t, &g, color);
}

/* Explains the words that occur under "limit". */
static void put_legend(text *t, const gcast_sensitivity *s)
{
    bool listed[GCAST_LIMITS] = {false};
    text_str(t, "\nwithout it: the latest end if that took 1 ns\n");
    for (size_t i = 0; i < s->growth_count; i++)
        listed[s->growths[i].limit] = true;
    for (size_t i = 0; i < s->period_count; i++)
        listed[s->periods[i].limit] = true;
    for (int l = 0; l < GCAST_LIMITS; l++)
        if (listed[l])
            text_printf(t, "%s: %s\n", gcast_name(GCAST_NAMES_LIMIT, (gcast_limit)l),
                        gcast_text(GCAST_NAMES_LIMIT, (gcast_limit)l));
}

/* False without memory. */
static bool advice_print_sensitivity(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    if (s->why_not) {
        text_str(t, "\nsensitivity: ");
        text_terminal(t, s->why_not);
        text_char(t, '\n');
        return true;
    }
    bool ok = print_slacks(t, color, w, s) && print_growths(t, color, w, s) && print_periods(t, color, w, s);
    put_legend(t, s);
    return ok;
}

/* The minimised value, in words. The makespan is the end of the last operation. */
static const char *value_name(gcast_goal goal)
{
    return goal == GCAST_GOAL_MAKESPAN ? "last end" : gcast_name(GCAST_NAMES_GOAL, goal);
}

static void put_value(text *t, gcast_goal goal, int64_t value)
{
    char time[40];
    units_format_time(value, time, sizeof time);
    if (goal == GCAST_GOAL_LATE)
        text_int(t, value);
    else
        text_str(t, time);
}

/* Lists the best order in full, since it is meant to be used; other orders up to MAX_NAMES. */
static void put_order(text *t, const gcast_workload *w, const gcast_orders *o, const char *name, const size_t *order,
                      int64_t value, const char *note)
{
    size_t shown = order == o->best || o->count <= MAX_NAMES ? o->count : MAX_NAMES;
    text_printf(t, "%s %s ", name, value_name(o->goal));
    put_value(t, o->goal, value);
    text_printf(t, "%s:", note);
    for (size_t i = 0; i < shown; i++) {
        text_char(t, ' ');
        text_terminal(t, w->ops[order[i]].label);
    }
    if (shown < o->count)
        text_printf(t, " and %zu more", o->count - shown);
    text_char(t, '\n');
}

static void advice_print_orders(text *t, const gcast_workload *w, const gcast_orders *o)
{
    text_char(t, '\n');
    if (o->count < 2) {
        text_str(t, "order: nothing is called together that could be called in another order\n");
        return;
    }
    if (!o->runs) {
        text_printf(t, "order: none was simulated to its end; %s\n", o->stopped ? o->stopped : "it was stopped");
        return;
    }
    if (o->best_proven && o->worst_proven && o->best_value == o->worst_value) {
        text_printf(t, "in every order of %zu operations the same %s: ", o->count, value_name(o->goal));
        put_value(t, o->goal, o->best_value);
        text_printf(t, "\n%llu simulations\n", (unsigned long long)o->runs);
        return;
    }
    put_order(t, w, o, "given", o->given, o->given_value, "");
    put_order(t, w, o, "best ", o->best, o->best_value, o->best_proven ? "" : " (of those tried)");
    put_order(t, w, o, "worst", o->worst, o->worst_value, o->worst_proven ? "" : " (of those tried)");
    if (!o->best_proven) {
        text_str(t, "no order is below ");
        put_value(t, o->goal, o->bound);
        text_str(t, ", so the best may be too large by up to ");
        put_value(t, o->goal, o->best_value - o->bound);
        text_char(t, '\n');
    }
    text_printf(t, "%llu simulations%s%s\n", (unsigned long long)o->runs, o->stopped ? "; " : "",
                o->stopped ? o->stopped : "");
}

/* False without memory. */
static bool advice_print_levels(text *t, bool color, const gcast_workload *w, const gcast_levels *l)
{
    enum { STREAM, NOW, NEW };
    static const grid_column columns[] = {
        [STREAM] = {"stream", true}, [NOW] = {"priority", true}, [NEW] = {"may be", true}, {NULL, false}};
    grid g;
    if (l->why_not || !l->found) {
        text_str(t, "\npriorities: ");
        text_terminal(t, l->why_not ? l->why_not
                         : l->none  ? "by this method none meet all deadlines"
                                    : "none were found that meet all deadlines");
        text_str(t, l->why_not || l->none ? "\n" : ", which is no proof that there are none\n");
        return true;
    }
    grid_open(&g, columns);
    for (size_t i = 0; i < l->stream_count; i++) {
        if (!l->assigned[i])
            continue;
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, STREAM, "%d", w->streams[i].id);
        grid_print(&g, NOW, "%d", w->streams[i].priority);
        grid_print(&g, NEW, "%d", l->priorities[i]);
    }
    bool ok = put_grid(t, &g, color);
    text_printf(t, "with these priorities all deadlines are met%s\n",
                l->conditional ? ", if the assumed values of the GPU hold" : "");
    return ok;
}

static const option_spec advice_options[] = {ADVICE_OPTIONS};

typedef struct advice {
    const args *a;              /* the command line */
    const gcast_answer *answer; /* the analysis that the advice is about */
    bool is_conditional;        /* some table holds only if what is assumed of the GPU does */
    progress shown;             /* the line on stderr */
    int64_t max_ms;             /* time limit for each kind of advice */
    text *t;                    /* standard output */
} advice;

static bool show_part(void *data, const char *part, double fraction)
{
    advice *q = data;
    if (q->shown.activity != part)
        progress_next(&q->shown, part, q->max_ms);
    return progress_show(&q->shown, fraction);
}

/* The analyses of --what-if are many, so the progress of a single one says nothing about the total. */
static bool show_without_fraction(void *shown, double fraction)
{
    (void)fraction;
    return progress_show(shown, -1);
}

static gcast_status print_advice(advice *q, const gcast_advice *given)
{
    const gcast_workload *w = q->answer->workload;
    const gcast_answer *r = q->answer;
    bool color = want_color(q->a), ok = true;
    if (given->sensitivity) {
        ok = advice_print_sensitivity(q->t, color, w, given->sensitivity);
        q->is_conditional = !given->sensitivity->why_not &&
                            (r->conditional || r->rests_on_assumed || r->rests_on_open || w->note_count);
    }
    if (given->orders)
        advice_print_orders(q->t, w, given->orders);
    if (given->levels)
        ok = advice_print_levels(q->t, color, w, given->levels) && ok;
    return ok ? GCAST_OK : say_no_memory();
}

/* Sensitivity, order and priorities. */
static gcast_status advise(advice *q, const gcast_analysis *by, const gcast_analyze_options *options)
{
    const char *goal = args_value(q->a, "order");
    const added_method *added = ((const owned_analysis *)by->memory)->by;
    gcast_advise_options asked = gcast_advise_options_default();
    gcast_advice *given;
    gcast_error err;
    int named = 0;
    asked.sensitivity = args_has(q->a, "sensitivity");
    asked.orders = goal && gcast_find_name(GCAST_NAMES_GOAL, goal, &named);
    asked.levels = args_has(q->a, "priorities");
    if (!asked.sensitivity && !asked.orders && !asked.levels)
        return GCAST_OK;
    if (!added)
        asked.method = by->method;
    asked.analyze = options;
    asked.goal = (gcast_goal)named;
    asked.horizon_ns = options->horizon_ns;
    asked.max_ms = options->max_ms;
    asked.progress = show_part;
    asked.progress_data = q;
    gcast_status status = added_method_advise(added, q->answer->workload, q->answer->gpu, &asked, &given, &err);
    if (status != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", q->answer->workload->source);
        return say_error(&err);
    }
    status = print_advice(q, given);
    gcast_advice_free(given);
    return status;
}

bool advice_wanted(const args *a)
{
    for (size_t i = 0; i < sizeof advice_options / sizeof advice_options[0]; i++)
        if (args_has(a, advice_options[i].name))
            return true;
    return false;
}

gcast_status advice_check(const args *a, const gcast_gpu *gpu)
{
    int goal;
    gcast_status status = args_choice(a, "order", goal_choices, &goal);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json") && advice_wanted(a))
        return say(GCAST_USAGE, "--sensitivity, --order, --priorities and --what-if cannot be used with --json");
    return all_changes(NULL, a, gpu);
}

/* Several methods gave the answer: says which one the advice is by. */
static void print_method(advice *q, const gcast_analysis *by)
{
    if (args_has(q->a, "sensitivity") || args_has(q->a, "priorities") || args_has(q->a, "what-if"))
        text_printf(q->t, "\nadvice by %s alone\n", analysis_method_name(by));
}

gcast_status advice_from_args(const args *a, const gcast_answer *answer, const gcast_analysis *by, bool is_only_method,
                              const gcast_analyze_options *options)
{
    gcast_analyze_options watched = *options;
    advice q = {.a = a, .answer = answer, .max_ms = options->max_ms};
    output out;
    if (!advice_wanted(a))
        return GCAST_OK;
    progress_start(&q.shown, "advice");
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    q.t = &out.words;
    if (!is_only_method)
        print_method(&q, by);
    status = advise(&q, by, options);
    progress_next(&q.shown, "what if", 0);
    watched.progress = show_without_fraction;
    watched.progress_data = &q.shown;
    const added_method *added = ((const owned_analysis *)by->memory)->by;
    judge j = added ? judge_by_added(added, &watched) : judge_by_method(by->method, &watched);
    if (status == GCAST_OK)
        status = what_if_from_args(a, answer->workload, answer->gpu, &j, analysis_attains(by), q.t, &q.is_conditional);
    if (status == GCAST_OK && q.is_conditional)
        text_str(q.t, "\nmet if: the assumed values of the GPU hold, such as how long calls take to reach it\n");
    progress_end(&q.shown);
    return output_finish(&out, status, NULL);
}
