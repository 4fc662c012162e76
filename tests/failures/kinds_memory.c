/* Each allocation fails in turn; and from each on, all do. */
#include <stdio.h>

#include "kinds.h"

#define SOME 45     /* calls of a command that are tried where not all are */
#define SOME_SLOW 9 /* with sanitizers, which make processes slow to start, and of a slow command */

void kind_memory(const command_line *c, const outcome *plain, long calls, tally *t)
{
    const allowed may = {.status = 4, .word = "memory"};
    long some = c->slow || !failing_sees_libraries ? SOME_SLOW : SOME;
    long step = t->all || calls <= some ? 1 : calls / some;
    for (int from = 0; from < 2; from++)
        for (long n = 1 + (from ? step / 2 : 0); n <= calls; n += step) {
            char what[80];
            hardship h = {.plan = {.fail_at = n, .from_there = from}};
            snprintf(what, sizeof what, "call %ld of %ld%s fails", n, calls, from ? " and all after it" : "");
            tally_run(t, c, plain, &h, may, what);
        }
}
