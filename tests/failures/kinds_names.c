/* Several processes create one file at once: one succeeds, the others say that it exists.
 * On file systems with hard links and without. */
#include <stdio.h>
#include <string.h>

#include "kinds.h"

#define CONCURRENT_ROUNDS 1

static bool has_option(const command_line *c, const char *name)
{
    for (int i = 0; i < c->argc; i++)
        if (strcmp(c->argv[i], name) == 0)
            return true;
    return false;
}

void kind_names(const command_line *c, const outcome *reference, long calls, tally *t)
{
    (void)calls;
    /* only commands that write one file anew */
    if (reference->file_count != 1 || c->existing || c->status || has_option(c, "--corpus") ||
        has_option(c, "experiment") || has_option(c, "--map"))
        return;
    for (int no_links = 0; no_links < 2; no_links++) {
        fault h = {.plan = {.no_links = no_links}};
        tally_run(t, c, reference, &h, (allowed){0}, no_links ? "without links" : "with links");
        for (int i = 0; i < (t->all ? 20 * CONCURRENT_ROUNDS : CONCURRENT_ROUNDS); i++) {
            int done;
            outcome got = trial_concurrent(c, &h, MAX_CONCURRENT, &done);
            const char *reason = got.status ? "one of several at once ended in another way" : NULL;
            t->runs += MAX_CONCURRENT;
            if (!reason && done != 1)
                reason = done ? "several at once wrote the same file" : "none of several at once wrote the file";
            if (!reason && (got.file_count != 1 || (!c->varies && got.files[0].size != reference->files[0].size)))
                reason = "several at once left something else than one whole file";
            if (reason)
                tally_fail(t, c, reason, &got, &h.plan);
            outcome_free(&got);
        }
    }
}
