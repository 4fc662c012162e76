#include "cli/analyze/advice.h"

#include <stdio.h>

#include "cli/analyze/advice_print.h"
#include "cli/analyze/what_if.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"

static const option_spec advice_options[] = {ADVICE_OPTIONS};

typedef struct advice {
    const args *a;              /* the command line */
    const gcast_workload *w;    /* the workload */
    const gcast_gpu *gpu;       /* that it runs on */
    const gcast_answer *answer; /* that the advice is about */
    gcast_judge judge;          /* tells whether a changed workload meets its deadlines */
    int64_t max_ms;             /* for each kind of advice */
    int64_t horizon_ns;         /* of --horizon */
    bool is_conditional;        /* some table holds if what is assumed of the GPU does */
    progress shown;
    text *t; /* standard output */
} advice;

/* The judge makes many analyses in sequence, so the progress of a single analysis says nothing about the total. */
static bool show_without_fraction(void *shown, double fraction)
{
    (void)fraction;
    return progress_show(shown, -1);
}

static gcast_status status_of_print(bool ok)
{
    return ok ? GCAST_OK : say_no_memory();
}

static gcast_status advise_sensitivity(advice *q)
{
    gcast_sensitivity *s;
    gcast_error err;
    if (!args_has(q->a, "sensitivity"))
        return GCAST_OK;
    progress_next(&q->shown, "sensitivity", q->max_ms);
    if (gcast_judge_find_sensitivity(&q->judge, q->w, q->gpu, q->max_ms, &s, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = advice_print_sensitivity(q->t, want_color(q->a), q->w, s);
    const gcast_answer *r = q->answer;
    q->is_conditional = !s->why_not && (r->conditional || r->rests_on_assumed || r->rests_on_open || q->w->note_count);
    gcast_sensitivity_free(s);
    return status_of_print(ok);
}

static gcast_status advise_orders(advice *q)
{
    const char *goal = args_value(q->a, "order");
    gcast_order_options options = gcast_order_options_default();
    gcast_orders *o;
    gcast_error err;
    if (!goal || !gcast_goal_find(goal, &options.goal))
        return GCAST_OK;
    progress_next(&q->shown, "orders", q->max_ms);
    options.max_ms = q->max_ms;
    options.horizon_ns = q->horizon_ns;
    options.progress = progress_show;
    options.progress_data = &q->shown;
    gcast_status status = gcast_workload_find_orders(q->w, q->gpu, &options, &o, &err);
    if (status != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", q->w->source);
        return say_error(&err);
    }
    advice_print_orders(q->t, q->w, o);
    gcast_orders_free(o);
    return GCAST_OK;
}

static gcast_status advise_priorities(advice *q)
{
    gcast_levels *l;
    gcast_error err;
    if (!args_has(q->a, "priorities"))
        return GCAST_OK;
    progress_next(&q->shown, "priorities", 0);
    if (gcast_judge_assign_levels(&q->judge, q->w, q->gpu, &l, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = advice_print_levels(q->t, want_color(q->a), q->w, l);
    gcast_levels_free(l);
    return status_of_print(ok);
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
        return say(GCAST_USAGE, "--sensitivity, --order, --priorities and --what-if do not go with --json");
    return what_if_check(a, gpu);
}

/* Where several methods gave the answer, says which of them the advice is by. */
static void print_method(advice *q, gcast_method method)
{
    if (args_has(q->a, "sensitivity") || args_has(q->a, "priorities") || args_has(q->a, "what-if"))
        text_printf(q->t, "\nadvice by %s alone\n", gcast_method_name(method));
}

gcast_status advice_from_args(const args *a, const gcast_answer *answer, gcast_method method, bool is_only_method,
                              const gcast_analyze_options *options)
{
    gcast_analyze_options watched = *options;
    advice q = {.a = a,
                .w = answer->workload,
                .gpu = answer->gpu,
                .answer = answer,
                .max_ms = options->max_ms,
                .horizon_ns = options->horizon_ns};
    output out;
    if (!advice_wanted(a))
        return GCAST_OK;
    progress_start(&q.shown, "advice");
    watched.progress = show_without_fraction;
    watched.progress_data = &q.shown;
    q.judge = gcast_judge_by_method(method, &watched);
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    q.t = &out.words;
    if (!is_only_method)
        print_method(&q, method);
    status = advise_sensitivity(&q);
    if (status == GCAST_OK)
        status = advise_orders(&q);
    if (status == GCAST_OK)
        status = advise_priorities(&q);
    progress_next(&q.shown, "what if", 0);
    if (status == GCAST_OK)
        status = what_if_from_args(a, q.w, q.gpu, &q.judge, q.t, &q.is_conditional);
    if (status == GCAST_OK && q.is_conditional)
        text_str(q.t, "\nmet if: what is assumed of the GPU holds, such as how long calls take to reach it\n");
    progress_end(&q.shown);
    return output_finish(&out, status, NULL);
}
