/* Calls: every depth of calls has a frame of registers for each function that
 * lanes of the warp are in there; a lane uses only its own column, so lanes that
 * call at different times share it. Values go through local memory, where each
 * thread has its frames one above the other. */
#include "simt/warp/calls.h"

#include <string.h>

#include "simt/memory/device_heap.h"
#include "simt/memory/memory.h"
#include "simt/races/races.h"

bool calls_built_in(const char *name, call *k)
{
    if (strcmp(name, "vprintf") == 0 && k->values == 2)
        k->function = CALL_PRINT;
    else if (strcmp(name, "__assertfail") == 0 && k->values >= 3)
        k->function = CALL_ASSERT;
    else if (strcmp(name, "malloc") == 0 && k->values == 1 && k->results == 1)
        k->function = CALL_MALLOC;
    else if (strcmp(name, "free") == 0 && k->values == 1)
        k->function = CALL_FREE;
    else
        return false;
    return true;
}

static frame *fail_memory(core *c)
{
    c->status = gcast_error_set_memory(c->err);
    return NULL;
}

/* Room for `bytes` of local memory per thread. */
static bool grow_local(core *c, warp *w, const op *o, uint32_t bytes)
{
    if (bytes <= w->local_stride)
        return true;
    if (bytes > MOST_LOCAL)
        return machine_fail(c, w, o, -1, "calls need more than %d KiB of local memory per thread", MOST_LOCAL >> 10);
    uint32_t stride = w->local_stride * 2 > bytes ? w->local_stride * 2 : bytes;
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

/* The frame of a function at a depth. */
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
    memset(f->local, 0, sizeof f->local);
    memset(f->rows.base[0], 0, code->row_bytes);
    if (w->local)
        memset(w->local, 0, (size_t)LANES * w->local_stride);
    return f;
}

static char *local_of(const warp *w, const frame *f, uint32_t lane)
{
    return w->local + (size_t)lane * w->local_stride + f->local[lane];
}

frame *calls_enter(core *c, warp *w, const op *o, uint32_t m, uint32_t function, uint32_t return_pc)
{
    const program *p = c->machine->program;
    frame *from = w->frame;
    if (from->depth + 1 >= MOST_DEPTH) {
        machine_fail(c, w, o, __builtin_ctz(m), "calls more than %d deep", MOST_DEPTH);
        return NULL;
    }
    frame *to = frame_at(c, w, from->depth + 1, function);
    uint32_t above = p->function[from->function].local_bytes;
    if (!to)
        return NULL;
    EACH_SET(i, m)
    {
        to->return_pc[i] = return_pc;
        to->called_by[i] = o;
        to->caller[i] = from;
        to->local[i] = from->local[i] + above;
        if (!grow_local(c, w, o, to->local[i] + p->function[function].local_bytes))
            return NULL;
        for (uint32_t k = 0; k < o->call->values; k++) {
            const call_value *v = &o->call->value[k];
            uint32_t at = o->call->function == CALL_INDIRECT ? p->function[function].param_at[k] : v->to;
            memcpy(local_of(w, to, i) + at, local_of(w, from, i) + v->from, v->bytes);
        }
    }
    return to;
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
            uint32_t at = k->function == CALL_INDIRECT ? p->function[f->function].ret_at[n] : v->to;
            memcpy(local_of(w, f->caller[i], i) + v->from, local_of(w, f, i) + at, v->bytes);
        }
    }
}

/* Does the function take and give what an indirect call passes? */
static bool fits(const ptx_function *f, const call *k)
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
        !fits(p->function[index].source, o->call)) {
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
    memcpy(&x, local_of(w, w->frame, lane) + v->from, v->bytes < 8 ? v->bytes : 8);
    return x;
}

static bool run_assert(core *c, warp *w, const op *o, uint32_t lane)
{
    char words[2][96];
    for (uint32_t n = 0; n < 2; n++) {
        uint64_t left = 0;
        const char *s = memory_peek(c, w, lane, argument(w, o, lane, n), &left);
        size_t size = s ? strnlen(s, left) : 0;
        if (size >= sizeof words[n])
            size = sizeof words[n] - 1;
        memcpy(words[n], s ? s : "", size);
        words[n][size] = '\0';
    }
    op plain = *o;
    plain.source_line = 0; /* the assertion knows where it is */
    return machine_fail(c, w, &plain, (int)lane, "fails the assertion '%s' (%s:%u)", words[0], words[1],
                        (unsigned)argument(w, o, lane, 2));
}

static void give_result(const warp *w, const op *o, uint32_t lane, const void *value, uint32_t bytes)
{
    if (o->call->results == 1 && o->call->result[0].bytes == bytes)
        memcpy(local_of(w, w->frame, lane) + o->call->result[0].from, value, bytes);
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
        give_result(w, o, lane, &address, 8);
        return true;
    case CALL_FREE:
        return heap_release(c, first) ||
               machine_fail(c, w, o, (int)lane, "frees 0x%llx, which malloc did not give or which is free already",
                            (unsigned long long)first);
    default:
        if (!print_format(c, w, o, lane, first, argument(w, o, lane, 1), &printed))
            return false;
        give_result(w, o, lane, &printed, 4);
        return true;
    }
}

bool calls_run_built_in(core *c, warp *w, const op *o, uint32_t m)
{
    EACH_SET(i, m)
    if (!run_lane(c, w, o, i))
        return false;
    memory_changed(c, w); /* printing is progress */
    return true;
}

void calls_warp_free(warp *w)
{
    free(w->frames);
    free(w->local);
    free(w->stack);
    arena_free(&w->memory);
}
