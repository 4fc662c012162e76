/* Whether two runs agree, as docs/formats.md defines it, and their times operation by operation. Times are counted from
 * the first start of each run. */
#include "verify/compare.h"

#include "base/integers.h"
#include "gridcast/run.h"
#include "model/workload/workload.h"
#include "verify/score.h"

#define MIN_TOLERANCE_NS 20000

/* Was the operation executed on the GPU, to its end? */
static bool was_executed(const gcast_run *run, size_t i)
{
    bool hangs = run->hang && run->ops[i].end_ns < 0;
    return !run->ops[i].skipped && !hangs && gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind);
}

static int64_t first_start_ns(const gcast_run *run)
{
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (was_executed(run, i))
            first_ns = min_i64(first_ns, run->ops[i].start_ns);
    return first_ns;
}

gcast_agreement gcast_run_compare(const gcast_run *run, const gcast_run *reference)
{
    if (!run || !reference)
        return (gcast_agreement){0};
    gcast_agreement a = {0};
    int64_t zero_ns = first_start_ns(run), reference_zero_ns = first_start_ns(reference), makespan_ns = 0;
    for (size_t i = 0; i < reference->op_count && i < run->op_count; i++) {
        if (!was_executed(reference, i))
            continue;
        int64_t end_ns = reference->ops[i].end_ns - reference_zero_ns;
        int64_t error_ns = was_executed(run, i) ? run->ops[i].end_ns - zero_ns - end_ns : INT64_MAX;
        error_ns = error_ns < 0 ? -error_ns : error_ns;
        makespan_ns = max_i64(end_ns, makespan_ns);
        if (error_ns > a.error_ns) {
            a.error_ns = error_ns;
            a.worst_op = i;
        }
    }
    a.tolerance_ns = max_i64(makespan_ns / 100, MIN_TOLERANCE_NS);
    a.agree = run->op_count == reference->op_count && a.error_ns <= a.tolerance_ns;
    return a;
}

bool verify_list_op_times(const gcast_run *predicted, const gcast_run *measured, verify_op_times_list *list)
{
    int64_t zero_ns = first_start_ns(predicted), measured_zero_ns = first_start_ns(measured);
    for (size_t i = 0; i < predicted->op_count && i < measured->op_count; i++) {
        const gcast_run_op *p = &predicted->ops[i], *m = &measured->ops[i];
        if (!was_executed(predicted, i) || !was_executed(measured, i))
            continue;
        verify_op_times times = {.op = p->op,
                                 .predicted_start_ns = p->start_ns - zero_ns,
                                 .predicted_end_ns = p->end_ns - zero_ns,
                                 .measured_start_ns = m->start_ns - measured_zero_ns,
                                 .measured_end_ns = m->end_ns - measured_zero_ns};
        times.error_ns = times.predicted_end_ns - times.measured_end_ns;
        if (!vec_push(list, times))
            return false;
    }
    return true;
}
