/* What a program describes and describes wrongly: operations and what they launch, plans, launches in files, GPUs. */
#include <limits.h>
#include <string.h>

#include "misuse.h"
#include "model/gpu.h"
#include "model/launch_file.h"
#include "model/plan/affinity.h"

static gcast_workload *empty;
static gcast_op parent, child;
static gcast_launches launches;

/* A workload with a stream on a GPU whose kernels launch kernels, and a kernel for it. */
static gcast_status begin(gcast_error *err)
{
    gcast_gpu *gpu = NULL;
    gcast_status status = gcast_workload_create("made wrong", &empty, err);
    if (status == GCAST_OK)
        status = gcast_workload_get_stream(empty, 1, NULL, err);
    if (status == GCAST_OK)
        status = gcast_gpu_preset("h200", &gpu, err);
    gcast_workload_set_gpu(empty, gpu);
    parent = world_op();
    parent.max_ns = parent.min_ns = 5000;
    child = parent;
    child.label = "child";
    launches = gcast_launches_default();
    launches.child = &child;
    launches.items_each = 10;
    launches.item_ns = 100;
    return status;
}

/* All that is done with a workload. */
static gcast_status use(gcast_error *err)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run = NULL;
    gcast_explanation *why = NULL;
    gcast_analysis *analysis = NULL;
    gcast_workload *copy = NULL;
    char *text = NULL;
    size_t size;
    gcast_status status = gcast_workload_add_op(empty, &parent, NULL, err);
    if (status != GCAST_OK)
        return status;
    options.record_blocks = true;
    gcast_workload_copy(empty, &copy, NULL);
    gcast_workload_write_native(empty, &text, &size, NULL);
    gcast_workload_analyze(empty, NULL, GCAST_METHOD_BOUND, NULL, &analysis, NULL);
    status = gcast_workload_simulate(empty, NULL, &options, &run, err);
    if (status == GCAST_OK)
        status = gcast_run_check(run, err);
    if (status == GCAST_OK)
        status = gcast_run_explain(run, 0, &why, err);
    return status;
}

#define WITH_CHILD(name, change)                                                                                       \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        gcast_status status = begin(err);                                                                              \
        parent.launches = &launches;                                                                                   \
        change;                                                                                                        \
        return status == GCAST_OK ? use(err) : status;                                                                 \
    }

static const uint32_t op_zero[2] = {0, 0};

WITH_CHILD(child_right, (void)0)
WITH_CHILD(child_cluster, child.cluster[0] = 2)
WITH_CHILD(child_after, (child.after = op_zero, child.after_count = 1))
WITH_CHILD(child_after_missing, child.after_count = 1)
WITH_CHILD(child_waits, (child.waits_for = op_zero, child.waits_for_count = 1))
WITH_CHILD(child_plan, child.plan = own.plan)
WITH_CHILD(child_policy, child.policy = GCAST_POLICY_SM_CENTRIC)
WITH_CHILD(child_fill, child.fill = 1)
WITH_CHILD(child_cooperative, child.cooperative = true)
WITH_CHILD(child_programmatic, child.programmatic = true)
WITH_CHILD(child_trigger, child.trigger_ns = 5)
WITH_CHILD(child_wait, child.wait_ns = 5)
WITH_CHILD(child_graph, child.graph = 0)
WITH_CHILD(child_kind, child.kind = GCAST_KIND_COPY)
WITH_CHILD(child_body, child.body = (gcast_body)1000)
WITH_CHILD(child_carveout, child.carveout = (gcast_op_carveout)1000)
WITH_CHILD(child_block, child.block[1] = UINT32_MAX)
WITH_CHILD(child_smem, child.shape.static_smem = INT64_MAX)
WITH_CHILD(child_missing, launches.child = NULL)
WITH_CHILD(child_of_itself, child.launches = &launches)
WITH_CHILD(items_many, (launches.items = op_zero, launches.item_count = UINT64_MAX))
WITH_CHILD(items_each_many, launches.items_each = UINT32_MAX)
WITH_CHILD(launcher_unknown, launches.by = (gcast_launcher)1000)
WITH_CHILD(stream_unknown, launches.stream = (gcast_child_stream)1000)
WITH_CHILD(streams_many, (launches.stream = GCAST_CHILD_STREAM_NAMED, launches.streams = UINT32_MAX))
WITH_CHILD(wait_unknown, launches.wait = (gcast_child_wait)1000)
WITH_CHILD(spawn_policy_unknown, launches.policy = (gcast_spawn_policy)1000)
WITH_CHILD(decided_never, launches.at_ns = INT64_MIN)
WITH_CHILD(item_endless, launches.child_item_ns = INT64_MAX)

