/* Measured costs: of a launch, of an item in the parent's loop and of a child block, as a predictor and the policy OWN
 * need them. Part of harness.cuh. */
#ifndef CUDA_APPS_COSTS_CUH
#define CUDA_APPS_COSTS_CUH

struct launch_costs {
    double latency_ns;   /* from the call to the start of the child, one thread and one child */
    double call_ns;      /* of a launch, one thread */
    double warp_call_ns; /* of a launch, 32 lanes of a warp launching, per lane */
    double first_ns;     /* 32 lanes of a warp launching: from the first call to the first start of a child */
    double last_ns;      /* to the last start */
};

struct parent_costs {
    size_t warps;                 /* stamped */
    double item_ns, intercept_ns; /* of a warp's loop over the items of its longest lane */
    double base_ns;               /* of a warp before the loop, median */
};

struct child_costs {
    size_t blocks;                       /* stamped */
    double mean_ns, median_ns, p95_ns;   /* of a child block */
    double n_con;                        /* blocks that run at the same time, while one runs */
    double call_median_ns, call_mean_ns; /* of a launch in the application */
    uint64_t refused;
};

template <class T> double quantile(std::vector<T> values, double q)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return (double)values[(size_t)(q * (double)(values.size() - 1) + 0.5)];
}

__global__ void launch_probe_child(uint64_t *start)
{
    if (threadIdx.x == 0)
        *start = gridcast_now();
}

/* Launches `children` children per thread; by thread: the time before and after the launches. */
__global__ void launch_probe(uint32_t children, uint64_t *starts, uint64_t *before, uint64_t *after)
{
    uint64_t begin = gridcast_now();
    for (uint32_t k = 0; k < children; k++)
        launch_probe_child<<<1, 32, 0, cudaStreamFireAndForget>>>(starts + threadIdx.x * children + k);
    before[threadIdx.x] = begin;
    after[threadIdx.x] = gridcast_now();
}

static launch_costs measure_launches()
{
    uint64_t *stamps = nullptr;
    std::vector<double> latency, call, warp_call, first, last;
    check_cuda(cudaMallocManaged(&stamps, 256 * sizeof *stamps));
    for (int turn = 0; turn < 24; turn++) {
        launch_probe<<<1, 1>>>(1, stamps, stamps + 128, stamps + 160);
        check_cuda(cudaDeviceSynchronize());
        if (turn >= 4)
            latency.push_back((double)stamps[0] - (double)stamps[128]);
        launch_probe<<<1, 1>>>(32, stamps, stamps + 128, stamps + 160);
        check_cuda(cudaDeviceSynchronize());
        if (turn >= 4)
            call.push_back(((double)stamps[160] - (double)stamps[128]) / 32);
        launch_probe<<<1, 32>>>(1, stamps, stamps + 128, stamps + 160);
        check_cuda(cudaDeviceSynchronize());
        if (turn < 4)
            continue;
        double begin = (double)*std::min_element(stamps + 128, stamps + 160);
        warp_call.push_back(((double)*std::max_element(stamps + 160, stamps + 192) - begin) / 32);
        first.push_back((double)*std::min_element(stamps, stamps + 32) - begin);
        last.push_back((double)*std::max_element(stamps, stamps + 32) - begin);
    }
    cudaFree(stamps);
    return {quantile(latency, .5), quantile(call, .5), quantile(warp_call, .5), quantile(first, .5),
            quantile(last, .5)};
}

struct stamp_buffers {
    app_stamps host = {};
    app_stamps *device = nullptr;

