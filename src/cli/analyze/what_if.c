#include "cli/analyze/what_if.h"

#include <string.h>

#include "analyze/time_limit.h"
#include "base/text/units.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/conditions/gpu_notes.h"
#include "cli/digits.h"
#include "cli/say.h"
#include "report/tables/grid.h"

enum { GPU, SMS, WORST, OP, VERDICT };

typedef struct what_if {
    const gcast_gpu *gpu; /* of which sms= takes fewer SMs */
    gcast_workload *w;    /* a copy without a partition */
    gcast_judge judge;
    gcast_analyze_options options; /* of the judge */
    time_limit limit;              /* for all rows together */
    bool is_conditional;           /* a row says that deadlines are met if what is assumed of its GPU holds */
    grid g;                        /* the table */
} what_if;

static gcast_status add_row(what_if *x, const gcast_gpu *gpu)
{
    gcast_judgement v;
    gcast_error err;
    char time[40] = "no bound";
    x->options.max_ms = limit_left_ms(&x->limit);
    if (gcast_judge_ask(&x->judge, x->w, gpu, &v, &err) != GCAST_OK)
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
    if (x->w->op_count)
        grid_label(&x->g, OP, x->w->ops[v.worst_op].label);
    x->is_conditional = x->is_conditional || (v.deadlines && v.meets && v.conditional);
    const char *missed = gcast_method_attains(x->judge.method) ? "a deadline missed" : "open";
    grid_cell(&x->g, VERDICT,
              !v.deadlines    ? "no deadlines"
              : !v.meets      ? missed
              : v.conditional ? "deadlines met if"
                              : "deadlines met");
    return GCAST_OK;
}

static gcast_status on_sms(what_if *x, int sms)
{
    gcast_error err;
    gcast_gpu *partition = NULL;
    gcast_status status = gcast_gpu_copy(x->gpu, &partition, &err);
    if (status == GCAST_OK)
        status = gcast_gpu_partition(partition, sms, &err);
    status = status == GCAST_OK ? add_row(x, partition) : say_error(&err);
    gcast_gpu_free(partition);
    return status;
}

/* Reads a number of SMs that the text's end or one of the characters in `ends` follows. */
static bool read_sms(const char **at, const char *ends, int *sms)
{
    uint64_t v;
    if (!read_digits(at, &v) || v < 1 || v > GCAST_MAX_SMS)
        return false;
    *sms = (int)v;
    return !**at || strchr(ends, **at);
}

/* A list such as 1,2,4..8. With x NULL it is only checked. */
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
            status = on_sms(x, n);
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
    gcast_status status = x ? add_row(x, gpu) : GCAST_OK;
    gcast_gpu_free(gpu);
    return status;
}

static gcast_status one_change(what_if *x, const char *change, const gcast_gpu *gpu)
{
    if (strncmp(change, "sms=", 4) == 0)
        return on_sms_list(x, change + 4, gpu);
    if (strncmp(change, "gpu=", 4) == 0)
        return on_gpu(x, change + 4);
    return say(GCAST_USAGE, "--what-if is sms=LIST or gpu=NAME, not %s", change);
}

static gcast_status all_changes(what_if *x, const args *a, const gcast_gpu *gpu)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "what-if"))
            status = one_change(x, a->given[i].value, gpu);
    return status;
}

gcast_status what_if_check(const args *a, const gcast_gpu *gpu)
{
    return all_changes(NULL, a, gpu);
}

gcast_status what_if_from_args(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_judge *judge,
                               text *t, bool *is_conditional)
{
    static const grid_column columns[] = {
        [GPU] = {"GPU", false}, [SMS] = {"SMs", true},          [WORST] = {"worst response", true},
        [OP] = {"of", false},   [VERDICT] = {"verdict", false}, {NULL, false}};
    gcast_error err;
    if (!args_has(a, "what-if"))
        return GCAST_OK;
    what_if x = {.gpu = gpu, .judge = *judge, .options = *judge->options};
    if (gcast_workload_copy(w, &x.w, &err) != GCAST_OK)
        return say_error(&err);
    x.judge.options = &x.options;
    x.limit = limit_from_now(x.options.max_ms);
    gcast_workload_set_partition(x.w, 0);
    grid_open(&x.g, columns);
    gcast_status status = all_changes(&x, a, gpu);
    if (status == GCAST_OK) {
        text_char(t, '\n');
        if (!grid_text(&x.g, want_color(a), t))
            status = say_no_memory();
    }
    *is_conditional = *is_conditional || x.is_conditional;
    grid_close(&x.g);
    gcast_workload_free(x.w);
    return status;
}
