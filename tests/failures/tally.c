/* Counts runs and prints those that failed, the first few of a command in full. */
#include <stdio.h>
#include <string.h>

#include "kinds.h"

#define SHOWN 3

void tally_fail(tally *t, const command_line *c, const char *why, const outcome *got, const failing_plan *plan)
{
    t->failed++;
    fprintf(report, "FAIL %s: %s\n", c->text, why);
    if (t->shown++ < SHOWN)
        outcome_print(got, plan);
}

bool tally_run(tally *t, const command_line *c, const outcome *plain, hardship *h, allowed may, const char *what)
{
    outcome got = trial_run(c, h);
    if (h->plan.thread)
        may.word = h->plan.from_there ? NULL : "thread";
    const char *why = outcome_judge(c, plain, &got, may);
    if (!why && h->plan.left)
        why = "it did not give back its memory";
    t->runs++;
    if (why) {
        char line[600];
        snprintf(line, sizeof line, "%s: %s", what, why);
        tally_fail(t, c, line, &got, &h->plan);
    }
    outcome_free(&got);
    return !why;
}
