#include "cli/run/unspecified.h"

#include <stdio.h>

#include "base/text/units.h"
#include "cli/run/operations.h"
#include "cli/run/timing_races.h"
#include "cli/say.h"
#include "gridcast/verify.h"
#include "model/run.h"
#include "model/workload/attributes/left_open.h"

/* Something that a workload may leave open. */
typedef struct open_choice {
    left_open what;
    const char *choice_words; /* the other choice, in words */
    const char *key_words;    /* which key of the workload would specify it */
} open_choice;

static const open_choice open_choices[] = {
    {LEFT_OPEN_CARVEOUTS, "with CUDA's default carveouts", "\"carveout\" says which it is"},
    {LEFT_OPEN_BLOCKING, "with streams of cudaStreamCreate, which wait for the NULL stream and it for them,",
     "\"blocking\" of \"streams\" says which they are"},
};

static bool add_note(gcast_run *run, const gcast_run *alternative, size_t run_op, const open_choice *q)
{
    char note[500], name[OPERATION_NAME_SIZE], end[40], other_end[40];
    operation_name(run, run_op, name);
    units_format_time(run->ops[run_op].end_ns, end, sizeof end);
    units_format_time(alternative->ops[run_op].end_ns, other_end, sizeof other_end);
    bool hangs = alternative->ops[run_op].end_ns < 0;
    snprintf(note, sizeof note, "%s %s would %s%s, not %s: %s", q->choice_words, name, hangs ? "never end" : "end at ",
             hangs ? "" : other_end, end, q->key_words);
    return run_add_note(run, note);
}

static gcast_status try_other_choice(const open_choice *q, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                     gcast_run *run)
{
    gcast_error err;
    gcast_run *alternative = NULL;
    gcast_workload *w;
    if (gcast_workload_copy(run->workload, &w, &err) != GCAST_OK)
        return say_error(&err);
    workload_choose_other(w, q->what);
    gcast_status status = gcast_workload_simulate(w, gpu, options, &alternative, &err);
    if (status == GCAST_OK) {
        gcast_agreement a = gcast_run_compare(alternative, run);
        bool is_alike = a.error_ns <= run->end_ns / 100; /* both are simulated, so there is no scatter to allow for */
        status = is_alike || add_note(run, alternative, a.worst_op, q) ? GCAST_OK : say_no_memory();
    } else if (status == GCAST_INPUT) { /* such as an end past the latest time that can be counted */
        char note[500];
        snprintf(note, sizeof note, "%s: %.300s", q->choice_words, err.message);
        status = run_add_note(run, note) ? GCAST_OK : say_no_memory();
    } else {
        status = say_error(&err);
    }
    gcast_run_free(alternative);
    gcast_workload_free(w);
    return status;
}

gcast_status unspecified_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    gcast_status status = GCAST_OK;
    gcast_simulate_options without_blocks = *options;
    without_blocks.record_blocks = false;
    if (options->as_measured) /* measure sets carveouts and creates streams as they are simulated */
        return GCAST_OK;
    if (!blocks_at_most(run, QUICK_MAX_BLOCKS))
        return GCAST_OK;
    for (size_t i = 0; i < sizeof open_choices / sizeof open_choices[0] && status == GCAST_OK; i++)
        if (workload_leaves_open(run->workload, run->gpu, open_choices[i].what))
            status = try_other_choice(&open_choices[i], gpu, &without_blocks, run);
    return status;
}
