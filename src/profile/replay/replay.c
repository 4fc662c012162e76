#include "profile/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/minmax.h"
#include "profile/replay/replay_steps.h"

const char *replay_cause_name(replay_cause cause)
{
    static const char *const names[] = {
#define X(id, name, text) name,
        REPLAY_CAUSE_TABLE(X)
#undef X
    };
    return cause < REPLAY_CAUSES ? names[cause] : "";
}

const char *replay_cause_text(replay_cause cause)
{
    static const char *const texts[] = {
#define X(id, name, text) text,
        REPLAY_CAUSE_TABLE(X)
#undef X
    };
    return cause < REPLAY_CAUSES ? texts[cause] : "";
}

void prof_replay_free(prof_replay *r)
{
    free(r->ops);
    free(r->names);
    free(r->late);
    *r = (prof_replay){0};
}

/* Operations of the simulation by their labels. */
static bool index_labels(const gcast_run *run, hash_index *index)
{
    bool ok = run->op_count < UINT32_MAX;
    for (size_t i = 0; ok && i < run->op_count; i++)
        ok = index_add(index, index_hash_text(run->workload->ops[run->ops[i].op].label), (uint32_t)i);
    return ok;
}

static const gcast_run_op *find_label(const gcast_run *run, const hash_index *index, const char *label)
{
    for (index_probe p = index_start(index, index_hash_text(label)); index_next(index, &p);)
        if (strcmp(run->workload->ops[run->ops[p.value].op].label, label) == 0)
            return &run->ops[p.value];
    return NULL;
}

/* Pairs, in times of their clocks. */
static gcast_status pair(replaying *x, const gcast_run *simulated, const hash_index *index, gcast_error *err)
{
    const gcast_run *recorded = x->made->run;
    for (size_t i = 0; i < recorded->op_count; i++) {
        const char *label = recorded->workload->ops[recorded->ops[i].op].label;
        const gcast_run_op *other = find_label(simulated, index, label);
        if (!other || other->skipped || other->start_ns < 0 || other->end_ns < 0)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s does not end in the replay%s", label,
                                   simulated->hang ? ", which hangs" : "");
        x->r->ops[i] = (replay_op){.label = label,
                                   .start_ns = recorded->ops[i].start_ns,
                                   .end_ns = recorded->ops[i].end_ns,
                                   .replayed_start_ns = other->start_ns,
                                   .replayed_end_ns = other->end_ns};
    }
    return GCAST_OK;
}

static void count_from_starts(prof_replay *r)
{
    int64_t zero_ns = INT64_MAX, replayed_zero_ns = INT64_MAX;
    for (size_t i = 0; i < r->op_count; i++) {
        zero_ns = min_i64(zero_ns, r->ops[i].start_ns);
        replayed_zero_ns = min_i64(replayed_zero_ns, r->ops[i].replayed_start_ns);
    }
    for (size_t i = 0; i < r->op_count; i++) {
        replay_op *op = &r->ops[i];
        op->start_ns -= zero_ns;
        op->end_ns -= zero_ns;
        op->replayed_start_ns -= replayed_zero_ns;
        op->replayed_end_ns -= replayed_zero_ns;
        op->start_error_ns = op->replayed_start_ns - op->start_ns;
        op->end_error_ns = op->replayed_end_ns - op->end_ns;
        op->duration_error_ns = op->end_error_ns - op->start_error_ns;
        r->recorded_ns = max_i64(r->recorded_ns, op->end_ns);
        r->replayed_ns = max_i64(r->replayed_ns, op->replayed_end_ns);
    }
}

gcast_status prof_replay_compare(const prof_trace *t, const prof_made *made, const gcast_run *simulated, prof_replay *r,
                                 gcast_error *err)
{
    replaying x = {.t = t, .made = made, .r = r};
    hash_index index = {0};
    *r = (prof_replay){.op_count = made->run->op_count, .ops = calloc(made->run->op_count + 1, sizeof *r->ops)};
    gcast_status status =
        r->ops && index_labels(simulated, &index) ? pair(&x, simulated, &index, err) : gcast_error_set_memory(err);
    index_free(&index);
    if (status == GCAST_OK) {
        count_from_starts(r);
        if (!replay_find_causes(&x) || !replay_find_names(&x))
            status = gcast_error_set_memory(err);
    }
    if (status != GCAST_OK)
        prof_replay_free(r);
    return status;
}