    explicit stamp_buffers(uint32_t capacity)
    {
        host.capacity = capacity;
        host.warp = device_array<app_warp_cost>(capacity);
        host.block = device_array<app_block_cost>(capacity);
        host.call_ns = device_array<uint32_t>(capacity);
        device = device_copy(&host, 1);
    }
    ~stamp_buffers()
    {
        cudaFree(host.warp);
        cudaFree(host.block);
        cudaFree(host.call_ns);
        cudaFree(device);
    }
    void read()
    {
        check_cuda(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    }
    template <class T> std::vector<T> fetch(const T *from, unsigned long long count) const
    {
        std::vector<T> values((size_t)std::min<unsigned long long>(count, host.capacity));
        check_cuda(cudaMemcpy(values.data(), from, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

#define MAX_STAMPS (1u << 21)

/* A flat run with stamps: least squares of the loop's time over the items of the longest lane, by warp. */
static parent_costs measure_parent(app_session &s)
{
    stamp_buffers stamps(MAX_STAMPS);
    s.application->reset(s.clock.stream);
    s.clock.begin();
    s.application->run(MODE_FLAT_COSTS, {s.spawn, stamps.device}, s.clock);
    stamps.read();
    std::vector<app_warp_cost> warps = stamps.fetch(stamps.host.warp, stamps.host.warps);
    double n = (double)warps.size(), x = 0, y = 0, xx = 0, xy = 0;
    std::vector<uint32_t> base;
    for (const app_warp_cost &w : warps) {
        x += w.items;
        y += w.loop_ns;
        xx += (double)w.items * w.items;
        xy += (double)w.items * w.loop_ns;
        base.push_back(w.base_ns);
    }
    parent_costs costs = {warps.size(), 0, 0, quantile(base, .5)};
    double spread = n * xx - x * x;
    costs.item_ns = spread > 0 ? (n * xy - x * y) / spread : 0;
    if (costs.item_ns <= 0)
        costs.item_ns = x > 0 ? y / x : 0;
    costs.intercept_ns = n > 0 ? (y - costs.item_ns * x) / n : 0;
    return costs;
}

/* A run in which every thread that may launches, with stamps of child blocks and launches. */
static child_costs measure_children(app_session &s)
{
    stamp_buffers stamps(MAX_STAMPS);
    gridcast_params p = s.params;
    p.policy = GRIDCAST_ALWAYS;
    check_cuda(gridcast_spawn_reset(s.spawn, &p));
    s.application->reset(s.clock.stream);
    s.clock.begin();
    s.application->run(MODE_CHILD_COSTS, {s.spawn, stamps.device}, s.clock);
    stamps.read();
    gridcast_counts counts;
    check_cuda(gridcast_spawn_read(s.spawn, &counts));
    std::vector<app_block_cost> blocks = stamps.fetch(stamps.host.block, stamps.host.blocks);
    std::vector<uint32_t> calls = stamps.fetch(stamps.host.call_ns, stamps.host.calls);
    std::sort(blocks.begin(), blocks.end(),
              [](const app_block_cost &a, const app_block_cost &b) { return a.start_ns < b.start_ns; });
    std::vector<uint64_t> times;
    double sum = 0, busy = 0, call_sum = 0;
    uint64_t covered = 0;
    for (const app_block_cost &b : blocks) {
        times.push_back(b.end_ns - b.start_ns);
        sum += (double)times.back();
        if (b.end_ns > covered) {
            busy += (double)(b.end_ns - std::max(covered, b.start_ns));
            covered = b.end_ns;
        }
    }
    for (uint32_t ns : calls)
        call_sum += ns;
    child_costs costs = {blocks.size(),       0, quantile(times, .5), quantile(times, .95), 0,
                         quantile(calls, .5), 0, counts.refused};
    costs.mean_ns = blocks.empty() ? 0 : sum / (double)blocks.size();
    costs.n_con = busy > 0 ? sum / busy : 0;
    costs.call_mean_ns = calls.empty() ? 0 : call_sum / (double)calls.size();
    return costs;
}

/* Items of all levels for one of the first: a loop over items does those below them too, so that item_ns is of so many.
 */
static double items_per_item(const app_session &s)
{
    uint64_t first = 0;
    for (size_t r = 0; r < s.rounds.count; r++)
        for (uint32_t i = 0; i < s.rounds.round[r].threads; i++)
            first += s.rounds.round[r].items[i];
    return first ? (double)s.totals.items / (double)first : 1;
}

static void print_costs(const app_session &s, const launch_costs &launch, const parent_costs &parent,
                        const child_costs &child)
{
    printf("{\"benchmark\": \"%s\", \"input\": \"%s\", \"pool\": %zu, \"costs\": {\"parent\": {\"warps\": %zu, "
           "\"item_ns\": %.3f, \"intercept_ns\": %.1f, \"base_ns\": %.1f, \"items_per_item\": %.3f}, ",
           s.benchmark.c_str(), s.input.c_str(), s.pool, parent.warps, parent.item_ns, parent.intercept_ns,
           parent.base_ns, items_per_item(s));
    printf("\"child\": {\"blocks\": %zu, \"mean_ns\": %.1f, \"median_ns\": %.1f, \"p95_ns\": %.1f, \"n_con\": %.2f, "
           "\"refused\": %llu}, ",
           child.blocks, child.mean_ns, child.median_ns, child.p95_ns, child.n_con, (unsigned long long)child.refused);
    printf("\"launch\": {\"latency_ns\": %.1f, \"call_ns\": %.1f, \"warp_call_ns\": %.1f, \"warp_first_ns\": %.1f, "
           "\"warp_last_ns\": %.1f, \"call_in_run_median_ns\": %.1f, \"call_in_run_mean_ns\": %.1f}}}\n",
           launch.latency_ns, launch.call_ns, launch.warp_call_ns, launch.first_ns, launch.last_ns,
           child.call_median_ns, child.call_mean_ns);
    fflush(stdout);
}

#endif
