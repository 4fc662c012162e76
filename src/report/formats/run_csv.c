#include "report/formats/run_csv.h"

#include <stdlib.h>

#include "model/run_op.h"
#include "report/formats/run_fields.h"
#include "report/report_progress.h"
#include "report/schemas.h"

#define CSV_FIELDS(FIELD, LINE)                                                                                        \
    OP_NAME_FIELDS(FIELD, LINE)                                                                                        \
    OP_TIME_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(ns, response_ns, gcast_response_ns(o) >= 0, gcast_response_ns(o), "from the release to the end")             \
    FIELD(count, blocks, op->kind == GCAST_KIND_KERNEL, o->block_count, "blocks of the kernel")                        \
    FIELD(count, skipped, true, o->skipped, "1: it was never called")

const record run_csv_schema[] = {RECORD("", CSV_FIELDS), {NULL, NULL}};

static void put_op(const gcast_run *run, size_t i, text *out)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    bool is_first = true;
    PUT_COLUMNS(CSV_FIELDS);
    text_char(out, '\n');
}

/* A run has millions of blocks: their lines are written straight into the buffer of the text, and the label is escaped
 * once per operation. The start of a line, which is the same for all blocks of an operation, is copied in pieces of a
 * fixed size. */
#define COPY_CHUNK 32
#define NUMBERS (4 * 21) /* bytes of block, SM, start and end, each with a comma or the end of the line */

static char *put_int(char *p, int64_t v)
{
    if (v >= 0)
        return text_digits(p, (uint64_t)v);
    *p = '-';
    return text_digits(p + 1, 0 - (uint64_t)v);
}

static char *put_numbers(char *p, uint64_t b, const gcast_block *k)
{
    p = text_digits(p, b);
    *p++ = ',';
    p = text_digits(p, k->sm);
    *p++ = ',';
    p = put_int(p, k->start_ns);
    *p++ = ',';
    p = put_int(p, k->end_ns);
    *p++ = '\n';
    return p;
}

/* Each line begins with `start`, behind which COPY_CHUNK more bytes may be read. Blocks are numbered from first_number
 * on. */
static void put_blocks(const gcast_run_op *o, uint64_t first_number, const char *start, size_t size,
                       report_progress *progress, text *out)
{
    size_t line_size = size + COPY_CHUNK + NUMBERS;
    for (uint64_t b = 0; b < o->block_count;) {
        if (line_size > 4096) { /* more than text_reserve may reserve */
            text_bytes(out, start, size);
            if (!text_reserve(out, NUMBERS))
                return;
            out->used = (size_t)(put_numbers(out->data + out->used, first_number + b, &o->blocks[b]) - out->data);
            b++;
            continue;
        }
        if (!text_reserve(out, line_size))
            return;
        uint64_t first = b;
        char *p = out->data + out->used;
        const char *last = out->data + out->cap - line_size;
        for (; b < o->block_count && p <= last; b++) {
            for (size_t at = 0; at < size; at += COPY_CHUNK)
                memcpy(p + at, start + at, COPY_CHUNK);
            p = put_numbers(p + size, first_number + b, &o->blocks[b]);
        }
        report_progress_add(progress, b - first);
        out->used = (size_t)(p - out->data);
    }
}

/* The label of an operation; LABEL#NUMBER of a child. */
static void put_label(const gcast_run *run, size_t i, text *out)
{
    text name;
    if (i < run->op_count) {
        text_csv(out, run_op(run, i)->label);
        return;
    }
    text_open(&name, NULL, NULL);
    text_str(&name, run_op(run, i)->label);
    text_char(&name, '#');
    text_uint(&name, run->ops[i].job);
    char *taken = text_take(&name, NULL);
    if (taken)
        text_csv(out, taken);
    else
        text_no_memory(out);
    free(taken);
}

/* A block that waited for its children has a second line, for its rest. */
static gcast_status write_blocks(const gcast_run *run, report_progress *progress, text *out, gcast_error *err)
{
    text_str(out, "label,job,block,sm,start_ns,end_ns\n");
    for (size_t i = 0; i < run_total(run); i++) {
        if (!run->ops[i].blocks)
            continue;
        text line;
        text_open(&line, NULL, NULL);
        put_label(run, run_owner(run, i), &line);
        text_char(&line, ',');
        text_uint(&line, run->ops[run_owner(run, i)].job);
        text_char(&line, ',');
        static const char padding[COPY_CHUNK] = {0};
        size_t size = line.used;
        text_bytes(&line, padding, COPY_CHUNK);
        char *start = text_take(&line, NULL);
        if (!start)
            return gcast_error_set_memory(err);
        put_blocks(&run->ops[i], run_is_rest(run, i) ? run_child(run, i)->parent_block : 0, start, size, progress, out);
        free(start);
    }
    return GCAST_OK;
}

gcast_status csv_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    if (options->blocks && !run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the run has no blocks recorded");
    if (options->blocks)
        return write_blocks(run, report_progress_of(options), out, err);
    text_str(out, COLUMNS(CSV_FIELDS));
    text_char(out, '\n');
    for (size_t i = 0; i < run->op_count; i++) {
        put_op(run, i, out);
        report_progress_add(report_progress_of(options), 1);
    }
    return GCAST_OK;
}
