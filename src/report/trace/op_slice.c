#include "report/trace/op_slice.h"

#include "model/run_op.h"
#include "report/hang/never_ends.h"

void chrome_op(chrome *c, size_t i, chrome_track at, int64_t start, int64_t end)
{
    const gcast_run_op *o = &c->run->ops[i];
    const gcast_op *op = run_op(c->run, i);
    chrome_slice(&c->events, c->head[o->op], at, start, end);
    text_str(c->events.out, "\"kind\": \"");
    text_str(c->events.out, gcast_kind_name(op->kind));
    text_str(c->events.out, "\", \"job\": ");
    text_uint(c->events.out, o->job);
    if (op->kind == GCAST_KIND_KERNEL) {
        text_str(c->events.out, ", \"blocks\": ");
        text_uint(c->events.out, o->block_count);
    } else if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
        text_str(c->events.out, ", \"bytes\": ");
        text_int(c->events.out, op->bytes);
    }
    if (never_ends(c->run, i))
        text_str(c->events.out, ", \"never_ends\": true");
    chrome_slice_end(&c->events);
}

void chrome_arrow(chrome *c, size_t i, bool at_call, chrome_track at, int64_t ns)
{
    const gcast_run_op *o = &c->run->ops[i];
    int64_t returned = run_op(c->run, i)->host >= 0 && o->return_ns > o->call_ns ? o->return_ns : o->call_ns + 1;
    bool both_shown = run_op_ran(c->run, i) && o->call_ns >= 0 && o->call_ns <= o->start_ns &&
                      view_holds(&c->shown, o->call_ns, returned) && view_holds(&c->shown, o->start_ns, o->end_ns);
    if (both_shown)
        chrome_flow(&c->events, at_call, (uint64_t)i + 1, at, ns);
}
