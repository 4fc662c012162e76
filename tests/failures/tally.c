/* Counts runs and prints those that failed; the first few per command with their outcome. */
#include <stdio.h>
#include <string.h>

#include "kinds.h"

#define SHOWN 3

void tally_fail(tally *t, const command_line *c, const char *reason, const outcome *got, const failing_plan *plan)
{
    t->failed++;
    fprintf(report, "FAIL %s: %s\n", c->text, reason);
    if (t->shown++ < SHOWN)
        outcome_print(got, plan);
}

bool tally_run(tally *t, const command_line *c, const outcome *reference, fault *h, allowed accepted,
               const char *fault_name)
{
    outcome got = trial_run(c, h);
    if (h->plan.thread)
        accepted.word = h->plan.all_after ? NULL : "thread";
    const char *reason = outcome_judge(c, reference, &got, accepted);
    if (!reason && h->plan.leaked)
        reason = "it did not give back its memory";
    t->runs++;
    if (reason) {
        char line[600];
        snprintf(line, sizeof line, "%s: %s", fault_name, reason);
        tally_fail(t, c, line, &got, &h->plan);
    }
    outcome_free(&got);
    return !reason;
}
