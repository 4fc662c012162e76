/* Calls. At every depth of calls there is one frame of registers for each function that lanes of the warp are in. A
 * lane uses only its own column, so lanes that call at different times share the frame. Arguments and results go
 * through local memory, where the frames of a thread lie one above the other. vprintf, __assertfail, malloc and free
 * are built in. */
#include "simt/machine/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simt/machine/kernel_printf.h"
#include "simt/machine/machine.h"
#include "simt/memory/device_heap.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/races/races.h"

#define MAX_CALL_DEPTH 1024

static frame *fail_memory(core *c)
{
    c->status = gcast_error_set_memory(c->err);
    return NULL;
}

/* Makes sure that each thread has at least this many bytes of local memory. */
static bool grow_local(core *c, warp *w, const op *o, uint32_t bytes)
{
    if (bytes <= w->local_stride)
        return true;
    if (bytes > MAX_LOCAL_BYTES)
        return machine_fail(c, w, o, -1, "calls need more than %d KiB of local memory per thread",
                            MAX_LOCAL_BYTES >> 10);
    uint32_t stride = max_u32(w->local_stride * 2, bytes);
    char *local = calloc(LANES, stride);
    if (!local)
        return fail_memory(c);
    for (uint32_t i = 0; i < LANES && w->local; i++)
        memcpy(local + (size_t)i * stride, w->local + (size_t)i * w->local_stride, w->local_stride);
    free(w->local);
    w->local = local;
    w->local_stride = stride;
    return true;
}

/* The frame of a function at a depth of calls. */
static frame *frame_at(core *c, warp *w, uint32_t depth, uint32_t function)
{
    if (depth >= w->frame_depths) {
        uint32_t cap = w->frame_depths ? w->frame_depths * 2 : 4;
        frame **frames = realloc(w->frames, cap * sizeof *frames);
        if (!frames)
            return fail_memory(c);
        memset(frames + w->frame_depths, 0, (cap - w->frame_depths) * sizeof *frames);
        w->frames = frames;
        w->frame_depths = cap;
    }
    for (frame *f = w->frames[depth]; f; f = f->next)
        if (f->function == function)
            return f;
    const function_code *code = &c->machine->program->function[function];
    frame *f = arena_alloc(&w->memory, sizeof *f);
    char *base = f ? arena_alloc(&w->memory, (size_t)code->row_bytes + 64) : NULL;
    if (!base)
        return fail_memory(c);
    base += (64 - (uintptr_t)base % 64) % 64;
    f->function = function;
    f->depth = depth;
    f->rows.base[0] = base;
    f->rows.base[1] = code->constants;
    f->next = w->frames[depth];
    w->frames[depth] = f;
    return f;
}

frame *calls_first(core *c, warp *w)
{
    const function_code *code = &c->machine->program->function[0];
    frame *f = frame_at(c, w, 0, 0);
    if (!f || !grow_local(c, w, NULL, code->local_bytes))
        return NULL;
    memset(f->local_offset, 0, sizeof f->local_offset);
    memset(f->rows.base[0], 0, code->row_bytes);
    if (w->local)
        memset(w->local, 0, (size_t)LANES * w->local_stride);
    return f;
}

static char *local_of(const warp *w, const frame *f, uint32_t lane)
{
    return w->local + (size_t)lane * w->local_stride + f->local_offset[lane];
}

frame *calls_enter(core *c, warp *w, const op *o, uint32_t m, uint32_t function, uint32_t return_pc)
{
    const program *p = c->machine->program;
    frame *caller = w->frame;
    if (caller->depth + 1 >= MAX_CALL_DEPTH) {
        machine_fail(c, w, o, __builtin_ctz(m), "calls more than %d deep", MAX_CALL_DEPTH);
        return NULL;
    }
    frame *callee = frame_at(c, w, caller->depth + 1, function);
    uint32_t frame_bytes = p->function[caller->function].local_bytes;
    if (!callee)
        return NULL;
    EACH_SET(i, m)
    {
        callee->return_pc[i] = return_pc;
        callee->called_by[i] = o;
        callee->caller[i] = caller;
        callee->local_offset[i] = caller->local_offset[i] + frame_bytes;
        if (!grow_local(c, w, o, callee->local_offset[i] + p->function[function].local_bytes))
            return NULL;
        for (uint32_t k = 0; k < o->call->values; k++) {
            const call_value *v = &o->call->value[k];
            uint32_t at = o->call->function == CALL_INDIRECT ? p->function[function].param_at[k] : v->callee_offset;
            memcpy(local_of(w, callee, i) + at, local_of(w, caller, i) + v->caller_offset, v->bytes);
        }
    }
    return callee;
}

