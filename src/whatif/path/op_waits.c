#include "whatif/path/op_waits.h"

#include <stdlib.h>

#include "simulate/explain/explain.h"
#include "simulate/explain/queue_waits.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

/* Without blocks there are no children, so that hosts called all operations. */
static gcast_status without_blocks(const gcast_run *run, const run_index *index, size_t run_op, bool brief,
                                   gcast_explanation **out, gcast_error *err)
{
    const gcast_run_op *r = &run->ops[run_op];
    bool is_kernel = run_spec(run, run_op)->kind == GCAST_KIND_KERNEL;
    explain *e = calloc(1, sizeof *e);
    if (!e)
        return gcast_error_set_memory(err);
    *e = (explain){.run = run, .index = index, .subject = run_op, .brief = brief};
    e->out = (gcast_explanation){
        .run_op = run_op, .critical_block = -1, .release_ns = r->release_ns, .end_ns = r->end_ns, .memory = e};
    explain_add(e, GCAST_WHY_HOST, r->release_ns, r->call_ns, 0, NULL, 0);
    bool ok = explain_queue(e, run, run_op);
    if (is_kernel)
        explain_add(e, GCAST_WHY_RESOURCES, r->enter_ns, r->start_ns, 0, NULL, 0);
    else
        explain_copy(e, run, run_op);
    explain_add(e, is_kernel ? GCAST_WHY_RUN : GCAST_WHY_COPY_RUN, r->start_ns, r->end_ns, 0, NULL, 0);
    e->out.waits = e->waits.at;
    e->out.wait_count = e->waits.count;
    if (!ok || e->failed) {
        gcast_explanation_free(&e->out);
        return gcast_error_set_memory(err);
    }
    *out = &e->out;
    return GCAST_OK;
}

gcast_status op_waits_find(const gcast_run *run, const run_index *index, size_t run_op, bool lone, bool brief,
                           gcast_explanation **out, gcast_error *err)
{
    if (!run->blocks_recorded)
        return without_blocks(run, index, run_op, brief, out, err);
    return (brief ? explain_briefly : explain_to)(run, index, run_op, lone ? EXPLAIN_FIRST_START : EXPLAIN_END, out,
                                                  err);
}
