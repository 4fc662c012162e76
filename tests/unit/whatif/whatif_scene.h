/* Small workloads for tests of changes, whose ends are known by hand. The GPU has 2 SMs with room for 2 blocks each,
 * and no latencies but where a test gives it some; a block takes 100 ns where nothing else is said. */
#ifndef UNIT_WHATIF_WHATIF_SCENE_H
#define UNIT_WHATIF_WHATIF_SCENE_H

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "change/change_text.h"
#include "support/builders.h"
#include "whatif/whatif.h"

typedef struct scene {
    gcast_workload *w;
    gcast_gpu *gpu, *small; /* `small` has one SM: gpu=small */
    whatif_base base;
    const gcast_gpu *gpus[1];
    const char *names[1];
    arena memory;
    int host;
} scene;

static inline scene *scene_new(void)
{
    gcast_error err;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->w = support_workload("scene", &err);
    s->gpu = support_gpu("two", 6, 2, 2, &err);
    s->small = support_gpu("one", 6, 2, 1, &err);
    assert_true(s->w && s->gpu && s->small);
    s->host = support_add_host(s->w, "main", &err);
    s->gpus[0] = s->small;
    s->names[0] = "small";
    s->base = (whatif_base){.from = {.w = s->w, .gpu = s->gpu, .gpus = s->gpus, .gpu_names = s->names, .gpu_count = 1},
                            .options = gcast_simulate_options_default()};
    return s;
}

static inline void scene_free(scene *s)
{
    gcast_workload_free(s->w);
    gcast_gpu_free(s->gpu);
    gcast_gpu_free(s->small);
    arena_free(&s->memory);
    free(s);
}

/* A kernel whose blocks take half an SM each. */
static inline gcast_op kernel(scene *s, const char *label, int stream, uint32_t blocks)
{
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = support_get_stream(s->w, stream, &err);
    op.grid[0] = blocks;
    op.block[0] = 1024;
    op.min_ns = op.max_ns = 100;
    return op;
}

static inline int add(scene *s, gcast_op op)
{
    gcast_error err;
    int index = support_add_op(s->w, &op, &err);
    assert_true(index >= 0);
    return index;
}

/* A kernel of a block that the host calls after a pause. */
static inline int call(scene *s, const char *label, int stream, int64_t pause_ns)
{
    gcast_op op = kernel(s, label, stream, 1);
    op.host = s->host;
    op.delay_ns = pause_ns;
    return add(s, op);
}

static inline void sync_stream(scene *s, int stream)
{
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_SYNC);
    op.label = "sync";
    op.host = s->host;
    op.stream = support_get_stream(s->w, stream, &err);
    add(s, op);
}

static inline whatif_row try_changes(scene *s, const char *const *changes, size_t count)
{
    gcast_error err;
    whatif_row row = {.change_count = count};
    for (size_t i = 0; i < count; i++)
        assert_ok(change_parse(changes[i], &s->memory, &row.changes[i], &err), &err);
    assert_ok(whatif_try(&s->base, &row, &err), &err);
    int64_t sum = 0;
    for (int k = 0; k < WAIT_LABELS; k++)
        sum += row.by_label[k];
    if (row.state == WHATIF_DONE)
        assert_int_equal(sum, row.end_ns);
    return row;
}

static inline whatif_row try_one(scene *s, const char *words)
{
    return try_changes(s, &words, words ? 1 : 0);
}

static inline int64_t end_with(scene *s, const char *words)
{
    whatif_row row = try_one(s, words);
    assert_int_equal(row.state, WHATIF_DONE);
    return row.end_ns;
}

static inline void refused(scene *s, const char *words, const char *part)
{
    whatif_row row = try_one(s, words);
    assert_int_equal(row.state, WHATIF_REFUSED);
    if (!strstr(row.refusal, part))
        fail_msg("%s", row.refusal);
}

/* B waits for two waves of A, unless it goes first or has an SM of its own. */
static inline scene *scene_of_waves(void)
{
    scene *s = scene_new();
    add(s, kernel(s, "A", 1, 8));
    gcast_op b = kernel(s, "B", 2, 2);
    b.release_ns = 10;
    add(s, b);
    s->gpu->priority_levels = 2;
    return s;
}

#endif