void calls_leave(core *c, warp *w, uint32_t m)
{
    const program *p = c->machine->program;
    const frame *f = w->frame;
    EACH_SET(i, m)
    {
        const call *k = f->called_by[i]->call;
        for (uint32_t n = 0; n < k->results; n++) {
            const call_value *v = &k->result[n];
            uint32_t at = k->function == CALL_INDIRECT ? p->function[f->function].ret_at[n] : v->callee_offset;
            memcpy(local_of(w, f->caller[i], i) + v->caller_offset, local_of(w, f, i) + at, v->bytes);
        }
    }
}

/* Do the parameters and results of the function fit those of an indirect call? */
static bool fits_call(const ptx_function *f, const call *k)
{
    if (f->is_entry || f->params != k->values || f->returns != k->results)
        return false;
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].bytes != k->value[i].bytes)
            return false;
    for (uint32_t i = 0; i < f->returns; i++)
        if (f->ret[i].bytes != k->result[i].bytes)
            return false;
    return true;
}

uint32_t calls_target(core *c, warp *w, const op *o, uint32_t m, int32_t *function)
{
    const program *p = c->machine->program;
    *function = o->call->function;
    if (*function >= 0)
        return m;
    const u64 *a = row(&w->frame->rows, o->a);
    uint32_t lane = (uint32_t)__builtin_ctz(m), set = 0;
    uint64_t index = (a[lane] - FUNCTION_BASE) / FUNCTION_STEP;
    if (a[lane] < FUNCTION_BASE || a[lane] % FUNCTION_STEP || index >= p->functions ||
        !fits_call(p->function[index].source, o->call)) {
        machine_fail(c, w, o, (int)lane, "calls 0x%llx, which is no function that takes these arguments",
                     (unsigned long long)a[lane]);
        return 0;
    }
    EACH_SET(i, m) set |= (uint32_t)(a[i] == a[lane]) << i;
    *function = (int32_t)index;
    return set;
}

static uint64_t argument(const warp *w, const op *o, uint32_t lane, uint32_t n)
{
    uint64_t x = 0;
    const call_value *v = &o->call->value[n];
    memcpy(&x, local_of(w, w->frame, lane) + v->caller_offset, min_u32(v->bytes, 8));
    return x;
}

static bool run_assert(core *c, warp *w, const op *o, uint32_t lane)
{
    char words[2][96];
    for (uint32_t n = 0; n < 2; n++) {
        uint64_t left = 0;
        const char *s = memory_peek(c, w, lane, argument(w, o, lane, n), &left);
        size_t size = s ? strnlen(s, left) : 0;
        size = min_size(size, sizeof words[n] - 1);
        memcpy(words[n], s ? s : "", size);
        words[n][size] = '\0';
    }
    op without_place = *o;
    without_place.source_line = 0; /* the message names the place of the assertion instead */
    return machine_fail(c, w, &without_place, (int)lane, "fails the assertion '%s' (%s:%u)", words[0], words[1],
                        (unsigned)argument(w, o, lane, 2));
}

static void write_result(const warp *w, const op *o, uint32_t lane, const void *value, uint32_t bytes)
{
    if (o->call->results == 1 && o->call->result[0].bytes == bytes)
        memcpy(local_of(w, w->frame, lane) + o->call->result[0].caller_offset, value, bytes);
}

static bool run_lane(core *c, warp *w, const op *o, uint32_t lane)
{
    uint64_t first = argument(w, o, lane, 0), address;
    int32_t printed = 0;
    switch (o->call->function) {
    case CALL_ASSERT:
        return run_assert(c, w, o, lane);
    case CALL_MALLOC:
        address = heap_allocate(c, first);
        if (address && w->block->races)
            races_renew(c, w->block, address, first);
        write_result(w, o, lane, &address, 8);
        return true;
    case CALL_FREE:
        return heap_release(c, first) ||
               machine_fail(c, w, o, (int)lane, "frees 0x%llx, which malloc did not give or which is free already",
                            (unsigned long long)first);
    default:
        if (!print_format(c, w, o, lane, first, argument(w, o, lane, 1), &printed))
            return false;
        write_result(w, o, lane, &printed, 4);
        return true;
    }
}

bool calls_run_built_in(core *c, warp *w, const op *o, uint32_t m)
{
    EACH_SET(i, m)
    if (!run_lane(c, w, o, i))
        return false;
    memory_changed(c, w); /* output counts as progress, so that a loop that prints does not seem to spin */
    return true;
}

void calls_warp_free(warp *w)
{
    free(w->frames);
    free(w->local);
    free(w->stack);
    arena_free(&w->memory);
}
