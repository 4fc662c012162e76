#include "analyze/assumed/open_choices.h"

#include "analyze/assumed/moved.h"
#include "model/workload/attributes/left_open.h"

/* Notes which deadlines are not shown to be met with the other choice. */
static gcast_status try_choice(owned_answer *o, left_open choice, const gcast_gpu *gpu,
                               const gcast_analyze_options *options, bool *matters, gcast_error *err)
{
    moved_trial t = {0};
    gcast_workload *other;
    bool met = false;
    gcast_status status = gcast_workload_copy(o->a.workload, &other, err);
    if (status != GCAST_OK)
        return status;
    workload_choose_other(other, choice);
    status = moved_trial_open(&t, &o->a, gpu, options, err);
    t.w = other;
    if (status == GCAST_OK)
        status = moved_trial_ask(&t, &met, err);
    for (size_t i = 0; i < o->a.response_count && status == GCAST_OK; i++)
        o->responses[i].rests_on_assumed = o->responses[i].rests_on_assumed || !t.shown[i];
    *matters = status == GCAST_OK && !met;
    moved_trial_close(&t);
    gcast_workload_free(other);
    return status;
}

gcast_status open_choices_try(owned_answer *o, const gcast_gpu *gpu, const gcast_analyze_options *options,
                              gcast_error *err)
{
    bool *const matters[LEFT_OPEN_CHOICES] = {
        [LEFT_OPEN_CARVEOUTS] = &o->a.rests_on_carveouts, [LEFT_OPEN_BLOCKING] = &o->a.rests_on_blocking};
    gcast_status status = GCAST_OK;
    for (int c = 0; c < LEFT_OPEN_CHOICES && status == GCAST_OK; c++)
        if (workload_leaves_open(o->a.workload, gpu, (left_open)c))
            status = try_choice(o, (left_open)c, gpu, options, matters[c], err);
    return status;
}
