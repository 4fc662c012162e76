/* Allocations fail one at a time; and again with all those after it. */
#include <stdio.h>

#include "kinds.h"

#define MAX_TRIED 24     /* calls per command that are tried where not all are */
#define MAX_TRIED_SLOW 3 /* for slow commands, and with sanitizers, whose processes start slowly */

void kind_memory(const command_line *c, const outcome *reference, long calls, tally *t)
{
    const allowed accepted = {.status = 4, .word = "memory"};
    long max_tried = c->slow || !failing_sees_libraries ? MAX_TRIED_SLOW : MAX_TRIED;
    long step = t->all || calls <= max_tried ? 1 : calls / max_tried;
    for (int all_after = 0; all_after < 2; all_after++)
        for (long n = 1 + (all_after ? step / 2 : 0); n <= calls; n += step) {
            char fault_name[80];
            fault h = {.plan = {.fail_at = n, .all_after = all_after}};
            snprintf(fault_name, sizeof fault_name, "call %ld of %ld%s fails", n, calls,
                     all_after ? " and all after it" : "");
            tally_run(t, c, reference, &h, accepted, fault_name);
        }
}
