/* gcast_cost_measure runs the probes of the cost model on the GPU of this machine. A figure is the median over the SMs
 * of the difference between a long and a short kernel, per step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/compare.h"
#include "base/integers.h"
#include "base/text.h"
#include "measure/gpu_run.h"
#include "model/cost.h"
#include "model/exec.h"

/* A probe is a small kernel that executes one instruction many times: PTX is made of a table of such instructions. A
 * kernel executes its steps four times and reads %clock64 around them; the last pass counts, when code and data are in
 * the caches. */

#define PROBE_CHAINS 8         /* of instructions that do not depend on each other, where a unit is to be busy */
#define PROBE_SPREAD (128 + 8) /* bytes of memory per thread: a cache line, and 8 bytes next to other threads' */
#define PROBE_HEAD 256         /* bytes before these: numbers that the compiler cannot know */
#define PROBE_THREADS 1024     /* of a block */
#define PROBE_SHORT 32         /* steps of the short kernel */
#define PROBE_LONG 96          /* steps of the long kernel, which differs in nothing else */
#define PROBE_FIRST_SCALE 8    /* times as many steps in mode PROBE_FIRST */
#define WARP 32
#define QUARTERS 4 /* of an SM, each with a scheduler of its own */

typedef enum {
    PROBE_ALONE, /* one warp, where each step waits for the one before it */
    PROBE_BUSY,  /* 32 warps with PROBE_CHAINS chains each */
    PROBE_FIRST, /* one warp with PROBE_CHAINS chains, in the first pass through the code */
    PROBE_MODES
} probe_mode;

typedef struct cost_probe {
    const char *name; /* of the figure */
    int count;        /* of the measured instruction, in a step */
    const char *step; /* PTX; @ stands for the number of the chain, # for that of the step */
} cost_probe;

#define MAD_8                                                                                                          \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"

static const cost_probe cost_probes[] = {
    {"alu", 2, "add.u32 %r@, %r@, %r8; xor.b32 %r@, %r@, %r9;"},
    {"alu64", 2, "add.u64 %l@, %l@, %l8; xor.b64 %l@, %l@, %l9;"},
    {"select", 2, "setp.lt.u32 %p@, %r@, %r9; selp.u32 %r@, %r8, %r@, %p@;"},
    {"mul", 1, "mad.lo.u32 %r@, %r@, %r8, %r9;"},
    {"mul_wide", 1, "mad.wide.u32 %l@, %r@, %r8, %l8; cvt.u32.u64 %r@, %l@;"},
    {"mul64", 1, "mad.lo.u64 %l@, %l@, %l8, %l9;"},
    {"divide", 1, "div.u32 %r@, %r9, %r@;"},
    {"divide64", 1, "div.u64 %l@, %l9, %l@;"},
    {"fma", 1, "fma.rn.f32 %f@, %f@, %f8, %f9;"},
    {"fdiv", 1, "div.rn.f32 %f@, %f8, %f@;"},
    {"fsqrt", 1, "sqrt.rn.f32 %f@, %f@;"},
    {"sfu", 1, "ex2.approx.ftz.f32 %f@, %f@;"},
    {"sfu_full", 1, "ex2.approx.f32 %f@, %f@;"},
    {"fma64", 1, "fma.rn.f64 %d@, %d@, %d8, %d9;"},
    {"fdiv64", 1, "div.rn.f64 %d@, %d8, %d@;"},
    {"fsqrt64", 1, "sqrt.rn.f64 %d@, %d@;"},
    {"convert", 1, "cvt.rn.f32.u32 %f@, %r@; mov.b32 %r@, %f@;"},
    {"convert_back", 1, "cvt.rzi.s32.f32 %r@, %f@; mov.b32 %f@, %r@;"},
    {"convert64", 2, "cvt.rn.f64.u32 %d@, %r@; cvt.rzi.u32.f64 %r@, %d@;"},
    {"bits", 1, "popc.b32 %r@, %r@;"},
    {"half", 1, "fma.rn.f16x2 %r@, %r@, %r8, %r9;"},
    {"shuffle", 1, "shfl.sync.idx.b32 %s@, %s@, %s@, 31, 0xffffffff;"},
    {"vote", 1, "setp.ne.u32 %p@, %r@, 0; vote.sync.ballot.b32 %r@, %p@, 0xffffffff;"},
    {"match", 1, "match.any.sync.b32 %r@, %r@, 0xffffffff;"},
    {"redux", 1, "redux.sync.add.u32 %r@, %r@, 0xffffffff;"},
    {"shared_load", 1, "ld.shared.u32 %s@, [%s@];"},
    {"shared_load_32", 1, "ld.shared.u32 %b@, [%b@];"},
    {"shared_store", 1, "st.volatile.shared.u32 [%s@], %r8;"},
    {"l1_load", 1, "ld.global.u64 %l@, [%l@];"},
    {"l2_load", 1, "ld.global.cg.u64 %l@, [%l@];"},
    {"l2_scatter", 1, "ld.global.cg.u64 %k@, [%k@];"},
    {"l1_scatter", 1, "ld.global.u64 %k@, [%k@];"},
    {"store", 1, "st.volatile.global.u32 [%l@], %r8;"},
    {"constant", 1, "ld.const.u64 %c@, [%c@];"},
    {"local", 1, "ld.local.u64 %m@, [%m@];"},
    {"atom_shared", 1, "atom.shared.add.u32 %s@, [%s@], %r10;"},
    {"atom_shared_32", 1, "atom.shared.add.u32 %q@, [%q@], %r10;"},
    {"atom", 1, "atom.global.add.u64 %l@, [%l@], %l10;"},
    {"atom_32", 1, "atom.global.add.u64 %h@, [%h@], %l10;"},
    {"red", 1, "red.global.add.u64 [%l@], %l10;"},
    {"red_32", 1, "red.global.add.u64 [%h@], %l10;"},
    {"barrier", 1, "bar.sync 0;"},
    {"fence", 1, "membar.gl;"},
    {"fence_block", 1, "membar.cta;"},
    {"loop", 16,
     "mov.u32 %n, %r11;\n$B#:\n.pragma \"nounroll\";\nmad.lo.u32 %r@, %r@, %r8, %n; sub.u32 %n, %n, 1;\n"
     "setp.ne.u32 %p0, %n, 0; @%p0 bra $B#;"},
    {"diverge", 1,
     "setp.lt.u32 %p@, %lane, %r11; @%p@ bra $D#;" MAD_8 MAD_8 "bra $E#;\n$D#:\n" MAD_8 "xor.b32 %r@, %r@, %r8;" MAD_8
     "\n$E#:\n"},
    {"call", 1,
     "{ .param .b32 to; .param .b32 back; st.param.b32 [to], %r@;\n"
     "P#: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (back), %fp, (to), P#; ld.param.b32 %r@, [back]; }"},
    {NULL, 0, NULL},
};

