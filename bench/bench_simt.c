/* The SIMT machine on one core: a tiled matrix product, unrolled as nvcc writes
 * it, in warp instructions a second, and how much longer it takes than plain C
 * that does the same arithmetic one number at a time. Times are of the
 * processor. Exit status 1 if a claim fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gridcast/gridcast.h"

#define N 256
#define TILE 16

static int failed;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* C = A * B by tiles of 16 x 16 in shared memory. */
static char *product_text(void)
{
    char *text = malloc(8192), *at = text;
    if (!text)
        exit(4);
    at += sprintf(at, ".version 7.0\n.target sm_70\n.address_size 64\n"
                      ".visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"
                      ".shared .align 4 .b8 ta[1024];\n.shared .align 4 .b8 tb[1024];\n"
                      ".reg .pred %%p<2>;\n.reg .b32 %%r<32>;\n.reg .b64 %%rd<16>;\n.reg .f32 %%f<8>;\n"
                      "ld.param.u64 %%rd1, [a];\nld.param.u64 %%rd2, [b];\nld.param.u64 %%rd3, [c];\n"
                      "ld.param.u32 %%r1, [n];\nmov.u32 %%r2, %%tid.x;\nmov.u32 %%r3, %%tid.y;\n"
                      "mov.u32 %%r4, %%ctaid.x;\nmov.u32 %%r5, %%ctaid.y;\n"
                      "mad.lo.u32 %%r6, %%r4, 16, %%r2;\nmad.lo.u32 %%r7, %%r5, 16, %%r3;\n"
                      "shl.b32 %%r8, %%r3, 6;\nmov.u32 %%r9, ta;\nadd.u32 %%r8, %%r8, %%r9;\n"
                      "shl.b32 %%r10, %%r2, 2;\nmov.u32 %%r11, tb;\nadd.u32 %%r12, %%r8, %%r10;\n"
                      "add.u32 %%r13, %%r11, %%r10;\nshl.b32 %%r14, %%r3, 6;\nadd.u32 %%r14, %%r14, %%r13;\n"
                      "mad.lo.u32 %%r15, %%r7, %%r1, %%r2;\nmad.lo.u32 %%r16, %%r3, %%r1, %%r6;\n"
                      "shl.b32 %%r17, %%r1, 4;\nmov.u32 %%r18, 0;\nmov.f32 %%f1, 0f00000000;\n"
                      "loop:\nmul.wide.u32 %%rd4, %%r15, 4;\nadd.u64 %%rd4, %%rd1, %%rd4;\n"
                      "ld.global.f32 %%f2, [%%rd4];\nst.shared.f32 [%%r12], %%f2;\n"
                      "mul.wide.u32 %%rd5, %%r16, 4;\nadd.u64 %%rd5, %%rd2, %%rd5;\n"
                      "ld.global.f32 %%f3, [%%rd5];\nst.shared.f32 [%%r14], %%f3;\nbar.sync 0;\n");
    for (int k = 0; k < TILE; k++)
        at += sprintf(at,
                      "ld.shared.f32 %%f4, [%%r8+%d];\nld.shared.f32 %%f5, [%%r13+%d];\n"
                      "fma.rn.f32 %%f1, %%f4, %%f5, %%f1;\n",
                      4 * k, 64 * k);
    sprintf(at, "bar.sync 0;\nadd.u32 %%r15, %%r15, 16;\nadd.u32 %%r16, %%r16, %%r17;\nadd.u32 %%r18, %%r18, 16;\n"
                "setp.lt.u32 %%p1, %%r18, %%r1;\n@%%p1 bra loop;\n"
                "mad.lo.u32 %%r19, %%r7, %%r1, %%r6;\nmul.wide.u32 %%rd6, %%r19, 4;\nadd.u64 %%rd6, %%rd3, %%rd6;\n"
                "st.global.f32 [%%rd6], %%f1;\nret;\n}\n");
    return text;
}

/* One number after the other, each product added to the one sum. */
static void plain(const float *a, const float *b, float *c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum = __builtin_fmaf(a[i * N + k], b[k * N + j], sum);
            c[i * N + j] = sum;
        }
}

static double machine_seconds(const gcast_ptx *p, gcast_launch *l, gcast_simt_model model, bool races,
                              uint64_t *instructions)
{
    gcast_simt_options o = gcast_simt_options_default();
    gcast_simt_report *r;
    gcast_error err;
    o.cores = 1;
    o.model = model;
    o.check_races = races;
    double start = now();
    if (gcast_simt_run(p, l, &o, &r, &err) != GCAST_OK) {
        fprintf(stderr, "bench_simt: %s (line %d)\n", err.message, err.line);
        exit(1);
    }
    *instructions = r->counts.instructions;
    gcast_simt_report_free(r);
    return now() - start;
}

static void claim(const char *name, double value, double limit, bool at_least, const char *unit)
{
    bool ok = at_least ? value >= limit : value <= limit;
    failed += !ok;
    printf("%-44s %8.2f  at %s %-5g %-28s %s\n", name, value, at_least ? "least" : "most", limit, unit,
           ok ? "ok" : "MISSED");
}

int main(void)
{
    static float a[N * N], b[N * N], c[N * N], want[N * N];
    static const char *const names[] = {"product, a counter a thread", "product, a stack a warp"};
    char *text = product_text();
    gcast_ptx *p;
    gcast_error err;
    uint32_t n = N;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(i * 7 % 13) * 0.25f;
        b[i] = (float)(i * 5 % 11) * 0.5f;
    }
    if (gcast_ptx_parse(text, strlen(text), "product", &p, &err) != GCAST_OK) {
        fprintf(stderr, "bench_simt: %s\n", err.message);
        return 1;
    }
    gcast_buffer buffer[] = {{"a", a, sizeof a}, {"b", b, sizeof b}, {"c", c, sizeof c}};
    gcast_argument argument[] = {{0, NULL, 0}, {1, NULL, 0}, {2, NULL, 0}, {-1, &n, 4}};
    gcast_launch l = {.grid = {N / TILE, N / TILE, 1},
                      .block = {TILE, TILE, 1},
                      .arguments = 4,
                      .buffers = 3,
                      .argument = argument,
                      .buffer = buffer};
    double best_plain = 1e9;
    for (int k = 0; k < 5; k++) {
        double start = now();
        plain(a, b, want);
        double elapsed = now() - start;
        best_plain = elapsed < best_plain ? elapsed : best_plain;
    }
    for (int m = 0; m < 2; m++) {
        double best = 1e9;
        uint64_t instructions = 0;
        for (int k = 0; k < 5; k++) {
            double elapsed = machine_seconds(p, &l, m ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS, false, &instructions);
            best = elapsed < best ? elapsed : best;
        }
        if (memcmp(c, want, sizeof c) != 0) {
            fprintf(stderr, "bench_simt: the product is wrong\n");
            return 1;
        }
        claim(names[m], (double)instructions / best * 1e-6, 10, true, "million warp instructions/s");
        claim("  against plain C", best / best_plain, 10, false, "times as long");
        double checked = machine_seconds(p, &l, m ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS, true, &instructions);
        claim("  races looked for", checked / best, 100, false, "times as long");
    }
    gcast_ptx_free(p);
    free(text);
    return failed != 0;
}
