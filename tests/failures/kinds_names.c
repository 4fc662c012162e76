/* Several processes write to one name that is not there yet: one does, the others say that
 * it exists. By links, and where there are none. */
#include <stdio.h>
#include <string.h>

#include "kinds.h"

#define CROWDS 1

static bool has_option(const command_line *c, const char *name)
{
    for (int i = 0; i < c->argc; i++)
        if (strcmp(c->argv[i], name) == 0)
            return true;
    return false;
}

void kind_names(const command_line *c, const outcome *plain, long calls, tally *t)
{
    (void)calls;
    /* one file, that nothing is added to */
    if (plain->file_count != 1 || c->old || c->status || has_option(c, "--corpus") || has_option(c, "experiment"))
        return;
    for (int no_links = 0; no_links < 2; no_links++) {
        hardship h = {.plan = {.no_links = no_links}};
        tally_run(t, c, plain, &h, (allowed){0}, no_links ? "without links" : "with links");
        for (int i = 0; i < (t->all ? 20 * CROWDS : CROWDS); i++) {
            int done;
            outcome got = trial_crowd(c, &h, MOST_CROWD, &done);
            const char *why = got.status ? "one of several at once ended in another way" : NULL;
            t->runs += MOST_CROWD;
            if (!why && done != 1)
                why = done ? "several at once wrote the same file" : "none of several at once wrote the file";
            if (!why && (got.file_count != 1 || (!c->varies && got.files[0].size != plain->files[0].size)))
                why = "several at once left something else than one whole file";
            if (why)
                tally_fail(t, c, why, &got, &h.plan);
            outcome_free(&got);
        }
    }
}
