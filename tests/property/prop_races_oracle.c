/* The checker of races against a slow and obvious one: all pairs of accesses of
 * random kernels whose warps meet at barriers of some of them, wait there or only
 * arrive, and meet in themselves. Which access is before which follows from the
 * kernel alone. A race is reported if and only if
 * there is one, and each that is reported is one. GRIDCAST_PROPERTY_RUNS sets how
 * many kernels (default 800); `prop_races_oracle SEED` shows one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/support.h"

enum { WARPS = 4, BLOCKS = 2, STEPS = 40, PHASES = 15, BYTES = 16 };

typedef enum { STEP_ACCESS, STEP_MEET, STEP_WARP } step_kind;
typedef enum { ABSENT, WAITS, ARRIVES } part;

/* What some warps do at one place of the kernel, whose steps all warps come to in this order. */
typedef struct step {
    step_kind kind;
    part part[WARPS];
    /* access: by one warp, */
    uint32_t warp, lanes;
    uint32_t at, stride, bytes; /* lane i at at + i * stride */
    bool write, global;
    uint32_t line; /* of the PTX */
} step;

typedef struct kernel {
    uint64_t seed;
    uint32_t steps, phases, blocks;
    gcast_simt_model model;
    step step[STEPS];
} kernel;

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void make(kernel *k, uint64_t seed)
{
    uint64_t r = seed * 7919;
    *k = (kernel){.seed = seed, .steps = 4 + draw(&r, STEPS - 4), .blocks = 1 + draw(&r, BLOCKS)};
    k->model = draw(&r, 4) ? GCAST_SIMT_THREADS : GCAST_SIMT_STACK;
    bool global = draw(&r, 3) == 0;
    for (uint32_t i = 0; i < k->steps; i++) {
        step *s = &k->step[i];
        uint32_t choice = draw(&r, 10), waiting = 0;
        s->warp = draw(&r, WARPS);
        if (choice < 3 && k->phases < PHASES) {
            s->kind = STEP_MEET;
            k->phases++;
            for (uint32_t w = 0; w < WARPS; w++) {
                uint32_t p = draw(&r, 8);
                s->part[w] = p < 5 ? WAITS : p == 5 ? ARRIVES : ABSENT;
                waiting += s->part[w] == WAITS;
            }
            if (!waiting)
                s->part[s->warp] = WAITS;
        } else if (choice == 3) {
            s->kind = STEP_WARP;
        } else {
            static const uint32_t lanes[] = {1, 2, 0x80, 3, 0xff, UINT32_MAX};
            s->kind = STEP_ACCESS;
            s->lanes = lanes[draw(&r, 6)];
            s->bytes = 1u << draw(&r, 3);
            s->stride = draw(&r, 3) == 0 ? 0 : s->bytes;
            s->at = draw(&r, BYTES / s->bytes) * s->bytes;
            s->write = draw(&r, 6) == 0;
            s->global = global && draw(&r, 2);
        }
    }
}

static void put_access(text *t, const step *s, uint32_t value)
{
    static const char *const types[] = {"", "u8", "u16", "", "u32"};
    const char *space = s->global ? "global" : "shared", *base = s->global ? "%rd2" : "%r4";
    text_printf(t,
                "shl.b32 %%r3, 1, %%r2; and.b32 %%r3, %%r3, %u; setp.eq.u32 %%p1, %%r1, %u; "
                "setp.ne.and.u32 %%p1, %%r3, 0, %%p1; mad.lo.u32 %%r4, %%r2, %u, %u; cvt.u64.u32 %%rd2, %%r4; "
                "add.u64 %%rd2, %%rd2, %%rd1;\n",
                s->lanes, s->warp, s->stride, s->at);
    if (s->write)
        text_printf(t, "mad.lo.u32 %%r5, %%r5, 97, %u; @%%p1 st.%s.%s [%s], %%r5;\n", value * 0x01010101u, space,
                    types[s->bytes], base);
    else
        text_printf(t, "@%%p1 ld.%s.%s %%r5, [%s];\n", space, types[s->bytes], base);
}

static char *print(kernel *k)
{
    text t;
    uint32_t phase = 0, line = 7;
    text_open(&t, NULL, NULL);
    text_str(
        &t, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 8 .b8 s[256]; ld.param.u64 %rd1, [x]; "
            "mov.u32 %r6, %ctaid.x; mov.u32 %r5, %tid.x; shr.u32 %r1, %r5, 5; and.b32 %r2, %r5, 31;\n");
    for (uint32_t i = 0; i < k->steps; i++) {
        step *s = &k->step[i];
        uint32_t parts = 0;
        if (s->kind == STEP_WARP) {
            text_printf(&t, "setp.eq.u32 %%p1, %%r1, %u;\n@%%p1 bar.warp.sync -1;\n", s->warp);
            line += 2;
        } else if (s->kind == STEP_ACCESS) {
            put_access(&t, s, i + 1);
            s->line = line + 1;
            line += 2;
        } else {
            phase++;
            for (uint32_t w = 0; w < WARPS; w++)
                parts += s->part[w] != ABSENT;
            for (uint32_t w = 0; w < WARPS; w++, line++)
                text_printf(&t, "setp.eq.u32 %%p1, %%r1, %u; %s@%%p1 bar.%s %u, %u;\n", w, s->part[w] ? "" : "//",
                            s->part[w] == ARRIVES ? "arrive" : "sync", phase, parts * 32);
        }
    }
    text_str(&t, "ret;\n}\n");
    text_char(&t, 0);
    assert_false(t.failed);
    return t.data;
}

/* after[i][v][j]: is step j of warp v, by any lane, after access i? A warp that arrives at a barrier after the access
 * orders it before the later steps of all warps that waited there, and so on. */