static const gcast_port no_ports[1] = {(gcast_port)1000};

#define WITH_OP(name, change)                                                                                          \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        gcast_status status = begin(err);                                                                              \
        change;                                                                                                        \
        return status == GCAST_OK ? use(err) : status;                                                                 \
    }

WITH_OP(op_after_itself, (parent.after = op_zero, parent.after_count = 1))
WITH_OP(op_after_unknown, (parent.after = &(const uint32_t){UINT32_MAX}, parent.after_count = 1))
WITH_OP(op_after_many, (parent.after = op_zero, parent.after_count = SIZE_MAX / 4 + 2))
WITH_OP(op_ports, (parent.after = op_zero, parent.after_count = 1, parent.ports = no_ports))
WITH_OP(op_waits_many, (parent.waits_for = op_zero, parent.waits_for_count = SIZE_MAX / 4 + 2))
WITH_OP(op_cluster, parent.cluster[0] = 0)
WITH_OP(op_cluster_large, parent.cluster[1] = UINT32_MAX)
WITH_OP(op_stream, parent.stream = INT_MAX)
WITH_OP(op_host, parent.host = INT_MAX)
WITH_OP(op_graph, parent.graph = INT_MAX)
WITH_OP(op_mask, parent.mask = INT_MAX)
WITH_OP(op_label, parent.label = text_invalid)

/* A plan for the kernel, of which `change` makes something wrong. */
#define WITH_PLAN(name, change)                                                                                        \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        static uint32_t first[133], workers[132], job[2] = {0, 1};                                                     \
        static gcast_plan plan = {                                                                                     \
            .mapping = GCAST_MAPPING_SEGMENTS, .grid = {2, 1, 1}, .jobs = 2, .sms = 132, .queues = 132};               \
        gcast_status status = begin(err);                                                                              \
        for (int i = 0; i < 132; i++)                                                                                  \
            first[i + 1] = 2, workers[i] = 1;                                                                          \
        plan.first = first, plan.workers = workers, plan.job = job;                                                    \
        parent.policy = GCAST_POLICY_SM_CENTRIC;                                                                       \
        parent.plan = &plan;                                                                                           \
        change;                                                                                                        \
        return status == GCAST_OK ? use(err) : status;                                                                 \
    }

WITH_PLAN(plan_right, (void)0)
WITH_PLAN(plan_queues, plan.queues = UINT32_MAX)
WITH_PLAN(plan_jobs, plan.jobs = INT32_MAX)
WITH_PLAN(plan_sms, plan.sms = UINT32_MAX)
WITH_PLAN(plan_no_sms, plan.sms = plan.queues = 0)
WITH_PLAN(plan_no_first, plan.first = NULL)
WITH_PLAN(plan_no_job, plan.job = NULL)
WITH_PLAN(plan_no_workers, plan.workers = NULL)
WITH_PLAN(plan_bounds, first[7] = UINT32_MAX)
WITH_PLAN(plan_number, job[1] = UINT32_MAX)
WITH_PLAN(plan_worker_count, workers[0] = UINT32_MAX)
WITH_PLAN(plan_mapping, plan.mapping = (gcast_mapping)1000)

/* Data of three jobs. */
#define WITH_DATA(name, change)                                                                                        \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        uint32_t first[4] = {0, 1, 2, 3}, item[3] = {1, 2, 3};                                                         \
        gcast_job_data data = {3, first, item};                                                                        \
        gcast_plan_options options = gcast_plan_options_default();                                                     \
        gcast_plan *plan = NULL;                                                                                       \
        options.sms = 2, options.workers = 1, options.data = &data;                                                    \
        options.grid[0] = 3, options.grid[1] = options.grid[2] = 1;                                                    \
        change;                                                                                                        \
        gcast_job_data_affinity(&data, 0, 2);                                                                          \
        return gcast_plan_make(&options, &plan, err);                                                                  \
    }

WITH_DATA(data_right, (void)0)
WITH_DATA(data_no_first, data.first = NULL)
WITH_DATA(data_no_item, data.item = NULL)
WITH_DATA(data_jobs, data.jobs = 2)
WITH_DATA(data_order, (first[1] = 3, first[2] = 1))
WITH_DATA(data_begin, first[0] = 1)