static const char module_head[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".func (.param .b32 back) gcast_callee(.param .b32 to)\n{\n.reg .b32 %r;\nld.param.b32 %r, [to];\n"
    "xor.b32 %r, %r, 5;\nst.param.b32 [back], %r;\nret;\n}\n"
    ".global .align 8 .u64 gcast_pointer = gcast_callee;\n"
    ".const .align 8 .u64 gcast_const[2];\n"
    ".shared .align 16 .b8 gcast_shared[4096];\n";

/* The first values of the registers of a chain. */
static const char *const chain_start[] = {
    "add.u32 %r@, %r8, @;", "cvt.rn.f32.u32 %f@, %r@;",  "cvt.rn.f64.u32 %d@, %r@;", "mov.u32 %s@, %own;",
    "mov.u32 %b@, %bank;",  "mov.u32 %q@, %base;",       "mov.u64 %l@, %near;",      "mov.u64 %k@, %far;",
    "mov.u64 %h@, %same;",  "mov.u64 %c@, gcast_const;", "mov.u64 %m@, %place;",
};

static const char kernel_start[] =
    ".reg .b32 %r<12>;\n.reg .f32 %f<10>;\n.reg .f64 %d<10>;\n.reg .b64 %l<11>;\n.reg .pred %p<9>;\n"
    ".reg .b32 %s<8>;\n.reg .b32 %b<8>;\n.reg .b32 %q<8>;\n.reg .b64 %k<8>;\n.reg .b64 %h<8>;\n.reg .b64 %c<8>;\n"
    ".reg .b64 %m<8>;\n.reg .b32 %thread, %cta, %lane, %own, %bank, %base, %n, %i, %x, %y;\n"
    ".reg .b64 %out, %memory, %near, %far, %same, %place, %fp, %t, %u, %first, %z;\n"
    ".local .align 8 .b8 gcast_local[64];\n"
    "ld.param.u64 %out, [out];\ncvta.to.global.u64 %out, %out;\n"
    "ld.param.u64 %memory, [memory];\ncvta.to.global.u64 %memory, %memory;\n"
    "mov.u32 %thread, %tid.x;\nmov.u32 %cta, %ctaid.x;\nmov.u32 %lane, %laneid;\n"
    "ld.global.u32 %r8, [%memory];\nld.global.u32 %r9, [%memory+4];\nld.global.u32 %r10, [%memory+8];\n"
    "ld.global.u32 %r11, [%memory+12];\nld.global.u64 %l8, [%memory+16];\nld.global.u64 %l9, [%memory+24];\n"
    "ld.global.u64 %l10, [%memory+32];\ncvt.rn.f32.u32 %f8, %r8;\ncvt.rn.f32.u32 %f9, %r9;\n"
    "cvt.rn.f64.u32 %d8, %r8;\ncvt.rn.f64.u32 %d9, %r9;\n"
    "mov.u32 %base, gcast_shared;\nmad.lo.u32 %own, %thread, 4, %base;\nmad.lo.u32 %bank, %lane, 128, %base;\n"
    "st.shared.u32 [%own], %own;\n"
    "mad.lo.u32 %x, %cta, 1024, %thread;\nmad.wide.u32 %far, %x, 128, %memory;\nadd.u64 %far, %far, 256;\n"
    "mov.u32 %y, %nctaid.x;\nmul.lo.u32 %y, %y, 1024;\nmad.wide.u32 %same, %y, 128, %memory;\n"
    "add.u64 %same, %same, 256;\nmad.wide.u32 %near, %x, 8, %same;\nmul.lo.u32 %y, %cta, 1024;\n"
    "mad.wide.u32 %same, %y, 8, %same;\nst.global.u64 [%near], %near;\nst.global.u64 [%far], %far;\n"
    "mov.u64 %place, gcast_local;\nst.local.u64 [%place], %place;\nld.global.u64 %fp, [gcast_pointer];\n";

static const char loop_start[] = "bar.sync 0;\nmov.u32 %i, 0;\n$LOOP:\n.pragma \"nounroll\";\nbar.sync 0;\n"
                                 "mov.u64 %t, %clock64;\n";

static const char loop_end[] =
    "mov.u64 %u, %clock64;\nsetp.eq.u32 %p8, %i, 0;\n"
    "@%p8 sub.u64 %first, %u, %t;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p8, %i, 4;\n@%p8 bra $LOOP;\n";

/* The last values of the chains are written out, so that no step is optimized away. */
static const struct {
    const char *chain, *end;
} chain_end[] = {
    {"%r@", "xor.b32 %x, %x, %r@;"},
    {"%s@", "xor.b32 %x, %x, %s@;"},
    {"%b@", "xor.b32 %x, %x, %b@;"},
    {"%q@", "xor.b32 %x, %x, %q@;"},
    {"%f@", "cvt.rzi.u32.f32 %y, %f@; xor.b32 %x, %x, %y;"},
    {"%d@", "cvt.rzi.u32.f64 %y, %d@; xor.b32 %x, %x, %y;"},
    {"%l@", "xor.b64 %z, %z, %l@;"},
    {"%k@", "xor.b64 %z, %z, %k@;"},
    {"%h@", "xor.b64 %z, %z, %h@;"},
    {"%c@", "xor.b64 %z, %z, %c@;"},
    {"%m@", "xor.b64 %z, %z, %m@;"},
};

static const char kernel_end[] =
    "cvt.u32.u64 %y, %z;\nxor.b32 %x, %x, %y;\nshr.u64 %z, %z, 32;\ncvt.u32.u64 %y, %z;\nxor.b32 %x, %x, "
    "%y;\nmad.lo.u32 %y, %cta, 1024, %thread;\n"
    "mad.wide.u32 %out, %y, 32, %out;\nst.global.u64 [%out], %first;\nst.global.u64 [%out+8], %t;\n"
    "st.global.u64 [%out+16], %u;\nst.global.u32 [%out+24], %x;\nret;\n}\n";

static void put_step(text *out, const char *step, int chain, int number)
{
    for (; *step; step++)
        if (*step == '@' && step[1] != '%')
            text_int(out, chain);
        else if (*step == '#')
            text_int(out, number);
        else
            text_char(out, *step);
    text_char(out, '\n');
}

/* Writes the name of a kernel. */
static void probe_kernel(char *name, size_t size, size_t probe, probe_mode mode, int steps)
{
    snprintf(name, size, "gcast_%s_%d_%d", cost_probes[probe].name, (int)mode, steps);
}

static void put_kernel(text *out, size_t probe, probe_mode mode, int steps)
{
    char name[64];
    probe_kernel(name, sizeof name, probe, mode, steps);
    text_printf(out, ".visible .entry %s(.param .u64 out, .param .u64 memory)\n.maxntid 1024, 1, 1\n{\n", name);
    text_str(out, kernel_start);
    for (size_t i = 0; i < sizeof chain_start / sizeof *chain_start; i++)
        for (int k = 0; k < PROBE_CHAINS; k++)
            put_step(out, chain_start[i], k, 0);
    text_str(out, loop_start);
    for (int i = 0; i < steps; i++)
        put_step(out, cost_probes[probe].step, mode == PROBE_ALONE ? 0 : i % PROBE_CHAINS, i);
    text_str(out, loop_end);
    text_str(out, "mov.u32 %x, 0;\nmov.u64 %z, 0;\n");
    for (size_t i = 0; i < sizeof chain_end / sizeof *chain_end; i++)
        for (int k = 0; k < PROBE_CHAINS && strstr(cost_probes[probe].step, chain_end[i].chain); k++)
            put_step(out, chain_end[i].end, k, 0);
    text_str(out, kernel_end);
}

/* Does the probe have a kernel in mode PROBE_FIRST? */
static bool probe_has_first(size_t probe)
{
    return strcmp(cost_probes[probe].name, "fma") == 0;
}

/* Writes all kernels as one module. */
static void probe_ptx(text *out)
{
    text_str(out, module_head);
    for (size_t i = 0; cost_probes[i].name; i++)
        for (int m = 0; m < PROBE_MODES; m++) {
            if (m == PROBE_FIRST && !probe_has_first(i))
                continue;
            int scale = m == PROBE_FIRST ? PROBE_FIRST_SCALE : 1;
            put_kernel(out, i, (probe_mode)m, PROBE_SHORT * scale);
            put_kernel(out, i, (probe_mode)m, PROBE_LONG * scale);
        }
}

/* What a thread of a probe writes. */
typedef struct probe_time {
    uint64_t first;      /* cycles of the first pass */
    uint64_t start, end; /* clock around the last pass */
    uint64_t ignored;    /* a result, so that no step is optimized away */
} probe_time;

typedef struct prober {
    gpu_run g;                  /* the GPU and the module */
    uint32_t sms;               /* of the GPU */
    probe_time *out;            /* by SM, PROBE_THREADS each */
    uint64_t *sorted;           /* by SM: cycles of a kernel */
    gcast_buffer buffer[2];     /* `out`, and memory that the steps use */
    gcast_argument argument[2]; /* the two buffers */
} prober;

/* Runs a kernel. *cycles: the median over SMs of the time from the start of its first warp to the end of its last. */
static gcast_status run_kernel(prober *p, size_t probe, probe_mode mode, int steps, uint64_t *cycles, gcast_error *err)
{
    char name[64];
    uint32_t threads = mode == PROBE_BUSY ? PROBE_THREADS : WARP;
    gcast_launch l = {.kernel = name,
                      .grid = {p->sms, 1, 1},
                      .block = {threads, 1, 1},
                      .arguments = 2,
                      .buffers = 2,
                      .argument = p->argument,
                      .buffer = p->buffer};
    probe_kernel(name, sizeof name, probe, mode, steps);
    gcast_status status = gpu_run_find(&p->g, &l, err);
    for (int i = 0; i < 2 && status == GCAST_OK; i++) /* the second time, the code is in L2 */
        status = gpu_run_launch(&p->g, &l, 0, err);
    gcast_buffer times_only[2] = {p->buffer[0], {0}};
    l.buffer = times_only;
    if (status == GCAST_OK)
        status = gpu_run_fetch(&p->g, &l, err);
    for (uint32_t b = 0; b < p->sms; b++) {
        const probe_time *block = &p->out[(size_t)b * PROBE_THREADS];
        uint64_t start = UINT64_MAX, end = 0;
        for (uint32_t t = 0; t < threads; t += WARP) {
            start = min_u64(start, block[t].start);
            end = max_u64(end, block[t].end);
        }
        p->sorted[b] = mode == PROBE_FIRST ? block->first : end - start;
    }
    qsort(p->sorted, p->sms, sizeof *p->sorted, compare_u64);
    *cycles = p->sorted[(p->sms - 1) / 2];
    return status;
}

/* Runs the short and the long kernel. *out: cycles per step and warp, in hundredths. */
static gcast_status run_pair(prober *p, size_t probe, probe_mode mode, uint32_t *out, gcast_error *err)
{
    int scale = mode == PROBE_FIRST ? PROBE_FIRST_SCALE : 1;
    uint64_t short_cycles, long_cycles;
    gcast_status status = run_kernel(p, probe, mode, PROBE_SHORT * scale, &short_cycles, err);
    if (status == GCAST_OK)
        status = run_kernel(p, probe, mode, PROBE_LONG * scale, &long_cycles, err);
    if (status != GCAST_OK)
        return status;
    uint64_t difference = long_cycles > short_cycles ? long_cycles - short_cycles : 0;
    uint64_t steps = (uint64_t)(PROBE_LONG - PROBE_SHORT) * (uint64_t)(scale * cost_probes[probe].count);
    uint64_t warps = mode == PROBE_BUSY ? PROBE_THREADS / WARP / QUARTERS : 1;
    *out = (uint32_t)((difference * 100 + steps * warps / 2) / (steps * warps));
    return GCAST_OK;
}

static gcast_status run_probes(prober *p, gcast_cost_measured *m, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    size_t count = 0;
    while (cost_probes[count].name)
        count++;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        p->g.fraction = (double)i / (double)count;
        gcast_cost_probe *figure = &m->probe[m->probes++];
        figure->name = cost_probes[i].name;
        status = run_pair(p, i, PROBE_ALONE, &figure->alone, err);
        if (status == GCAST_OK)
            status = run_pair(p, i, PROBE_BUSY, &figure->busy, err);
        if (status == GCAST_OK && probe_has_first(i))
            status = run_pair(p, i, PROBE_FIRST, &figure->first, err);
    }
    return status;
}

