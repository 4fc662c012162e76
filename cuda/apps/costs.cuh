/* Measured costs: of a launch, of an item in the parent's loop and of a child block, as a predictor and the policy OWN
 * need them. Part of harness.cuh. */
#ifndef CUDA_APPS_COSTS_CUH
#define CUDA_APPS_COSTS_CUH

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

/* Middle, least and most of measurements. */
template <class T> double quantile(std::vector<T> values, double q)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return (double)values[(size_t)(q * (double)(values.size() - 1) + 0.5)];
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

static void print_costs(const app_session &s, const gridcast_launch_costs &launch, const parent_costs &parent,
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
           "\"warp_last_ns\": %.1f, \"service_ns\": %.2f, \"next_ns\": %.1f, \"end_ns\": %.1f, "
           "\"call_in_run_median_ns\": %.1f, \"call_in_run_mean_ns\": %.1f}}}\n",
           launch.latency_ns, launch.call_ns, launch.warp_call_ns, launch.first_ns, launch.last_ns, launch.service_ns,
           launch.next_ns, launch.end_ns, child.call_median_ns, child.call_mean_ns);
    fflush(stdout);
}

#endif
