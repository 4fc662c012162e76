#include "files/examiner/read/config.h"

#include <limits.h>

#include "files/examiner/read/benchmark.h"
#include "files/examiner/read/config_notes.h"

void examiner_config(const exam_config *outer, const node *n)
{
    static const char *const keys[] = {"name",
                                       "max_iterations",
                                       "max_time",
                                       "cuda_device",
                                       "benchmarks",
                                       "use_processes",
                                       "base_result_directory",
                                       "pin_cpus",
                                       "do_warmup",
                                       "sync_every_iteration",
                                       NULL};
    exam_config c = *outer;
    node_known(n, keys);
    get_text(n, "name");
    get_int(n, "cuda_device", 0, INT_MAX);
    get_text_or(n, "base_result_directory", "");
    get_bool_or(n, "pin_cpus", false);
    c.max_iterations = get_int(n, "max_iterations", 0, INT64_MAX);
    if (!node_key(n, "max_time").value)
        node_fail(n, "max_time is missing");
    c.max_ns = get_seconds_or(n, "max_time", 0);
    c.use_processes = get_bool_or(n, "use_processes", false);
    c.sync_every_iteration = get_bool_or(n, "sync_every_iteration", false);
    c.barrier = c.x->next_barrier;
    if (get_bool_or(n, "do_warmup", false))
        examiner_note_once(c.x, EXAMINER_NOTE_WARMUP);
    node benchmarks = node_key(n, "benchmarks");
    size_t count = node_count(&benchmarks);
    if (count == 0)
        node_fail(&benchmarks, "must have at least one benchmark");
    for (size_t i = 0; i < count && c.x->doc.status == GCAST_OK; i++) {
        node b = node_item(&benchmarks, i);
        examiner_benchmark(&c, &b, i);
    }
}