/* Makes the buffers. The second has numbers that the compiler cannot know, and memory that the kernels fill with
 * pointers. */
static gcast_status make_buffers(prober *p, gcast_error *err)
{
    static const uint32_t head[] = {3, 5, 0, 16, 3, 0, 77777, 3, 0, 0};
    size_t threads = (size_t)p->sms * PROBE_THREADS, bytes = PROBE_HEAD + threads * PROBE_SPREAD;
    char *memory = calloc(1, bytes);
    p->out = calloc(threads, sizeof *p->out);
    p->sorted = calloc(p->sms, sizeof *p->sorted);
    p->buffer[0] = (gcast_buffer){"out", p->out, threads * sizeof *p->out};
    p->buffer[1] = (gcast_buffer){"memory", memory, bytes};
    p->argument[0] = (gcast_argument){0, NULL, 8};
    p->argument[1] = (gcast_argument){1, NULL, 8};
    if (!memory || !p->out || !p->sorted)
        return gcast_error_set_memory(err);
    memcpy(memory, head, sizeof head);
    return GCAST_OK;
}

gcast_status gcast_cost_measure(const gcast_gpu_exec_options *given, gcast_cost_measured *out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err);
    if (status != GCAST_OK)
        return status;
    prober p = {0};
    text t;
    int khz = 0;
    *out = (gcast_cost_measured){0};
    text_open(&t, NULL, NULL);
    probe_ptx(&t);
    char *ptx = text_take(&t, NULL);
    if (!ptx)
        return gcast_error_set_memory(err);
    status = gpu_run_open(&p.g, ptx, 2, own.library, err);
    p.g.options = &own;
    free(ptx);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&p.g.v.d, err, cuDeviceGetAttribute, &khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, p.g.v.handle);
    if (status == GCAST_OK) {
        snprintf(out->gpu, sizeof out->gpu, "%s", p.g.v.gpu->title ? p.g.v.gpu->title : p.g.v.gpu->name);
        out->clock_mhz = (uint32_t)khz / 1000;
        p.sms = (uint32_t)p.g.v.gpu->sms;
        status = make_buffers(&p, err);
    }
    if (status == GCAST_OK)
        status = gpu_run_send(&p.g, &(gcast_launch){.buffers = 2, .buffer = p.buffer}, err);
    if (status == GCAST_OK)
        status = run_probes(&p, out, err);
    gpu_run_close(&p.g);
    free(p.buffer[1].data);
    free(p.out);
    free(p.sorted);
    return status;
}
