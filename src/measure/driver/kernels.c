#include "measure/driver/kernels.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/integers.h"
#include "base/text.h"
#include "gridcast/names.h"

extern const char measure_kernels_ptx[], measure_waits_ptx[];
static const char registers_mark[] = "    // registers\n", limit_mark[] = "// limit\n";
static const char version_mark[] = ".version", target_mark[] = ".target", dependency_mark[] = "    griddepcontrol";

#define MAX_HELD 250            /* values: a thread has at most 255 registers */
#define USUAL_OTHER_REGISTERS 8 /* registers that hold no such value, usually */
#define MAX_OTHER_REGISTERS 14  /* the most of these */
#define STEPS 6                 /* attempts that correct by the difference */
#define CLUSTERS_CC 9           /* compute capability from which on there are clusters and griddepcontrol */

/* Code that loads `held` values before it stores the first, so that each needs a register. It is never executed. */
static void put_held(text *t, int held)
{
    if (held <= 0)
        return;
    text_printf(t, "    {\n    .reg .b32 %%held<%d>;\n", held);
    for (int i = 0; i < held; i++)
        text_printf(t, "    ld.volatile.global.u32 %%held%d, [%%d8];\n", i);
    for (int i = 0; i < held; i++)
        text_printf(t, "    st.volatile.global.u32 [%%d8], %%held%d;\n", i);
    text_str(t, "    }\n");
}

static bool begins(const char *line, const char *mark)
{
    return strncmp(line, mark, strlen(mark)) == 0;
}

/* The PTX with its marks replaced; max_registers 0: no limit; `newer`: for compute capability 9.0. */
static char *source(const char *ptx, bool newer, int held, int max_registers)
{
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    for (const char *line = ptx, *end; *line; line = end) {
        end = strchr(line, '\n') + 1;
        if (begins(line, registers_mark))
            put_held(&t, held);
        else if (begins(line, limit_mark) && max_registers)
            text_printf(&t, ".maxnreg %d\n", max_registers);
        else if (newer && begins(line, version_mark))
            text_str(&t, ".version 7.8\n");
        else if (newer && begins(line, target_mark))
            text_str(&t, ".target sm_90\n");
        else if (!begins(line, limit_mark) && (newer || !begins(line, dependency_mark)))
            text_bytes(&t, line, (size_t)(end - line));
    }
    return text_take(&t, &size);
}

/* Finds the kernel of a compiled variant, and sets its attributes. */
static gcast_status find_function(const driver *d, variant *out, gcast_error *err)
{
    const char *name = out->needs.waits ? "spin_waiting" : gcast_name(GCAST_NAMES_BODY, out->body);
    gcast_status status = DRIVER_CALL(d, err, cuModuleGetFunction, &out->function, out->module, name);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuFuncGetAttribute, &out->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, out->function);
    /* a change of the carveout between kernels makes them wait: only ops that ask for a change get one */
    if (status == GCAST_OK && out->carveout == GCAST_OP_CARVEOUT_MOST)
        status = DRIVER_CALL(d, err, cuFuncSetAttribute, out->function,
                             CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100);
    if (status == GCAST_OK && out->needs.clusters)
        status = DRIVER_CALL(d, err, cuFuncSetAttribute, out->function,
                             CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return status;
}

static gcast_status compile(const device *v, int held, int max_registers, variant *out, gcast_error *err)
{
    const driver *d = &v->d;
    bool newer = v->gpu->limits.cc_major >= CLUSTERS_CC && (out->needs.waits || out->needs.clusters);
    char *ptx = source(out->needs.waits ? measure_waits_ptx : measure_kernels_ptx, newer, held, max_registers);
    if (!ptx)
        return gcast_error_set_memory(err);
    gcast_status status = DRIVER_CALL(d, err, cuModuleLoadDataEx, &out->module, ptx, 0, NULL, NULL);
    free(ptx);
    if (status != GCAST_OK) {
        out->module = NULL;
        return status;
    }
    status = find_function(d, out, err);
    if (status != GCAST_OK)
        d->cuModuleUnload(out->module);
    return status;
}

/* Finds how many values the kernel must hold for the compiler to use the registers asked for. Without a limit the
 * compiler rounds large numbers of registers up as far as this costs no blocks; with a limit it deviates below
 * about 24. So the first STEPS attempts are with a limit, corrected by the difference, and the others without, with one
 * value more each time. Where none is right, the nearest is taken. */
static gcast_status compile_with_registers(const device *v, variant *out, gcast_error *err)
{
    int held = out->requested_registers - USUAL_OTHER_REGISTERS, best_held = 0, best_max = 0, distance = INT_MAX;
    if (!out->requested_registers)
        return compile(v, 0, 0, out, err);
    for (int tries = 0; tries < STEPS + MAX_OTHER_REGISTERS; tries++) {
        int max_registers = tries < STEPS ? out->requested_registers : 0;
        if (!max_registers)
            held = out->requested_registers - MAX_OTHER_REGISTERS + tries - STEPS;
        held = max_int(0, min_int(held, MAX_HELD));
        gcast_status status = compile(v, held, max_registers, out, err);
        if (status != GCAST_OK || out->registers == out->requested_registers)
            return status;
        v->d.cuModuleUnload(out->module);
        int error = abs(out->requested_registers - out->registers);
        if (error < distance) {
            distance = error;
            best_held = held;
            best_max = max_registers;
        }
        held += out->requested_registers - out->registers;
    }
    return compile(v, best_held, best_max, out, err);
}

