/* gcast_run_report_size: how large a report will be, before it is written. Operations are written to nowhere and
 * counted. Of blocks, of which there may be a billion, a sample is written, and its size is scaled up. */
#include <stdlib.h>

#include "base/api/options_copy.h"
#include "base/minmax.h"
#include "report/run/shown_blocks.h"
#include "report/view.h"

#define SAMPLE 200000 /* blocks */

static bool count_bytes(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)data += size;
    return true;
}

/* The bytes of a report, written to nowhere. */
static gcast_status count_report(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                                 uint64_t *bytes, gcast_error *err)
{
    *bytes = 0;
    return gcast_run_report(run, format, options, count_bytes, bytes, err);
}

/* The bytes that `all` blocks take where `some` take `bytes`. */
static uint64_t scale(uint64_t bytes, uint64_t some, uint64_t all)
{
    unsigned __int128 scaled = some ? (unsigned __int128)bytes * all / some : bytes;
    return scaled > INT64_MAX ? INT64_MAX : (uint64_t)scaled;
}

/* Blocks that a view shows. */
static uint64_t count_blocks(const gcast_run *run, const view *v)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++) {
            const gcast_block *k = &blocks.at[b];
            count += (int)k->sm >= v->first_sm && (int)k->sm <= v->last_sm && view_holds(v, k->start_ns, k->end_ns);
        }
    }
    return count;
}

/* A trace: all but the blocks, and the blocks of a few SMs, of a part of the time if they are too many. */
static gcast_status trace_size(const gcast_run *run, const gcast_report_options *options, uint64_t *bytes,
                               gcast_error *err)
{
    view v;
    gcast_report_options bare = *options, part = *options;
    uint64_t with, without; /* bytes with blocks and without */
    bare.no_blocks = true;
    gcast_status status = view_make(&v, run, options, err);
    if (!status)
        status = count_report(run, GCAST_FORMAT_TRACE, &bare, bytes, err);
    uint64_t all = status || options->no_blocks ? 0 : count_blocks(run, &v), some = all;
    if (!all)
        return status;
    if (all > SAMPLE) { /* SMs and times in the middle, where numbers have a typical number of digits */
        int sms = v.last_sm - v.first_sm + 1, sampled = (int)((uint64_t)sms * SAMPLE / all) + 1;
        v.first_sm += (sms - sampled) / 2;
        v.last_sm = v.first_sm + sampled - 1;
        some = count_blocks(run, &v);
    }
    if (some > 2 * SAMPLE) {
        int64_t time = (int64_t)((__int128)(v.end_ns - v.start_ns) * SAMPLE / some) + 1;
        v.start_ns += (v.end_ns - v.start_ns - time) / 2;
        v.end_ns = v.start_ns + time;
        some = count_blocks(run, &v);
    }
    part.first_sm = bare.first_sm = v.first_sm;
    part.last_sm = bare.last_sm = v.last_sm;
    part.from_ns = bare.from_ns = v.start_ns;
    part.to_ns = bare.to_ns = v.end_ns;
    status = count_report(run, GCAST_FORMAT_TRACE, &part, &with, err);
    if (!status)
        status = count_report(run, GCAST_FORMAT_TRACE, &bare, &without, err);
    if (!status && with > without)
        *bytes += scale(with - without, some, all);
    return status;
}

/* A run with a sample of the blocks of another. */
typedef struct sample {
    gcast_run run;        /* with the operations below */
    gcast_run_op *ops;    /* of run */
    gcast_block *blocks;  /* of all of these */
    uint64_t some, all;   /* blocks in the sample, and in the run it is of */
    uint64_t some_digits; /* of the numbers of the blocks in the sample, which are from 0 in each operation */
    uint64_t all_digits;  /* of the numbers of all blocks */
} sample;

/* Digits of all numbers from 0 to n - 1. */
static uint64_t digits_below(uint64_t n)
{
    uint64_t sum = n;
    for (uint64_t power = 10; power < n && power < UINT64_MAX / 10; power *= 10)
        sum += n - power;
    return sum;
}

/* Takes the same fraction of the blocks of each operation, at equal distances. False without memory. */
static bool take_sample(sample *s, const gcast_run *run)
{
    *s = (sample){.run = *run};
    for (size_t i = 0; i < run->op_count; i++)
        s->all += run->ops[i].blocks ? run->ops[i].block_count : 0;
    s->ops = malloc((run->op_count + 1) * sizeof *s->ops);
    s->blocks = malloc((run->op_count + SAMPLE + 1) * sizeof *s->blocks);
    s->run.ops = s->ops;
    for (size_t i = 0; s->ops && s->blocks && i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        gcast_run_op *sampled = &s->ops[i];
        *sampled = *o;
        if (!o->blocks)
            continue;
        uint64_t count = (uint64_t)((unsigned __int128)o->block_count * SAMPLE / s->all) + 1;
        sampled->blocks = s->blocks + s->some;
        sampled->block_count = min_u64(count, o->block_count);
        for (uint64_t b = 0; b < sampled->block_count; b++)
            s->blocks[s->some + b] = o->blocks[(unsigned __int128)b * o->block_count / sampled->block_count];
        s->some += sampled->block_count;
        s->some_digits += digits_below(sampled->block_count);
        s->all_digits += digits_below(o->block_count);
    }
    return s->ops && s->blocks;
}

/* CSV and JSON with blocks. A line of CSV has the number of its block, whose digits are counted apart. */
static gcast_status lines_size(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                               uint64_t *bytes, gcast_error *err)
{
    sample s;
    gcast_report_options bare = *options;
    uint64_t with = 0, without = 0; /* bytes with blocks and without */
    bare.blocks = false;
    gcast_status status = take_sample(&s, run) ? GCAST_OK : gcast_error_set_memory(err);
    if (!status)
        status = count_report(&s.run, format, options, &with, err);
    if (!status && format == GCAST_FORMAT_JSON)
        status = count_report(&s.run, format, &bare, &without, err);
    uint64_t digits = format == GCAST_FORMAT_CSV && !options->gzip ? s.some_digits : 0;
    if (!status && with > without + digits)
        *bytes = without + scale(with - without - digits, s.some, s.all) + (digits ? s.all_digits : 0);
    free(s.ops);
    free(s.blocks);
    return status;
}

gcast_status gcast_run_report_size(const gcast_run *run, gcast_format format, const gcast_report_options *given,
                                   uint64_t *bytes, gcast_error *err)
{
    gcast_report_options own = gcast_report_options_default();
    const gcast_report_options *options = &own;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_report_options", err);
    *bytes = 0;
    if (status != GCAST_OK)
        return status;
    if (format == GCAST_FORMAT_TRACE)
        return trace_size(run, options, bytes, err);
    if (format != GCAST_FORMAT_CSV && format != GCAST_FORMAT_JSON)
        return GCAST_OK;
    if (options->blocks && run->blocks_recorded)
        return lines_size(run, format, options, bytes, err);
    return count_report(run, format, options, bytes, err);
}
