/* gcast_run_report_size: how large a report will be, before it is written. Operations are written to nowhere and
 * counted. There may be a billion blocks: a sample of them is written, and its size is scaled up. */
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "model/run_op.h"
#include "report/view.h"

#define SAMPLE 200000 /* blocks */

static bool count_bytes(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)data += size;
    return true;
}

/* Writes a report to nowhere and counts its bytes. */
static gcast_status count_report(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                                 uint64_t *bytes, gcast_error *err)
{
    *bytes = 0;
    return gcast_run_report(run, format, options, count_bytes, bytes, err);
}

/* The bytes that `block_count` blocks take where `sample_count` take `bytes`. */
static uint64_t scale(uint64_t bytes, uint64_t sample_count, uint64_t block_count)
{
    unsigned __int128 scaled = sample_count ? (unsigned __int128)bytes * block_count / sample_count : bytes;
    return scaled > INT64_MAX ? INT64_MAX : (uint64_t)scaled;
}

/* The size of a trace: that without blocks, and that of the blocks, scaled up from the blocks of some SMs and, where
 * these are too many, of a part of the time. */
static gcast_status trace_size(const gcast_run *run, const gcast_report_options *options, uint64_t *bytes,
                               gcast_error *err)
{
    view v;
    gcast_report_options without_blocks = *options, part = *options;
    uint64_t bytes_with, bytes_without; /* bytes with blocks and without */
    without_blocks.no_blocks = true;
    gcast_status status = view_make(&v, run, options, err);
    if (!status)
        status = count_report(run, GCAST_FORMAT_TRACE, &without_blocks, bytes, err);
    uint64_t block_count = status || options->no_blocks ? 0 : view_count_blocks(&v, run), sample_count = block_count;
    if (!block_count)
        return status;
    if (block_count > SAMPLE) { /* SMs and times in the middle, where numbers have a typical number of digits */
        int sms = v.last_sm - v.first_sm + 1, sampled = (int)((uint64_t)sms * SAMPLE / block_count) + 1;
        v.first_sm += (sms - sampled) / 2;
        v.last_sm = v.first_sm + sampled - 1;
        sample_count = view_count_blocks(&v, run);
    }
    if (sample_count > 2 * SAMPLE) {
        int64_t time = (int64_t)((__int128)(v.end_ns - v.start_ns) * SAMPLE / sample_count) + 1;
        v.start_ns += (v.end_ns - v.start_ns - time) / 2;
        v.end_ns = v.start_ns + time;
        sample_count = view_count_blocks(&v, run);
    }
    part.first_sm = without_blocks.first_sm = v.first_sm;
    part.last_sm = without_blocks.last_sm = v.last_sm;
    part.from_ns = without_blocks.from_ns = v.start_ns;
    part.to_ns = without_blocks.to_ns = v.end_ns;
    status = count_report(run, GCAST_FORMAT_TRACE, &part, &bytes_with, err);
    if (!status)
        status = count_report(run, GCAST_FORMAT_TRACE, &without_blocks, &bytes_without, err);
    if (!status && bytes_with > bytes_without)
        *bytes += scale(bytes_with - bytes_without, sample_count, block_count);
    return status;
}

/* A run with a sample of the blocks of another. */
typedef struct sample {
    gcast_run run;                      /* with the operations below */
    gcast_run_op *ops;                  /* of run */
    gcast_block *blocks;                /* of all `ops` */
    uint64_t sample_count, block_count; /* blocks in the sample, and in the run */
    uint64_t sample_digits; /* digits of the numbers of the sampled blocks, which count from 0 in each operation */
    uint64_t all_digits;    /* digits of the numbers of all blocks */
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
    size_t total = run_total(run);
    for (size_t i = 0; i < total; i++)
        s->block_count += run->ops[i].blocks ? run->ops[i].block_count : 0;
    s->ops = malloc((total + 1) * sizeof *s->ops);
    s->blocks = malloc((total + SAMPLE + 1) * sizeof *s->blocks);
    s->run.ops = s->ops;
    for (size_t i = 0; s->ops && s->blocks && i < total; i++) {
        const gcast_run_op *o = &run->ops[i];
        gcast_run_op *sampled = &s->ops[i];
        *sampled = *o;
        if (!o->blocks)
            continue;
        uint64_t count = (uint64_t)((unsigned __int128)o->block_count * SAMPLE / s->block_count) + 1;
        sampled->blocks = s->blocks + s->sample_count;
        sampled->block_count = min_u64(count, o->block_count);
        for (uint64_t b = 0; b < sampled->block_count; b++)
            s->blocks[s->sample_count + b] = o->blocks[(unsigned __int128)b * o->block_count / sampled->block_count];
        s->sample_count += sampled->block_count;
        s->sample_digits += digits_below(sampled->block_count);
        s->all_digits += digits_below(o->block_count);
    }
    return s->ops && s->blocks;
}

/* The size of CSV or JSON with blocks. A line of CSV has the number of its block, whose digits are counted apart. */
static gcast_status lines_size(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                               uint64_t *bytes, gcast_error *err)
{
    sample s;
    gcast_report_options without_blocks = *options;
    uint64_t bytes_with = 0, bytes_without = 0; /* bytes with blocks and without */
    without_blocks.blocks = false;
    gcast_status status = take_sample(&s, run) ? GCAST_OK : gcast_error_set_memory(err);
    if (!status)
        status = count_report(&s.run, format, options, &bytes_with, err);
    if (!status && format == GCAST_FORMAT_JSON)
        status = count_report(&s.run, format, &without_blocks, &bytes_without, err);
    uint64_t digits = format == GCAST_FORMAT_CSV && !options->gzip ? s.sample_digits : 0;
    if (!status)
        *bytes = bytes_with;
    if (!status && bytes_with > bytes_without + digits)
        *bytes = bytes_without + scale(bytes_with - bytes_without - digits, s.sample_count, s.block_count) +
                 (digits ? s.all_digits : 0);
    free(s.ops);
    free(s.blocks);
    return status;
}

gcast_status gcast_run_report_size(const gcast_run *run, gcast_format format, const gcast_report_options *given,
                                   uint64_t *bytes, gcast_error *err)
{
    if (!run || !bytes)
        return argument_missing(err);
    gcast_report_options own = gcast_report_options_default();
    const gcast_report_options *options = &own;
    gcast_status status = report_options_take(&own, given, run, err);
    *bytes = 0;
    if (status != GCAST_OK)
        return status;
    if ((unsigned)format >= GCAST_FORMATS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no format number %d", (int)format);
    if (format == GCAST_FORMAT_TRACE)
        return trace_size(run, options, bytes, err);
    if (format != GCAST_FORMAT_CSV && format != GCAST_FORMAT_JSON)
        return GCAST_OK;
    if (options->blocks && run->blocks_recorded)
        return lines_size(run, format, options, bytes, err);
    return count_report(run, format, options, bytes, err);
}