/* A launch in a file. */
#define WITH_FILE(name, change, call)                                                                                  \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        static const char *const no_args[1] = {NULL};                                                                  \
        gcast_launch_file file = *own.launch_file;                                                                     \
        char *text = NULL;                                                                                             \
        (void)no_args, (void)text;                                                                                     \
        change;                                                                                                        \
        return call;                                                                                                   \
    }
#define WRITE gcast_launch_file_write(&file, &text, err)

WITH_FILE(file_no_args, (file.args = NULL, file.arg_count = 5), WRITE)
WITH_FILE(file_arg_missing, (file.args = no_args, file.arg_count = 1), WRITE)
WITH_FILE(file_no_times_written, (file.times = NULL, file.time_count = 2), WRITE)
WITH_FILE(file_no_job_ns_written, (file.job_ns = NULL, file.job_ns_count = 2), WRITE)

/* A GPU with GPCs and sources. */
#define WITH_GPU(name, change, call)                                                                                   \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        static const gcast_source no_source = {NULL, NULL};                                                            \
        gcast_gpu gpu = *world_gpc_gpu(), *copy = NULL;                                                                \
        gcast_block_shape block = {.threads = 64};                                                                     \
        gcast_run *run = NULL;                                                                                         \
        char *text = NULL;                                                                                             \
        size_t size;                                                                                                   \
        int64_t clusters;                                                                                              \
        (void)err, (void)no_source, (void)copy, (void)block, (void)run, (void)text, (void)size, (void)clusters;        \
        change;                                                                                                        \
        return call;                                                                                                   \
    }
#define CHECK gcast_gpu_check(&gpu, err)
#define COPY gcast_gpu_copy(&gpu, &copy, err)
#define ORIGIN                                                                                                         \
    (gcast_gpu_assumes(&gpu, "sms"), gcast_gpu_origin(&gpu, "sms") == GCAST_ORIGIN_GIVEN ? GCAST_USAGE : GCAST_OK)
#define SIMULATE gcast_workload_simulate(own.workload, &gpu, NULL, &run, err)
#define CLUSTERS gcast_occupancy_clusters(&gpu, &block, -1, 2, &clusters, err)
#define GPU_TEXT gcast_gpu_write_json(&gpu, &text, &size, err)
#define PART gcast_gpu_partition(&gpu, 2, err)