static bool after[STEPS][WARPS][STEPS];

static void find_order(const kernel *k)
{
    memset(after, 0, sizeof after);
    for (uint32_t i = 0; i < k->steps; i++) {
        bool knows[WARPS] = {false};
        for (uint32_t j = i + 1; j < k->steps; j++) {
            const step *s = &k->step[j];
            for (uint32_t v = 0; v < WARPS; v++)
                after[i][v][j] = knows[v];
            bool is_informed = s->kind == STEP_WARP && (s->warp == k->step[i].warp || knows[s->warp]);
            for (uint32_t v = 0; s->kind == STEP_MEET && v < WARPS; v++)
                is_informed |= s->part[v] != ABSENT && (v == k->step[i].warp || knows[v]);
            for (uint32_t v = 0; is_informed && v < WARPS; v++)
                knows[v] |= s->kind == STEP_WARP ? v == s->warp : s->part[v] == WAITS;
        }
    }
}

static bool overlap(const step *a, uint32_t lane, const step *b, uint32_t other)
{
    uint32_t x = a->at + lane * a->stride, y = b->at + other * b->stride;
    return x < y + b->bytes && y < x + a->bytes;
}

static bool is_race(const kernel *k, uint32_t i, uint32_t lane, uint32_t j, uint32_t other, bool blocks)
{
    const step *a = &k->step[i], *b = &k->step[j];
    if (a->kind != STEP_ACCESS || b->kind != STEP_ACCESS || !(a->write || b->write) || a->global != b->global ||
        !(a->lanes >> lane & 1) || !(b->lanes >> other & 1) || !overlap(a, lane, b, other))
        return false;
    if (blocks)
        return a->global;
    if (a->warp == b->warp && (lane == other || (i != j && k->model == GCAST_SIMT_STACK)))
        return false;
    return !(i < j && after[i][b->warp][j]) && !(j < i && after[j][a->warp][i]);
}

static bool has_race(const kernel *k)
{
    for (uint32_t i = 0; i < k->steps; i++)
        for (uint32_t j = 0; j < k->steps; j++)
            for (uint32_t lanes = 0; lanes < 1024; lanes++)
                if (is_race(k, i, lanes % 32, j, lanes / 32, false) ||
                    (k->blocks > 1 && is_race(k, i, lanes % 32, j, lanes / 32, true)))
                    return true;
    return false;
}

static uint32_t step_of(const kernel *k, uint32_t line)
{
    for (uint32_t i = 0; i < k->steps; i++)
        if (k->step[i].kind == STEP_ACCESS && k->step[i].line == line)
            return i;
    fail_msg("line %u is no access", line);
    return 0;
}

static bool agrees(const kernel *k, const char *source, bool show)
{
    gcast_ptx *p;
    gcast_error err;
    gcast_simt_report *r;
    uint8_t x[256] = {0};
    gcast_buffer buffer = {"x", x, sizeof x};
    gcast_argument argument = {0, NULL, 0};
    gcast_launch l = {.grid = {k->blocks, 1, 1},
                      .block = {WARPS * 32, 1, 1},
                      .arguments = 1,
                      .buffers = 1,
                      .argument = &argument,
                      .buffer = &buffer};
    gcast_simt_options o = {.size = sizeof o, .model = k->model, .check_races = true, .interleave = k->seed % 3};
    assert_ok(gcast_ptx_parse(source, strlen(source), NULL, &p, &err), &err);
    assert_ok(gcast_simt_run(p, &l, &o, &r, &err), &err);
    find_order(k);
    /* writes of one value are not ordered either */
    bool want = has_race(k), good = want == (r->races + r->race_notes > 0);
    for (uint32_t i = 0; i < r->races + r->race_notes; i++) {
        good &= r->race[i].kind != GCAST_RACE_NOT_PROMISED;
        const gcast_simt_access *a = &r->race[i].first, *b = &r->race[i].second;
        uint32_t sa = step_of(k, a->ptx_line), sb = step_of(k, b->ptx_line);
        good &= k->step[sa].warp == a->thread / 32 && k->step[sb].warp == b->thread / 32 &&
                is_race(k, sa, a->thread % 32, sb, b->thread % 32, a->block != b->block);
        if (show || !good)
            fprintf(stderr, "lines %u and %u, blocks %" PRIu64 " and %" PRIu64 ", threads %u and %u: %s\n", a->ptx_line,
                    b->ptx_line, a->block, b->block, a->thread, b->thread, r->race[i].why);
    }
    if (show || !good)
        fprintf(stderr, "seed %" PRIu64 ", model %d, %u blocks: %u races and %u notes, should be %s\n%s", k->seed,
                (int)k->model, k->blocks, r->races, r->race_notes, want ? "some" : "none", source);
    gcast_simt_report_free(r);
    gcast_ptx_free(p);
    return good;
}

static bool try_seed(uint64_t seed, bool show, uint64_t *racy)
{
    static kernel k;
    make(&k, seed);
    char *source = print(&k);
    bool good = agrees(&k, source, show);
    *racy += good && has_race(&k);
    free(source);
    return good;
}

static void all_pairs(void **state)
{
    (void)state;
    uint64_t runs = support_runs(800), racy = 0;
    for (uint64_t seed = 1; seed <= runs; seed++)
        assert_true(try_seed(seed, false, &racy));
    print_message("%" PRIu64 " kernels, %" PRIu64 " with races\n", runs, racy);
    if (runs >= 100) {
        assert_true(racy > runs / 10);
        assert_true(racy < runs - runs / 10);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        uint64_t racy = 0;
        return try_seed(strtoull(argv[1], NULL, 10), true, &racy) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
