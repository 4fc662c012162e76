#include "cli/simulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/races.h"
#include "gridcast/workload.h"

#define MAX_TRIALS 1000000   /* of --races */
#define MAX_RECORDED 8000000 /* blocks of a run for a page of some of its SMs: some 200 MB */

/* Copies the two parts of A-B. False: there is not exactly one dash, or a part is too long. */
static bool split_range(const char *value, char *first, char *second, size_t size)
{
    const char *dash = strchr(value, '-');
    size_t length = dash ? (size_t)(dash - value) : 0;
    if (!dash || strchr(dash + 1, '-') || length >= size || strlen(dash + 1) >= size)
        return false;
    snprintf(first, size, "%.*s", (int)length, value);
    snprintf(second, size, "%s", dash + 1);
    return true;
}

static bool parse_sm(const char *value, int *sm)
{
    uint64_t v;
    if (!read_digits(&value, &v) || *value || v >= GCAST_MAX_SMS)
        return false;
    *sm = (int)v;
    return true;
}

gcast_status ranges_from_args(const args *a, gcast_report_options *o)
{
    char first[32], second[32];
    const char *sms = args_value(a, "sm-range"), *times = args_value(a, "time-range");
    if (sms && (!split_range(sms, first, second, sizeof first) || !parse_sm(first, &o->first_sm) ||
                !parse_sm(second, &o->last_sm) || o->last_sm < o->first_sm))
        return say(GCAST_USAGE, "--sm-range is two SMs such as 0-7, not %s", sms);
    if (times && (!split_range(times, first, second, sizeof first) || !units_parse_time(first, &o->from_ns) ||
                  !units_parse_time(second, &o->to_ns) || o->to_ns <= o->from_ns))
        return say(GCAST_USAGE, "--time-range is two times such as 1ms-2.5ms, not %s", times);
    return GCAST_OK;
}

