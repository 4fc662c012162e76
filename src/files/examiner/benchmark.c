#include "files/examiner/benchmark.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/workload.h"

void examiner_note(examiner *x, const char *note)
{
    uint64_t hash = index_hash_text(note);
    if (x->doc.status != GCAST_OK)
        return;
    for (index_probe p = index_start(&x->notes, hash); index_next(&x->notes, &p);)
        if (strcmp(x->w->notes[p.value], note) == 0)
            return;
    x->doc.status = gcast_workload_add_note(x->w, note, x->doc.err);
    if (x->doc.status == GCAST_OK && !index_add(&x->notes, hash, (uint32_t)(x->w->note_count - 1)))
        x->doc.status = gcast_error_set_memory(x->doc.err);
}

void examiner_note_once(examiner *x, examiner_note_id note)
{
    static const char *const texts[] = {
#define X(id, text) text,
        EXAMINER_NOTE_TABLE(X)
#undef X
    };
    examiner_note(x, texts[note]);
}

int examiner_mask(examiner *x, const node *object)
{
    node n = node_key(object, "sm_mask");
    if (!n.value)
        return GCAST_ALL_SMS;
    const char *text = node_text(&n), *digits = text + (*text == '~');
    char *end;
    errno = 0;
    uint64_t disabled = strtoull(digits, &end, 16);
    if (end == digits || *end || errno || strspn(digits, "0123456789abcdefABCDEFxX") != strlen(digits)) {
        node_fail(&n, "must be a hexadecimal number of 64 bits such as \"0xf0\" or \"~0xf\"");
        return GCAST_ALL_SMS;
    }
    if (*text == '~')
        disabled = ~disabled;
    if (disabled == 0)
        return GCAST_ALL_SMS;
    if (disabled == UINT64_MAX) {
        node_fail(&n, "leaves no TPC");
        return GCAST_ALL_SMS;
    }
    /* A set bit disables a TPC, and libsmctrl disables all TPCs from the 65th on. */
    gcast_mask mask = {{0}};
    for (int sm = 0; sm < 64 * x->sms_per_tpc && sm < GCAST_MAX_SMS; sm++)
        if (!(disabled >> sm / x->sms_per_tpc & 1))
            mask.word[sm / 64] |= (uint64_t)1 << sm % 64;
    int index = -1;
    node_fail_as(&n, gcast_workload_add_mask(x->w, &mask, &index, x->doc.err));
    return index;
}

int64_t examiner_shared_memory(const node *object, bool required)
{
    node n = node_key(object, "shared_memory_size");
    int64_t ints = n.value || required ? node_int(&n, 0, INT_MAX) : 0;
    bool known = ints == 4096 || ints == 8192 || ints == 10240 || (ints == 0 && !required);
    if (!known)
        node_fail(&n, "must be %s4096, 8192 or 10240", required ? "" : "0, ");
    return 4 * ints;
}

int64_t examiner_spin_ns(const node *n)
{
    return node_int(n, 1, WORKLOAD_MAX_NS);
}

uint32_t examiner_one_dimension(const node *n, const char *key, const uint32_t d[3])
{
    node at = node_key(n, key);
    if (d[1] != 1 || d[2] != 1)
        node_fail(&at, "must be one-dimensional here");
    return d[0];
}

int bench_stream(exam_bench *b)
{
    if (b->stream < 0) {
        b->traits.id = ++b->x->next_stream;
        b->traits.blocking_given = true;
        node_fail_as(b->at, gcast_workload_add_stream(b->x->w, &b->traits, &b->stream, b->x->doc.err));
    }
    return b->stream;
}

int bench_null_stream(exam_bench *b, const node *n)
{
    if (b->process != 0) {
        node_fail(n, "the NULL stream of a process among several is not supported");
        return -1;
    }
    int index = -1;
    node_fail_as(n, gcast_workload_get_stream(b->x->w, 0, &index, b->x->doc.err));
    return index;
}

void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 1;
    char *label = arena_alloc(&b->memory, size);
    if (label)
        snprintf(label, size, "%s%s", name, suffix);
    op.label = label;
    if (b->x->doc.status == GCAST_OK && (!label || !vec_push(&b->ops, op)))
        node_fail_memory(b->at);
}

void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, grid, sizeof op.grid);
    memcpy(op.block, block, sizeof op.block);
    op.min_ns = op.max_ns = ns;
    op.shape.static_smem = shared_memory;
    op.body = GCAST_BODY_TIMER_SPIN;
    op.stream = stream;
    op.mask = mask;
    bench_add(b, op, name, "");
}

void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = direction;
    op.bytes = bytes;
    op.stream = bench_stream(b);
    bench_add(b, op, name, suffix);
}

void bench_add_sync(exam_bench *b, int stream)
{
    if (b->ops.count == 0 || b->ops.at[b->ops.count - 1].kind == GCAST_KIND_SYNC)
        return;
    gcast_op op = gcast_op_default(GCAST_KIND_SYNC);
    op.stream = stream;
    bench_add(b, op, b->label, ": sync");
}
