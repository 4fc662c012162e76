#include "verify/op_times.h"

#include "verify/run_times.h"

bool verify_list_op_times(const gcast_run *predicted, const gcast_run *measured, verify_op_times_list *list)
{
    int64_t zero_ns = run_first_start_ns(predicted), measured_zero_ns = run_first_start_ns(measured);
    for (size_t i = 0; i < predicted->op_count && i < measured->op_count; i++) {
        const gcast_run_op *p = &predicted->ops[i], *m = &measured->ops[i];
        if (!run_op_executed(predicted, i) || !run_op_executed(measured, i))
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