gcast_status durations_from_text(const char *value, gcast_simulate_options *o)
{
    for (int i = 0; i < GCAST_DURATIONS_COUNT; i++) {
        size_t n = strlen(durations_choices[i]);
        if (strncmp(value, durations_choices[i], n) != 0 ||
            (value[n] && (value[n] != ':' || i != GCAST_DURATIONS_RANDOM)))
            continue;
        o->durations = (gcast_durations)i;
        const char *seed = value + n + 1;
        if (!value[n] || (read_digits(&seed, &o->seed) && !*seed))
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--durations is max, min or random:SEED, not %s", value);
}

/* random or random:SEED. */
static gcast_status parse_placement(const char *value, gcast_simulate_options *o)
{
    const char *word = block_placement_choices[0], *seed = value + strlen(word);
    o->random_placement = true;
    if (strncmp(value, word, strlen(word)) == 0 &&
        (!*seed || (*seed++ == ':' && read_digits(&seed, &o->placement_seed) && !*seed)))
        return GCAST_OK;
    return say(GCAST_USAGE, "--placement is random or random:SEED, not %s", value);
}

gcast_status simulate_request_read(const args *a, simulate_request *r)
{
    int64_t trials = -1;
    *r = (simulate_request){.options = gcast_simulate_options_default()};
    r->options.as_measured = args_has(a, "as-measured");
    r->options.merge_processes = args_has(a, "merge-processes");
    const char *durations = args_value(a, "durations"), *placement = args_value(a, "placement");
    gcast_status status = durations ? durations_from_text(durations, &r->options) : GCAST_OK;
    if (status == GCAST_OK && placement)
        status = parse_placement(placement, &r->options);
    if (status == GCAST_OK)
        status = args_span(a, "horizon", &r->options.horizon_ns);
    if (status == GCAST_OK)
        status = args_int(a, "races", 0, MAX_TRIALS, &trials);
    r->trials = (int)trials;
    return status == GCAST_OK ? workload_request_read(a, &r->workload) : status;
}

static gcast_status simulate(const simulate_request *r, simulated *s)
{
    gcast_error err;
    progress shown;
    gcast_simulate_options options = s->options;
    progress_start(&shown, "simulating");
    options.progress = progress_show;
    options.progress_data = &shown;
    gcast_status status = gcast_workload_simulate(s->w, s->gpu, &options, &s->run, &err);
    if (status == GCAST_OK && r->with_warnings) {
        progress_next(&shown, "searching for races and simulating what the workload does not say", 0);
        status = gcast_run_add_warnings(s->run, s->gpu, &options, r->trials, &err);
    } else if (status != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", s->w->source);
    }
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

void simulated_free(simulated *s)
{
    gcast_run_free(s->run);
    gcast_workload_free(s->w);
    gcast_gpu_free(s->gpu);
    *s = (simulated){0};
}

gcast_status simulated_each_block(void *data, bool (*take)(void *, const gcast_started_block *, size_t), void *taker,
                                  gcast_error *err)
{
    const simulated *s = data;
    gcast_simulate_options options = s->options;
    gcast_run *run = NULL;
    options.record_blocks = false;
    options.each_block = take;
    options.each_block_data = taker;
    gcast_status status = gcast_workload_simulate(s->w, s->gpu, &options, &run, err);
    gcast_run_free(run);
    return status;
}

/* The number of blocks of the run, or a number above `max`. The grids of a workload without tasks tell; with tasks it
 * is simulated without recording blocks, which is quick. An error is left to the simulation that follows. */
static uint64_t count_blocks(const simulated *s, uint64_t max)
{
    const gcast_workload *w = s->w;
    gcast_run *run = NULL;
    gcast_error unused;
    uint64_t count = 0;
    for (size_t i = 0; i < w->op_count && count <= max; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            count += (uint64_t)w->ops[i].grid[0] * w->ops[i].grid[1] * w->ops[i].grid[2];
    if (count > max || !w->task_count)
        return count;
    count = 0;
    if (gcast_workload_simulate(w, s->gpu, &s->options, &run, &unused) == GCAST_OK)
        for (size_t i = 0; i < run->op_count; i++)
            count += run->ops[i].block_count;
    gcast_run_free(run);
    return count;
}

/* Are there more blocks than a page shows one by one on its SMs, or than are recorded for it? */
static bool has_many_blocks(const simulated *s, const gcast_report_options *shown)
{
    uint64_t count = count_blocks(s, MAX_RECORDED), sms = (uint64_t)s->gpu->sms;
    uint64_t last = shown->last_sm < 0 ? sms - 1 : min_u64((uint64_t)shown->last_sm, sms - 1);
    uint64_t part = last < (uint64_t)shown->first_sm ? 0 : last - (uint64_t)shown->first_sm + 1;
    return count > MAX_RECORDED || count > GCAST_PAGE_BLOCKS * sms / max_u64(part, 1);
}

/* Sets which blocks are recorded. With children it is all or none: a range would leave theirs out. */
static void choose_blocks(const simulate_request *r, simulated *s)
{
    recorded_blocks blocks = r->blocks;
    if (blocks == BLOCKS_FOR_PAGE && r->shown->to_ns < 0 && !s->w->child_count && has_many_blocks(s, r->shown))
        blocks = BLOCKS_NONE;
    s->options.record_blocks = blocks != BLOCKS_NONE;
    if (blocks >= BLOCKS_IN_RANGE && !s->w->child_count) {
        s->options.record_from_ns = r->shown->from_ns;
        s->options.record_to_ns = max_i64(r->shown->to_ns, 0);
    }
}

gcast_status simulated_make(const simulate_request *r, simulated *s)
{
    *s = (simulated){.options = r->options};
    gcast_status status = workload_open_on_gpu(&r->workload, &s->w, &s->gpu);
    if (status == GCAST_OK) {
        choose_blocks(r, s);
        status = simulate(r, s);
    }
    if (status != GCAST_OK) {
        simulated_free(s);
        return status;
    }
    for (size_t i = 0; i < s->run->note_count; i++)
        say_note(s->run->notes[i]);
    if (s->options.as_measured && !s->run->wake_ns)
        say_note("--as-measured changes nothing: the GPU has no wake_ns");
    return GCAST_OK;
}