static gcast_status add_variant(kernels *k, const device *v, variant wanted, gcast_error *err)
{
    if (!vec_reserve(&k->variants, k->variants.count + 1))
        return gcast_error_set_memory(err);
    gcast_status status = compile_with_registers(v, &wanted, err);
    if (status == GCAST_OK)
        k->variants.at[k->variants.count++] = wanted;
    return status;
}

gcast_status kernels_open(kernels *k, const device *v, gcast_error *err)
{
    *k = (kernels){0};
    gcast_status status =
        add_variant(k, v, (variant){.body = GCAST_BODY_SPIN, .carveout = GCAST_OP_CARVEOUT_MOST}, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&v->d, err, cuModuleGetFunction, &k->clock, k->variants.at[0].module, "clock");
    if (status != GCAST_OK)
        kernels_close(k, v);
    return status;
}

static bool matches(const variant *v, const gcast_op *op, kernel_needs needs)
{
    return v->needs.waits == needs.waits && v->needs.clusters == needs.clusters && v->body == op->body &&
           v->carveout == op->carveout && v->requested_registers == op->shape.registers;
}

gcast_status kernels_find(kernels *k, const device *v, const gcast_op *op, kernel_needs needs, size_t *index,
                          gcast_error *err)
{
    size_t i = 0;
    int64_t shared = op->shape.static_smem + op->shape.dynamic_smem;
    while (i < k->variants.count && !matches(&k->variants.at[i], op, needs))
        i++;
    if (i == k->variants.count) {
        variant wanted = {
            .needs = needs, .body = op->body, .carveout = op->carveout, .requested_registers = op->shape.registers};
        gcast_status status = add_variant(k, v, wanted, err);
        if (status != GCAST_OK)
            return status;
    }
    k->variants.at[i].shared = max_i64(k->variants.at[i].shared, shared);
    *index = i;
    return GCAST_OK;
}

gcast_status kernels_set_shared(const kernels *k, const device *v, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < k->variants.count && status == GCAST_OK; i++)
        if (k->variants.at[i].shared)
            status = DRIVER_CALL(&v->d, err, cuFuncSetAttribute, k->variants.at[i].function,
                                 CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)k->variants.at[i].shared);
    return status;
}

void kernels_close(kernels *k, const device *v)
{
    for (size_t i = 0; i < k->variants.count; i++)
        v->d.cuModuleUnload(k->variants.at[i].module);
    vec_free(&k->variants);
}

#define ROUNDS 100             /* questions */
#define SPIN_NS 50000          /* of waiting for an answer, before the thread yields and looks for the kernel */
#define TIMEOUT_NS 20000000000 /* a busy GPU may start the kernel late; it ends by itself after a second */

/* The memory layout of the kernel "clock" in kernels.ptx. */
typedef struct mailbox {
    _Atomic uint32_t question; /* the number of the round, set by the host */
    char other_line[60];       /* question and answer are in different cache lines */
    _Atomic uint32_t answer;   /* the number of the round, set by the kernel */
    uint32_t pad;
    volatile int64_t gpu_ns; /* the time, set before the answer */
} mailbox;
_Static_assert(offsetof(mailbox, answer) == 64 && offsetof(mailbox, gpu_ns) == 72, "kernels.ptx says so");

static bool has_answer(const mailbox *m, uint32_t round)
{
    return atomic_load_explicit(&m->answer, memory_order_acquire) == round;
}

/* Waits further for an answer; false: the kernel has ended, or failed, without one. */
static bool comes_late(const driver *d, CUstream stream, const mailbox *m, uint32_t round)
{
    for (int64_t until_ns = clock_now_ns() + TIMEOUT_NS; clock_now_ns() < until_ns; sched_yield()) {
        CUresult running = d->cuStreamQuery(stream);
        if (has_answer(m, round))
            return true;
        if (running != CUDA_ERROR_NOT_READY)
            break;
    }
    return false;
}

/* Asks for the time; false: there is no answer. */
static bool ask_time(const driver *d, CUstream stream, mailbox *m, uint32_t round, alignment *out)
{
    bool answered;
    out->lo_ns = clock_now_ns();
    atomic_store_explicit(&m->question, round, memory_order_release);
    while (!(answered = has_answer(m, round)) && clock_now_ns() - out->lo_ns <= SPIN_NS) {
    }
    answered = answered || comes_late(d, stream, m, round);
    out->hi_ns = clock_now_ns();
    out->gpu_ns = m->gpu_ns;
    return answered;
}

gcast_status align_clocks(const device *v, const kernels *k, CUstream stream, alignment *out, gcast_error *err)
{
    const driver *d = &v->d;
    void *memory;
    uint32_t rounds = ROUNDS;
    gcast_status status = DRIVER_CALL(d, err, cuMemHostAlloc, &memory, sizeof(mailbox), 0);
    if (status != GCAST_OK)
        return status;
    mailbox *m = memory;
    memset(memory, 0, sizeof *m);
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    void *parameters[] = {&address, &rounds};
    status = DRIVER_CALL(d, err, cuLaunchKernel, k->clock, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
    uint32_t answers = 0;
    alignment a;
    while (status == GCAST_OK && answers < rounds && ask_time(d, stream, m, answers + 1, &a))
        if (answers++ == 0 || a.hi_ns - a.lo_ns < out->hi_ns - out->lo_ns)
            *out = a;
    CUresult done = d->cuStreamSynchronize(stream);
    d->cuMemFreeHost(memory);
    if (status == GCAST_OK)
        status = driver_status(d, done, "cuStreamSynchronize", err);
    if (status == GCAST_OK && !answers)
        status = gcast_error_set(err, GCAST_GPU, NULL, "the GPU does not answer with its time");
    return status;
}
