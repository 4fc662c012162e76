#include "report/system/system_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "gridcast/version.h"

const char *system_reaction_name(gcast_reaction from)
{
    static const char *const names[] = {
#define X(id, name, text) name,
        GCAST_REACTION_TABLE(X)
#undef X
    };
    return names[from];
}

const char *system_reaction_words(gcast_reaction from)
{
    static const char *const words[] = {
#define X(id, name, text) text,
        GCAST_REACTION_TABLE(X)
#undef X
    };
    return words[from];
}

const char *system_place_name(const sys_system *s, int core)
{
    return core == SYS_GPU ? "GPU" : s->cores[core].name;
}

const char *system_arrival_name(const sys_task *task)
{
    static const char *const names[] = {"periodic", "sporadic", "triggered"};
    return task->once ? "once" : names[task->arrival];
}

const char *system_op_words(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL ? "kernel" : gcast_name(GCAST_NAMES_DIRECTION, op->direction);
}

const char *system_verdict_words(const sys_task_answer *t)
{
    bool unbounded = t->worst_ns == SYS_UNBOUNDED;
    return unbounded && t->verdict == GCAST_DEADLINE_NONE ? "no bound" : gcast_name(GCAST_NAMES_VERDICT, t->verdict);
}

void system_limit_words(const sys_answer *a, size_t task, char *out, size_t size)
{
    const sys_task_answer *t = &a->tasks[task];
    const char *other = t->limited_by == SYS_NONE ? NULL : a->of->tasks[t->limited_by].name;
    const int64_t parts[] = {t->computation_ns, t->access_ns, t->interference_ns, t->blocking_ns, t->waiting_ns};
    int most = 0;
    for (int i = 1; i < 5; i++)
        if (parts[i] > parts[most])
            most = i;
    bool gpu = a->places[task].core == SYS_GPU;
    if (t->worst_ns == SYS_UNBOUNDED)
        snprintf(out, size, "%s", other ? other : "-");
    else if (most == 0)
        snprintf(out, size, gpu ? "own work" : "own code");
    else if (most == 1)
        snprintf(out, size, "own accesses to memory");
    else if (most == 4)
        snprintf(out, size, "waits for %s", other ? other : "others");
    else
        snprintf(out, size, "%s", other ? other : most == 2 ? "tasks before it" : "blocking");
}

void system_limited_words(const sys_limit *l, char *out, size_t size)
{
    if (l->kind == SYS_LIMIT_DELAY)
        snprintf(out, size, "%.200s to %.200s", l->source.name, l->target.name);
    else
        snprintf(out, size, "%s%.200s", l->kind == SYS_LIMIT_RUNNABLE ? "runnable " : "response of ", l->on);
}

void system_finding_words(const sys_finding *f, char *out, size_t size)
{
    static const struct {
        unsigned bit;
        const char *name;
    } effects[] = {
#define X(id, bit, name) {bit, name},
        SYS_EFFECT_TABLE(X)
#undef X
    };
    snprintf(out, size, "%s", f->doubtful ? "doubtful" : "");
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (f->effects & effects[i].bit && !(effects[i].bit & (SYS_ELSEWHERE | SYS_LEFT_OUT))) {
            size_t used = strlen(out);
            snprintf(out + used, size - used, "%s%s", used ? ", " : "", effects[i].name);
        }
    if (!*out)
        snprintf(out, size, "note");
}

/* The place of a finding in reports, from 0. */
static int finding_rank(const sys_finding *f)
{
    return f->doubtful ? 0 : f->effects & SYS_CONDITION ? 1 : f->effects & SYS_UNCHECKED ? 2 : f->effects ? 3 : 4;
}

size_t *system_finding_order(const sys_system *s)
{
    size_t *order = calloc(s->finding_count + 1, sizeof *order), count = 0;
    for (int rank = 0; order && rank <= 4; rank++)
        for (size_t i = 0; i < s->finding_count; i++)
            if (finding_rank(&s->findings[i]) == rank)
                order[count++] = i;
    return order;
}

static void put_count(text *out, size_t count, const char *word)
{
    text_printf(out, "%zu %s%s", count, word, count == 1 ? "" : "s");
}

void system_title(const sys_system *s, text *out)
{
    text_str(out, *s->name ? s->name : "system");
    text_str(out, ": ");
    put_count(out, s->task_count, "task");
    text_str(out, " on ");
    put_count(out, s->core_count, "core");
    if (s->gpu) {
        text_str(out, " and a GPU (");
        text_str(out, s->gpu->name);
        text_char(out, ')');
    }
}

void system_made_by(const sys_system *s, const char *command, text *out)
{
    text_printf(out, "gridcast %s", gcast_version());
    if (command) {
        text_str(out, ": ");
        text_str(out, command);
    }
    for (size_t i = 0; i < s->source_count; i++) {
        text_str(out, i ? ", " : "; CRC-32 ");
        text_printf(out, "%08x of ", (unsigned)s->sources[i].crc);
        text_str(out, s->sources[i].path);
    }
}

