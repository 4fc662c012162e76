#include "analyze/assumed/open_choices.h"

#include "analyze/assumed/moved.h"
#include "analyze/assumed/open_combinations.h"
#include "model/workload/attributes/open_registers.h"

/* Deadlines hang on what is chosen otherwise in a combination; -1: on all that is open. Both choices together say
 * nothing new where one alone matters. */
static void note_choices(owned_answer *o, const open_combinations *c, int combination)
{
    bool *const rests[LEFT_OPEN_CHOICES] = {
        [LEFT_OPEN_CARVEOUTS] = &o->a.rests_on_carveouts, [LEFT_OPEN_BLOCKING] = &o->a.rests_on_blocking};
    bool is_noted = o->a.rests_on_carveouts || o->a.rests_on_blocking, is_both = combination >= 0;
    for (int k = 0; k < LEFT_OPEN_CHOICES; k++)
        is_both = is_both && open_combination_has(c, (size_t)combination, (left_open)k);
    for (int k = 0; k < LEFT_OPEN_CHOICES && !(is_both && is_noted); k++)
        if (combination < 0 ? c->things[k].count > 0 : open_combination_has(c, (size_t)combination, (left_open)k))
            o->a.rests_on_open = *rests[k] = true;
}

static void note_responses(owned_answer *o, const bool *shown)
{
    for (size_t i = 0; i < o->a.response_count; i++)
        o->responses[i].rests_on_assumed =
            o->responses[i].rests_on_assumed || (shown ? !shown[i] : moved_counts(&o->a, i));
}

/* Notes which deadlines are not shown to be met as the combination has it. */
static gcast_status try_combination(owned_answer *o, const open_combinations *c, size_t i, moved_trial *t,
                                    gcast_error *err)
{
    gcast_workload *other;
    bool met = false;
    gcast_status status = open_combination_make(c, i, o->a.workload, &other, err);
    if (status != GCAST_OK)
        return status;
    t->w = other;
    status = moved_trial_ask(t, &met, err);
    if (status == GCAST_OK && !met) {
        note_responses(o, t->shown);
        note_choices(o, c, (int)i);
    }
    gcast_workload_free(other);
    return status;
}

/* Fewer blocks per SM may end anything later. */
static void note_registers(owned_answer *o, const gcast_gpu *gpu)
{
    int enough = workload_open_registers(o->a.workload, gpu);
    if (enough == REGISTERS_OPEN_NOWHERE)
        return;
    note_responses(o, NULL);
    o->a.rests_on_open = o->a.rests_on_registers = true;
    o->a.open_registers = enough;
}

void open_choices_rest(owned_answer *o, const gcast_gpu *gpu)
{
    open_combinations c;
    open_combinations_find(o->a.workload, gpu, true, &c);
    if (c.count) {
        note_responses(o, NULL);
        note_choices(o, &c, -1);
    }
    note_registers(o, gpu);
}

gcast_status open_choices_try(owned_answer *o, const gcast_gpu *gpu, const gcast_analyze_options *options,
                              gcast_error *err)
{
    open_combinations c;
    moved_trial t;
    note_registers(o, gpu);
    open_combinations_find(o->a.workload, gpu, o->a.workload->op_count > ASSUMED_SMALL_OPS, &c);
    if (!c.count)
        return GCAST_OK;
    gcast_status status = moved_trial_open(&t, &o->a, gpu, options, err);
    for (size_t i = 0; i < c.count && status == GCAST_OK; i++)
        status = try_combination(o, &c, i, &t, err);
    if (status == GCAST_OK && !c.are_all) {
        note_responses(o, NULL);
        note_choices(o, &c, -1);
    }
    moved_trial_close(&t);
    return status;
}