#define WITH_EACH(name, change)                                                                                        \
    WITH_GPU(name##_checked, change, CHECK)                                                                            \
    WITH_GPU(name##_copied, change, COPY)                                                                              \
    WITH_GPU(name##_simulated, change, SIMULATE)                                                                       \
    WITH_GPU(name##_written, change, GPU_TEXT)                                                                         \
    WITH_GPU(name##_clusters, change, CLUSTERS)                                                                        \
    WITH_GPU(name##_cut, change, PART)                                                                                 \
    WITH_GPU(name##_origin, change, ORIGIN)

WITH_EACH(gpu_right, (void)0)
WITH_EACH(gpu_no_sizes, gpu.gpc_sizes = NULL)
WITH_EACH(gpu_no_gpc_sms, gpu.gpc_sms = NULL)
WITH_EACH(gpu_gpcs, gpu.gpc_count = INT_MAX)
WITH_EACH(gpu_gpcs_negative, gpu.gpc_count = -1)
WITH_EACH(gpu_source_empty, (gpu.sources = &no_source, gpu.source_count = 1))
WITH_EACH(gpu_no_sources, (gpu.sources = NULL, gpu.source_count = 5))
WITH_EACH(gpu_sms, (gpu.sms = INT_MAX, gpu.tie_list = NULL, gpu.reach_ns = NULL))

#define EACH(name, text, expected)                                                                                     \
    {text ", checked", expected, name##_checked}, {text ", copied", ANY, name##_copied},                               \
        {text ", simulated", expected, name##_simulated}, {text ", written", expected, name##_written},                \
        {text ", clusters", ANY, name##_clusters}, {text ", cut", ANY, name##_cut},                                    \
    {                                                                                                                  \
        text ", origin", ANY, name##_origin                                                                            \
    }

static const misuse_case cases[] = {
    {"a child", FINE, child_right},
    {"a child with a cluster", REFUSED, child_cluster},
    {"a child after an op", REFUSED, child_after},
    {"a child after ops that are missing", REFUSED, child_after_missing},
    {"a child that waits for ops", REFUSED, child_waits},
    {"a child with a plan", REFUSED, child_plan},
    {"a child with a policy", REFUSED, child_policy},
    {"a child with a fill", REFUSED, child_fill},
    {"a cooperative child", REFUSED, child_cooperative},
    {"a programmatic child", REFUSED, child_programmatic},
    {"a child that triggers", REFUSED, child_trigger},
    {"a child that waits", REFUSED, child_wait},
    {"a child of a graph", REFUSED, child_graph},
    {"a child that is a copy", REFUSED, child_kind},
    {"a child with an unknown body", REFUSED, child_body},
    {"a child with an unknown carveout", REFUSED, child_carveout},
    {"a child with a large block", REFUSED, child_block},
    {"a child with much shared memory", REFUSED, child_smem},
    {"no child", REFUSED, child_missing},
    {"a child that launches itself", REFUSED, child_of_itself},
    {"more items than memory", REFUSED, items_many},
    {"more items than may be", REFUSED, items_each_many},
    {"an unknown launcher", REFUSED, launcher_unknown},
    {"an unknown stream", REFUSED, stream_unknown},
    {"too many streams", REFUSED, streams_many},
    {"an unknown wait", REFUSED, wait_unknown},
    {"an unknown policy of launches", REFUSED, spawn_policy_unknown},
    {"decided before the start", REFUSED, decided_never},
    {"items that take too long", REFUSED, item_endless},
    {"an op after itself", REFUSED, op_after_itself},
    {"an op after an unknown one", REFUSED, op_after_unknown},
    {"an op after more than memory", REFUSED, op_after_many},
    {"an op with an unknown port", REFUSED, op_ports},
    {"an op that waits for more than memory", REFUSED, op_waits_many},
    {"an op with a cluster of 0", REFUSED, op_cluster},
    {"an op with a large cluster", REFUSED, op_cluster_large},
    {"an op of an unknown stream", REFUSED, op_stream},
    {"an op of an unknown host", REFUSED, op_host},
    {"an op of an unknown graph", REFUSED, op_graph},
    {"an op with an unknown mask", REFUSED, op_mask},
    {"an op whose label is no UTF-8", ANY, op_label},
    {"a plan", FINE, plan_right},
    {"a plan with too many queues", REFUSED, plan_queues},
    {"a plan with too many jobs", REFUSED, plan_jobs},
    {"a plan with too many SMs", REFUSED, plan_sms},
    {"a plan without SMs", REFUSED, plan_no_sms},
    {"a plan without first", REFUSED, plan_no_first},
    {"a plan without job", REFUSED, plan_no_job},
    {"a plan without workers", REFUSED, plan_no_workers},
    {"a plan whose queue ends beyond", REFUSED, plan_bounds},
    {"a plan with an unknown job", REFUSED, plan_number},
    {"a plan with too many workers", REFUSED, plan_worker_count},
    {"a plan with an unknown mapping", REFUSED, plan_mapping},
    {"data of jobs", FINE, data_right},
    {"data without first", REFUSED, data_no_first},
    {"data without item", REFUSED, data_no_item},
    {"data of too few jobs", REFUSED, data_jobs},
    {"data that do not ascend", REFUSED, data_order},
    {"data that begin late", REFUSED, data_begin},
    {"a launch file without its args", REFUSED, file_no_args},
    {"a launch file with an arg NULL", REFUSED, file_arg_missing},
    {"a launch file without its times, written", REFUSED, file_no_times_written},
    {"a launch file without its job_ns, written", REFUSED, file_no_job_ns_written},
    EACH(gpu_right, "a GPU", FINE),
    EACH(gpu_no_sizes, "a GPU without sizes of GPCs", REFUSED),
    EACH(gpu_no_gpc_sms, "a GPU without SMs of GPCs", REFUSED),
    EACH(gpu_gpcs, "a GPU with too many GPCs", REFUSED),
    EACH(gpu_gpcs_negative, "a GPU with fewer GPCs than none", REFUSED),
    EACH(gpu_source_empty, "a GPU with an empty source", REFUSED),
    EACH(gpu_no_sources, "a GPU without its sources", REFUSED),
    EACH(gpu_sms, "a GPU with too many SMs", REFUSED),
};

bool misuse_call_models(int variant, int second, bool dry, misuse_outcome *out)
{
    (void)second;
    return misuse_call_case(cases, (int)(sizeof cases / sizeof *cases), variant, dry, out);
}