/* "7 of 9 deadlines met, 1 missed"; false and nothing where there are none. */
static bool put_verdicts(text *out, const size_t counts[GCAST_DEADLINES], const char *what, const char *before)
{
    size_t all = 0;
    for (int v = GCAST_DEADLINE_MET; v < GCAST_DEADLINES; v++)
        all += counts[v];
    if (!all)
        return false;
    text_printf(out, "%s%zu of %zu %s met", before, counts[GCAST_DEADLINE_MET] + counts[GCAST_DEADLINE_MET_IF], all,
                what);
    if (counts[GCAST_DEADLINE_MET_IF])
        text_printf(out, " (%zu if the assumptions hold)", counts[GCAST_DEADLINE_MET_IF]);
    for (int v = GCAST_DEADLINE_MISSED; v <= GCAST_DEADLINE_OPEN; v++)
        if (counts[v])
            text_printf(out, ", %zu %s", counts[v], gcast_name(GCAST_NAMES_VERDICT, (gcast_deadline_verdict)v));
    return true;
}

void system_summary(const sys_answer *a, text *out)
{
    size_t tasks[GCAST_DEADLINES] = {0}, chains[GCAST_DEADLINES] = {0}, limits[GCAST_DEADLINES] = {0};
    size_t unbounded = 0;
    for (size_t i = 0; i < a->of->task_count; i++) {
        tasks[a->tasks[i].verdict]++;
        unbounded += a->tasks[i].worst_ns == SYS_UNBOUNDED;
    }
    for (size_t i = 0; a->chains && i < a->of->chain_count; i++) {
        chains[a->chains[i].reaction_verdict]++;
        chains[a->chains[i].age_verdict]++;
    }
    for (size_t i = 0; a->limits && i < a->of->limit_count; i++)
        limits[a->limits[i].verdict]++;
    bool any = put_verdicts(out, tasks, "deadlines", "");
    any = put_verdicts(out, chains, "limits of chains", any ? "; " : "") || any;
    any = put_verdicts(out, limits, any ? "other limits" : "limits", any ? "; " : "") || any;
    if (!any)
        text_str(out, "there are no deadlines");
    if (unbounded)
        text_printf(out, "; %zu of %zu tasks without a bound", unbounded, a->of->task_count);
    size_t broken = system_broken(a->of, a->places);
    if (broken)
        text_printf(out, "; %zu constraint%s on cores %s broken", broken, broken == 1 ? "" : "s",
                    broken == 1 ? "is" : "are");
    size_t unchecked = system_unchecked(a->of);
    if (unchecked)
        text_printf(out, "; %zu requirement%s not checked", unchecked, unchecked == 1 ? " is" : "s are");
}

/* What tasks are sorted by. */
typedef struct rank {
    int core; /* the GPU after all cores */
    bool isr;
    int64_t priority;
    size_t task;
} rank;

static int by_rank(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    if (x->isr != y->isr)
        return x->isr ? -1 : 1;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

size_t *system_task_order(const sys_system *s, const sys_place *places)
{
    size_t count = s->task_count ? s->task_count : 1;
    rank *ranks = calloc(count, sizeof *ranks);
    size_t *order = calloc(count, sizeof *order);
    for (size_t i = 0; ranks && i < s->task_count; i++) {
        int core = places[i].core == SYS_GPU ? (int)s->core_count : places[i].core;
        ranks[i] = (rank){core, s->tasks[i].isr, places[i].priority, i};
    }
    if (ranks)
        qsort(ranks, s->task_count, sizeof *ranks, by_rank);
    for (size_t i = 0; ranks && order && i < s->task_count; i++)
        order[i] = ranks[i].task;
    if (!ranks) {
        free(order);
        order = NULL;
    }
    free(ranks);
    return order;
}

time_format bound_format(int64_t longest)
{
    time_format f = time_format_for(longest, 0);
    f.max_decimals = max_int(f.unit->digits - 3, min_int(f.unit->digits, 3));
    return f;
}

/* What the last decimal counts. */
static int64_t grain(time_format f)
{
    int64_t ns = f.unit->ns;
    for (int i = 0; i < f.max_decimals; i++)
        ns /= 10;
    return max_i64(ns, 1);
}

int64_t system_shown_period(const sys_system *s, size_t task)
{
    return system_runs_once(s, (int)task) ? 0 : s->tasks[task].period_ns;
}

void system_period_cell(grid *g, int column, const sys_system *s, size_t task, time_format f)
{
    if (system_runs_once(s, (int)task))
        grid_cell(g, column, "once");
    else
        time_format_cell(g, column, s->tasks[task].period_ns, true, f);
}

void system_tried_words(const sys_tried *tried, char *words, size_t size)
{
    char seed[40], horizon[40];
    units_format_time(tried->horizon_ns, horizon, sizeof horizon);
    snprintf(seed, sizeof seed, "%s", tried->shortest ? "min" : "max");
    if (!tried->longest && !tried->shortest)
        snprintf(seed, sizeof seed, "random:%llu", (unsigned long long)tried->seed);
    snprintf(words, size, "--durations %s%s --horizon %s", seed, tried->random_offsets ? " --ignore-offsets" : "",
             horizon);
}

void bound_include(time_format *f, int64_t ns)
{
    if (ns >= 0 && ns != SYS_UNBOUNDED)
        time_format_include(f, ns);
}

void bound_best(grid *g, int column, int64_t ns, time_format f)
{
    time_format_cell(g, column, ns - ns % grain(f), ns >= 0 && ns != SYS_UNBOUNDED, f);
}

void bound_worst(grid *g, int column, int64_t ns, time_format f)
{
    int64_t rest = ns % grain(f), up = rest && ns <= INT64_MAX - grain(f) ? ns + grain(f) - rest : ns;
    time_format_cell(g, column, up, ns >= 0 && ns != SYS_UNBOUNDED, f);
}
