#include "cli/record/recorded_result.h"

#include <stdio.h>

#include "cli/say.h"

static const char *plural(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

static void say_counts(const prof_trace *t)
{
    size_t counts[GCAST_KINDS] = {0};
    for (size_t i = 0; i < t->op_count; i++)
        counts[t->ops[i].kind]++;
    size_t kernels = counts[GCAST_KIND_KERNEL], copies = counts[GCAST_KIND_COPY], memsets = counts[GCAST_KIND_MEMSET];
    say(GCAST_OK, "recorded %zu %s, %zu %s, %zu %s, %zu %s by %zu %s", kernels, plural(kernels, "kernel", "kernels"),
        copies, plural(copies, "copy", "copies"), memsets, plural(memsets, "memset", "memsets"), t->call_count,
        plural(t->call_count, "call", "calls"), t->thread_count, plural(t->thread_count, "thread", "threads"));
}

gcast_status recorded_result(importing *x, const prof_trace *t)
{
    bool quiet = args_has(x->a, "quiet");
    if (!quiet)
        say_counts(t);
    if (import_writes(x->a))
        return import_trace(x, t);
    if (!quiet)
        import_say_findings(t->findings, t->finding_count);
    return GCAST_OK;
}
