/* Combines other choices of what is open, and tries each combination. */
#include "analyze/assumed/open_choices.h"

#include "analyze/assumed/moved_trial.h"
#include "model/workload/left_open.h"

#define ALL_OF 5     /* up to so many things are combined in all ways */
#define ALL_OF_FEW 2 /* the same for a large workload */

/* The lowest `count` bits. */
static uint64_t bits(size_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The bits of the things of a choice; things from the 65th on have none. */
static uint64_t bits_of(const open_combinations *c, left_open choice)
{
    size_t before = choice == LEFT_OPEN_CARVEOUTS ? 0 : c->things[LEFT_OPEN_CARVEOUTS].count;
    return before < 64 ? bits(c->things[choice].count) << before : 0;
}

/* First the combinations within one choice, then those of both. */
static void add_all(open_combinations *c, size_t things)
{
    uint64_t first = bits_of(c, LEFT_OPEN_CARVEOUTS), second = bits_of(c, LEFT_OPEN_BLOCKING);
    for (int of_both = 0; of_both < 2; of_both++)
        for (uint64_t chosen = 1; chosen <= bits(things); chosen++)
            if ((chosen & first && chosen & second) == of_both)
                c->chosen[c->count++] = chosen;
}

void open_combinations_find(const gcast_workload *w, const gcast_gpu *gpu, bool few, open_combinations *c)
{
    size_t things = 0;
    *c = (open_combinations){0};
    for (int k = 0; k < LEFT_OPEN_CHOICES; k++) {
        workload_open_things(w, gpu, (left_open)k, &c->things[k]);
        things += c->things[k].count;
    }
    c->are_all = things <= (few ? ALL_OF_FEW : ALL_OF);
    if (c->are_all)
        add_all(c, things);
    for (int k = 0; k < LEFT_OPEN_CHOICES && !c->are_all; k++)
        if (c->things[k].count)
            c->chosen[c->count++] = UINT64_C(1) << k;
}

/* Does combination i make this choice otherwise? */
static bool open_combination_has(const open_combinations *c, size_t i, left_open choice)
{
    return c->are_all ? c->chosen[i] & bits_of(c, choice) : c->chosen[i] >> choice & 1;
}

gcast_status open_combination_make(const open_combinations *c, size_t i, const gcast_workload *w, gcast_workload **out,
                                   gcast_error *err)
{
    gcast_status status = gcast_workload_copy(w, out, err);
    size_t bit = 0;
    for (int k = 0; k < LEFT_OPEN_CHOICES && status == GCAST_OK; k++) {
        if (!c->are_all && open_combination_has(c, i, (left_open)k))
            workload_choose_other(*out, (left_open)k);
        for (size_t t = 0; t < c->things[k].count && c->are_all; t++, bit++)
            if (c->chosen[i] >> bit & 1)
                workload_choose_other_of(*out, (left_open)k, c->things[k].at[t]);
    }
    return status;
}

/* Notes that deadlines rest on the choices of a combination; -1: on all that is open. A combination of both choices
 * adds nothing if one alone matters. */
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
            o->responses[i].rests_on_assumed || (shown ? !shown[i] : is_shown_met(&o->a, i));
}

/* Notes the deadlines that are not shown to be met with a combination. */
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

/* Notes open registers: fewer blocks per SM may delay anything. */
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
