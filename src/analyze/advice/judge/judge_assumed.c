/* Do deadlines that a judge shows to be met rest on what is assumed of the GPU, or on what the workload leaves open? As
 * in gcast_answer_move_assumed, but only whether they do. */
#include "analyze/advice/judge/judge.h"

#include "analyze/assumed/moved.h"
#include "analyze/assumed/open_combinations.h"
#include "analyze/assumed/parameters.h"
#include "analyze/assumed/sharing.h"
#include "base/api/options_copy.h"
#include "model/workload/attributes/open_registers.h"

typedef struct question {
    const gcast_judge *judge;
    const gcast_workload *w;
    const gcast_gpu *gpu;
    bool few;   /* a large workload, of which few analyses are made */
    bool meets; /* with all that was tried so far */
    gcast_error *err;
} question;

/* Are all deadlines met, by bound? */
static gcast_status ask_bound(question *q, const gcast_workload *w, const gcast_gpu *gpu, bool any_phase)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_judgement verdict = {0};
    gcast_status status = options_copy(&options, sizeof options, q->judge->options, "gcast_analyze_options", q->err);
    options.any_phase = options.any_phase || any_phase;
    gcast_judge by_bound = gcast_judge_by_method(GCAST_METHOD_BOUND, &options);
    if (status == GCAST_OK)
        status = judge_ends(&by_bound, w, gpu, &verdict, NULL, q->err);
    q->meets = verdict.meets;
    return status;
}

/* By bound, or else by the judge? */
static gcast_status ask_both(question *q, const gcast_workload *w, const gcast_gpu *gpu)
{
    gcast_judgement verdict = {0};
    gcast_status status = ask_bound(q, w, gpu, false);
    if (status != GCAST_OK || q->meets || (!q->judge->analyze && q->judge->method == GCAST_METHOD_BOUND))
        return status;
    status = judge_ends(q->judge, w, gpu, &verdict, NULL, q->err);
    q->meets = verdict.meets;
    return status;
}

/* All but counts at once: what bound shows without offsets holds for all values before, too. */
static gcast_status try_numbers(question *q)
{
    gcast_gpu *moved;
    gcast_status status = gcast_gpu_copy(q->gpu, &moved, q->err);
    if (status == GCAST_OK && assumed_move_all(q->w, moved, ASSUMED_TIMES))
        status = ask_bound(q, q->w, moved, true);
    gcast_gpu_free(moved);
    return status;
}

static gcast_status try_value(question *q, const char *field, int64_t value)
{
    gcast_gpu *moved;
    gcast_status status = gcast_gpu_copy(q->gpu, &moved, q->err);
    if (status == GCAST_OK) {
        assumed_set(moved, field, value);
        status = ask_both(q, q->w, moved);
    }
    gcast_gpu_free(moved);
    return status;
}

/* Each count at all of its values; where these are too many, deadlines may rest on it. */
static gcast_status try_counts(question *q)
{
    gcast_assumed found[ASSUMED_MAX];
    gcast_status status = GCAST_OK;
    size_t count = assumed_parameters(q->w, q->gpu, found);
    for (size_t i = 0; i < count && q->meets; i++) {
        int64_t values[ASSUMED_VALUES];
        bool are_all;
        if (!found[i].is_count)
            continue;
        size_t n = assumed_values(q->w, &found[i], values, &are_all);
        q->meets = are_all && !q->few;
        for (size_t k = 0; k < n && q->meets && status == GCAST_OK; k++)
            status = try_value(q, found[i].field, values[k]);
    }
    return status;
}

/* Bound holds for every placement, the others for that of the GPU. */
static gcast_status try_shares(question *q)
{
    gcast_status status = GCAST_OK;
    bool by_bound = !q->judge->analyze && q->judge->method == GCAST_METHOD_BOUND;
    const char *rooms[SHARING_MAX];
    q->meets = !sharing_assumed_rooms(q->w, q->gpu, rooms);
    if (!q->meets)
        return GCAST_OK;
    if (!by_bound && sharing_assume_placement(q->gpu))
        status = ask_bound(q, q->w, q->gpu, false);
    if (status != GCAST_OK || !q->meets || !sharing_assume_quarters(q->gpu))
        return status;
    gcast_gpu *moved;
    status = gcast_gpu_copy(q->gpu, &moved, q->err);
    if (status == GCAST_OK) {
        moved->register_quarters = !moved->register_quarters;
        status = ask_bound(q, q->w, moved, false);
    }
    gcast_gpu_free(moved);
    return status;
}

static gcast_status try_open(question *q)
{
    open_combinations c;
    gcast_status status = GCAST_OK;
    open_combinations_find(q->w, q->gpu, q->few, &c);
    q->meets = c.are_all && workload_open_registers(q->w, q->gpu) == REGISTERS_OPEN_NOWHERE;
    for (size_t i = 0; i < c.count && q->meets && status == GCAST_OK; i++) {
        gcast_workload *other;
        status = open_combination_make(&c, i, q->w, &other, q->err);
        if (status == GCAST_OK)
            status = ask_both(q, other, q->gpu);
        gcast_workload_free(other);
    }
    return status;
}

gcast_status judge_assumed(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                           gcast_judgement *verdict, gcast_error *err)
{
    static gcast_status (*const tries[])(question *) = {try_numbers, try_counts, try_shares, try_open};
    question q = {judge, w, gpu ? gpu : w->gpu, w->op_count > ASSUMED_SMALL_OPS, true, err};
    gcast_status status = GCAST_OK;
    if (!verdict->deadlines || !verdict->meets || verdict->conditional)
        return GCAST_OK;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0] && q.meets && status == GCAST_OK; i++)
        status = tries[i](&q);
    verdict->conditional = !q.meets;
    return status;
}
