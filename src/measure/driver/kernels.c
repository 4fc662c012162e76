#include "measure/driver/kernels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"

extern const char measure_kernels_ptx[];
static const char registers_mark[] = "    // registers\n", limit_mark[] = "// limit\n";

#define MOST_HELD 250 /* a thread has at most 255 registers */
#define FIRST_GUESS 8 /* registers that are not the held ones, mostly */
#define MOST_OTHER 14 /* and at most */
#define STEPS 6       /* by the difference */

/* `held` values that are all loaded before the first is stored, so that each needs
 * a register of its own. Never executed. */
static void hold(text *t, int held)
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

/* kernels.ptx with its marks filled in. */
static char *source(int held, int most)
{
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    for (const char *from = measure_kernels_ptx, *end; *from; from = end) {
        end = strchr(from, '\n') + 1;
        if (strncmp(from, registers_mark, strlen(registers_mark)) == 0)
            hold(&t, held);
        else if (strncmp(from, limit_mark, strlen(limit_mark)) != 0)
            text_bytes(&t, from, (size_t)(end - from));
        else if (most)
            text_printf(&t, ".maxnreg %d\n", most);
    }
    return text_take(&t, &size);
}

static gcast_status compile(const device *v, int held, int most, variant *out, gcast_error *err)
{
    const driver *d = &v->d;
    char *ptx = source(held, most);
    if (!ptx)
        return gcast_error_set_memory(err);
    gcast_status status = DRIVER_CALL(d, err, cuModuleLoadDataEx, &out->module, ptx, 0, NULL, NULL);
    free(ptx);
    if (status != GCAST_OK) {
        out->module = NULL;
        return status;
    }
    status = DRIVER_CALL(d, err, cuModuleGetFunction, &out->function, out->module, gcast_body_name(out->body));
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuFuncGetAttribute, &out->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, out->function);
    /* Changing it between kernels makes them wait, which is left to those that are to show it. */
    if (status == GCAST_OK && out->carveout == GCAST_OP_CARVEOUT_MOST)
        status = DRIVER_CALL(d, err, cuFuncSetAttribute, out->function,
                             CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100);
    if (status != GCAST_OK)
        d->cuModuleUnload(out->module);
    return status;
}

/* Hold as many values as it takes for the compiler to use the registers asked for.
 * Left alone it rounds large numbers up to the next that costs blocks, and held to
 * a limit it has other ideas about numbers below about 24: so first with a limit,
 * by the difference, then without, one more each time. The nearest counts where
 * none is right. */
static gcast_status fit(const device *v, variant *out, gcast_error *err)
{
    int held = out->asked - FIRST_GUESS, best_held = 0, best_most = 0, distance = INT_MAX;
    if (!out->asked)
        return compile(v, 0, 0, out, err);
    for (int tries = 0; tries < STEPS + MOST_OTHER; tries++) {
        int most = tries < STEPS ? out->asked : 0;
        if (!most)
            held = out->asked - MOST_OTHER + tries - STEPS;
        held = held < 0 ? 0 : held > MOST_HELD ? MOST_HELD : held;
        gcast_status status = compile(v, held, most, out, err);
        if (status != GCAST_OK || out->registers == out->asked)
            return status;
        v->d.cuModuleUnload(out->module);
        int off = abs(out->asked - out->registers);
        if (off < distance) {
            distance = off;
            best_held = held;
            best_most = most;
        }
        held += out->asked - out->registers;
    }
    return compile(v, best_held, best_most, out, err);
}

static gcast_status add(kernels *k, const device *v, variant new, gcast_error *err)
{
    if (!vec_reserve(&k->variants, k->variants.count + 1))
        return gcast_error_set_memory(err);
    gcast_status status = fit(v, &new, err);
    if (status == GCAST_OK)
        k->variants.at[k->variants.count++] = new;
    return status;
}

gcast_status kernels_open(kernels *k, const device *v, gcast_error *err)
{
    *k = (kernels){0};
    gcast_status status = add(k, v, (variant){.body = GCAST_BODY_SPIN, .carveout = GCAST_OP_CARVEOUT_MOST}, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&v->d, err, cuModuleGetFunction, &k->clock, k->variants.at[0].module, "clock");
    if (status != GCAST_OK)
        kernels_close(k, v);
    return status;
}

static bool serves(const variant *v, const gcast_op *op)
{
    return v->body == op->body && v->carveout == op->carveout && v->asked == op->shape.registers;
}

gcast_status kernels_find(kernels *k, const device *v, const gcast_op *op, size_t *index, gcast_error *err)
{
    size_t i = 0;
    int64_t shared = op->shape.static_smem + op->shape.dynamic_smem;
    while (i < k->variants.count && !serves(&k->variants.at[i], op))
        i++;
    if (i == k->variants.count) {
        variant new = {.body = op->body, .carveout = op->carveout, .asked = op->shape.registers};
        gcast_status status = add(k, v, new, err);
        if (status != GCAST_OK)
            return status;
    }
    if (shared > k->variants.at[i].shared)
        k->variants.at[i].shared = shared;
    *index = i;
    return GCAST_OK;
}

gcast_status kernels_share(const kernels *k, const device *v, gcast_error *err)
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
