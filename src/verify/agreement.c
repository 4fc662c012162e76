/* Whether two runs agree, as docs/formats.md defines it. */
#include "gridcast/verify.h"

#include "verify/run_times.h"

#define MIN_TOLERANCE_NS 20000

gcast_agreement gcast_run_compare(const gcast_run *run, const gcast_run *reference)
{
    if (!run || !reference)
        return (gcast_agreement){0};
    gcast_agreement a = {0};
    int64_t zero_ns = run_first_start_ns(run), reference_zero_ns = run_first_start_ns(reference), makespan_ns = 0;
    for (size_t i = 0; i < reference->op_count && i < run->op_count; i++) {
        if (!run_op_executed(reference, i))
            continue;
        int64_t end_ns = reference->ops[i].end_ns - reference_zero_ns;
        int64_t error_ns = run_op_executed(run, i) ? run->ops[i].end_ns - zero_ns - end_ns : INT64_MAX;
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
