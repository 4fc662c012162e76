/* Checks on the GPU what cuda/README.md says that gridcast_spawn.cuh guarantees: one JSON line per check.
 *   check [--log FOLDER] [NAME...]      all checks, or those named; exit 1: one failed, 2: a CUDA error
 *   FOLDER: decisions.csv and refused.csv are written there (gridcast.decisions/1) */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gridcast_spawn_measure.cuh"

#define CHILD_THREADS 64u
#define PARENT_THREADS 128u
#define ROUNDS 12u

static void check_cuda_at(cudaError_t error, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "check: line %d: CUDA error %d: %s\n", line, (int)error, cudaGetErrorString(error));
    exit(2);
}
#define check_cuda(call) check_cuda_at(call, __LINE__)

static bool report(const char *name, bool is_right, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("{\"bench\": \"check\", \"check\": \"%s\", ", name);
    vprintf(format, values);
    printf(", \"right\": %s}\n", is_right ? "true" : "false");
    fflush(stdout);
    va_end(values);
    return is_right;
}

/* ---- a program: each item of each thread adds 1 to a count of its own ---- */

enum way {
    AS_TOLD,
    AFTER_AN_ERROR, /* each thread makes an invalid launch first */
    LARGER_CHILDREN /* children have a block more than the controller is told */
};

struct work {
    const uint32_t *first; /* of `threads` + 1: the first item */
    unsigned *count;       /* by item */
    unsigned *provoked;    /* threads whose invalid launch left an error */
    uint32_t threads;
    uint32_t hold_ns; /* how long a child runs at least */
    int way;
};

__global__ void child(gridcast_state *spawn, unsigned *count, uint32_t items, uint32_t hold_ns)
{
    gridcast_child block = gridcast_spawn_child_begin(spawn);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t start = gridcast_now();
    for (int i = 0; i < 1 << 20 && gridcast_now() - start < hold_ns; i++)
        ;
    if (k < items)
        atomicAdd(count + k, 1);
    gridcast_spawn_child_end(spawn, block);
}

__global__ void parent(gridcast_state *spawn, work w)
{
    uint32_t t = blockIdx.x * blockDim.x + threadIdx.x, items = t < w.threads ? w.first[t + 1] - w.first[t] : 0;
    unsigned *count = w.count + (t < w.threads ? w.first[t] : 0);
    if (w.way == AFTER_AN_ERROR && items) {
        child<<<1, 2048, 0, cudaStreamFireAndForget>>>(spawn, count, items, 0); /* no block has so many threads */
        if (cudaPeekAtLastError() != cudaSuccess)
            atomicAdd(w.provoked, 1);
    }
    gridcast_spawn_or(
        spawn, items,
        [&](uint32_t blocks) {
            uint32_t more = w.way == LARGER_CHILDREN;
            child<<<blocks + more, CHILD_THREADS, 0, cudaStreamFireAndForget>>>(spawn, count, items, w.hold_ns);
        },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                atomicAdd(count + k, 1);
        });
}

struct program {
    work w = {};
    std::vector<uint32_t> first;
    gridcast_state *spawn = nullptr;
    uint32_t rounds = 0; /* run so far */

    program(const std::vector<uint32_t> &items, const gridcast_params &p)
    {
        first.push_back(0);
        for (uint32_t n : items)
            first.push_back(first.back() + n);
        uint32_t *device_first;
        check_cuda(cudaMalloc(&device_first, first.size() * sizeof first[0]));
        check_cuda(cudaMemcpy(device_first, first.data(), first.size() * sizeof first[0], cudaMemcpyHostToDevice));
        check_cuda(cudaMalloc(&w.count, (first.back() + 1) * sizeof *w.count));
        check_cuda(cudaMemset(w.count, 0, (first.back() + 1) * sizeof *w.count));
        check_cuda(cudaMalloc(&w.provoked, sizeof *w.provoked));
        check_cuda(cudaMemset(w.provoked, 0, sizeof *w.provoked));
        w.first = device_first;
        w.threads = (uint32_t)items.size();
        check_cuda(gridcast_spawn_make(&spawn, &p));
    }
    ~program()
    {
        gridcast_spawn_free(spawn);
        cudaFree(const_cast<uint32_t *>(w.first));
        cudaFree(w.count);
        cudaFree(w.provoked);
    }
    program(const program &) = delete;
    program &operator=(const program &) = delete;

    gridcast_counts run()
    {
        gridcast_counts counts;
        parent<<<(w.threads + PARENT_THREADS - 1) / PARENT_THREADS, PARENT_THREADS>>>(spawn, w);
        check_cuda(cudaGetLastError());
        check_cuda(cudaDeviceSynchronize());
        check_cuda(gridcast_spawn_read(spawn, &counts));
        rounds++;
        return counts;
    }
    unsigned provoked() const
    {
        unsigned found = 0;
        check_cuda(cudaMemcpy(&found, w.provoked, sizeof found, cudaMemcpyDeviceToHost));
        return found;
    }
    /* Items that were not done once in each round. */
    size_t wrong() const
    {
        std::vector<unsigned> found(first.back());
        check_cuda(cudaMemcpy(found.data(), w.count, found.size() * sizeof found[0], cudaMemcpyDeviceToHost));
        return found.size() - (size_t)std::count(found.begin(), found.end(), rounds);
    }
};

static bool is_balanced(const gridcast_counts &c)
{
    return !c.kernels_left && !c.blocks_left && !c.drifted;
}

static gridcast_params params_of(uint32_t policy)
{
    gridcast_params p = gridcast_params_default();
    size_t pool = 0;
    check_cuda(cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount));
    p.policy = policy;
    p.block_items = CHILD_THREADS;
    p.max_pending = gridcast_pending_of(pool);
    return p;
}

/* Most threads have few items, one in 64 has many. */
static std::vector<uint32_t> uneven_items(uint32_t threads)
{
    std::vector<uint32_t> items(threads);
    for (uint32_t t = 0; t < threads; t++)
        items[t] = t % 64 == 7 ? 256 + t * 37 % 2048 : t % 24;
    return items;
}

/* ---- checks ---- */

static bool check_parameters(const std::string &)
{
    gridcast_params own = params_of(GRIDCAST_OWN), many = params_of(GRIDCAST_ALWAYS);
    many.max_pending++;
    gridcast_state *a = nullptr, *b = nullptr;
    cudaError_t lacks = gridcast_spawn_make(&a, &own), is_more = gridcast_spawn_make(&b, &many);
    bool is_right = lacks == cudaErrorInvalidValue && is_more == cudaErrorInvalidValue && !a && !b;
    return report("parameters", is_right, "\"without_item_ns\": %d, \"beyond_the_pool\": %d", (int)lacks, (int)is_more);
}

static bool check_measure(const std::string &)
{
    gridcast_params p = params_of(GRIDCAST_LEARN), before = p;
    size_t pool = 0;
    check_cuda(cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount));
    p.max_pending = 0;
    check_cuda(gridcast_spawn_measure(&p));
    bool is_right = p.overhead_ns > 0 && p.call_ns > 0 && p.service_ns > 0 && p.end_ns >= 0;
    is_right = is_right && p.max_pending == gridcast_pending_of(pool);
    gridcast_params rest = p;
    rest.overhead_ns = before.overhead_ns;
    rest.call_ns = before.call_ns;
    rest.service_ns = before.service_ns;
    rest.end_ns = before.end_ns;
    is_right = is_right && !memcmp(&rest, &before, sizeof rest);
    return report(
        "measure", is_right,
        "\"overhead_ns\": %.1f, \"call_ns\": %.1f, \"service_ns\": %.2f, \"end_ns\": %.1f, \"max_pending\": %u",
        p.overhead_ns, p.call_ns, p.service_ns, p.end_ns, p.max_pending);
}

/* A pool without room for a burst: that is said, and no parameter changes. */
static bool check_small_pool(const std::string &)
{
    size_t pool = 128;
    check_cuda(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pool));
    check_cuda(cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount));
    gridcast_params p = params_of(GRIDCAST_LEARN), before = p;
    cudaError_t error = gridcast_spawn_measure(&p);
    bool is_small = gridcast_pending_of(pool) < 2;
    bool is_right = is_small ? error == cudaErrorNotReady && !memcmp(&p, &before, sizeof p) : error == cudaSuccess;
    return report("small pool", is_right, "\"pool\": %zu, \"error\": %d", pool, (int)error);
}

/* Every policy does every item once, OWN with what LEARN found. */
static bool check_once(const std::string &)
{
    static const uint32_t policies[] = {GRIDCAST_FLAT,  GRIDCAST_ALWAYS, GRIDCAST_THRESHOLD,
                                        GRIDCAST_SPAWN, GRIDCAST_LEARN,  GRIDCAST_OWN};
    gridcast_params p = params_of(GRIDCAST_FLAT);
    check_cuda(gridcast_spawn_measure(&p));
    program q(uneven_items(4096), p);
    bool is_right = true;
    uint32_t children[6];
    for (int i = 0; i < 6; i++) {
        p.policy = policies[i];
        check_cuda(gridcast_spawn_reset(q.spawn, &p));
        gridcast_counts counts = q.run();
        if (policies[i] == GRIDCAST_LEARN)
            check_cuda(gridcast_spawn_learn(q.spawn, &p));
        children[i] = counts.children;
        is_right = is_right && is_balanced(counts) && !counts.older_errors;
    }
    size_t wrong = q.wrong();
    is_right = is_right && !wrong && !children[0] && children[1] && children[2] && children[3] && children[4];
    return report("once", is_right,
                  "\"wrong\": %zu, \"children\": {\"flat\": %u, \"always\": %u, \"threshold\": %u, \"spawn\": %u, "
                  "\"learn\": %u, \"own\": %u}, \"item_ns\": %.2f, \"child_ns\": %.0f, \"end_ns\": %.0f",
                  wrong, children[0], children[1], children[2], children[3], children[4], children[5], p.item_ns,
                  p.child_ns, p.end_ns);
}

/* Each thread has the error of an earlier launch: it is cleared and counted, and its child launched once. */
static bool check_older_errors(const std::string &)
{
    gridcast_params p = params_of(GRIDCAST_ALWAYS);
    program q(std::vector<uint32_t>(512, 100), p);
    q.w.way = AFTER_AN_ERROR;
    gridcast_counts counts = q.run();
    unsigned provoked = q.provoked();
    size_t wrong = q.wrong();
    bool is_right = provoked && counts.older_errors == provoked && counts.older_error && counts.children == 512;
    return report("older errors", is_right && !wrong && is_balanced(counts),
                  "\"provoked\": %u, \"older_errors\": %llu, \"older_error\": %d, \"children\": %u, \"wrong\": %zu",
                  provoked, (unsigned long long)counts.older_errors, counts.older_error, counts.children, wrong);
}

/* Children with more blocks than the controller was told are noticed. */
static bool check_larger_children(const std::string &)
{
    gridcast_params p = params_of(GRIDCAST_ALWAYS);
    program q(std::vector<uint32_t>(512, 100), p);
    q.w.way = LARGER_CHILDREN;
    gridcast_counts one = q.run(), two = q.run();
    size_t wrong = q.wrong();
    bool is_right =
        one.children && one.blocks_left == -(int64_t)one.children && two.drifted && two.children < 2 * one.children;
    return report("larger children", is_right && !wrong,
                  "\"blocks_left\": %lld, \"drifted\": %llu, \"children\": [%u, %u], \"wrong\": %zu",
                  (long long)one.blocks_left, (unsigned long long)two.drifted, one.children, two.children, wrong);
}

struct notes {
    std::vector<gridcast_decision> decision;
    std::vector<gridcast_averages> window;
    gridcast_params p;
    uint64_t count; /* of all decisions, also those without a place in the log */

    explicit notes(const gridcast_state *state)
    {
        gridcast_state now;
        check_cuda(cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost));
        check_cuda(cudaMemcpy(&count, now.log.counts, sizeof count, cudaMemcpyDeviceToHost));
        decision.resize((size_t)std::min<uint64_t>(count, now.log.decisions));
        window.resize(now.log.windows);
        check_cuda(cudaMemcpy(decision.data(), now.log.decision, decision.size() * sizeof decision[0],
                              cudaMemcpyDeviceToHost));
        check_cuda(cudaMemcpy(window.data(), now.log.window, window.size() * sizeof window[0], cudaMemcpyDeviceToHost));
        p = now.params;
    }
    size_t with_choice(uint32_t choice) const
    {
        size_t found = 0;
        for (const gridcast_decision &d : decision)
            found += d.choice == choice;
        return found;
    }
    /* Decisions by the formula, and those that the averages noted for their window would not have made. */
    size_t recompute(size_t *by_formula) const
    {
        size_t wrong = 0;
        *by_formula = 0;
        for (const gridcast_decision &d : decision) {
            uint32_t number = d.flags >> GRIDCAST_WINDOW_SHIFT;
            if (number >= window.size()) {
                wrong++;
                continue;
            }
            gridcast_snapshot s = gridcast_snapshot_of(&window[number], &p);
            bool wants = gridcast_launches(&p, &s, d.items, d.blocks, d.n, 0, 0);
            *by_formula += !(s.flags & GRIDCAST_FLAGS);
            wrong += wants != (d.choice != GRIDCAST_CHOICE_LOOP) || s.flags != (d.flags & GRIDCAST_FLAGS);
        }
        return wrong;
    }
};

/* Writes the log, and returns how many decisions it leaves out. */
static uint64_t write_log(const gridcast_state *state, const std::string &folder, const char *name)
{
    uint64_t left_out = 0;
    if (folder.empty())
        return 0;
    FILE *out = fopen((folder + "/" + name).c_str(), "w");
    if (!out) {
        perror((folder + "/" + name).c_str());
        exit(3);
    }
    check_cuda(gridcast_spawn_log_write(state, out, &left_out));
    fclose(out);
    return left_out;
}

/* SPAWN's notes: one per decision, each as its averages say; a second log is empty. */
static bool check_log(const std::string &folder)
{
    std::vector<uint32_t> items = uneven_items(2048);
    gridcast_params p = params_of(GRIDCAST_SPAWN);
    size_t threads = 0, by_formula = 0;
    for (uint32_t n : items)
        threads += n >= p.min_items;
    program q(items, p);
    check_cuda(gridcast_spawn_log(q.spawn, 1 << 16, 1 << 16));
    gridcast_counts counts = {};
    for (uint32_t i = 0; i < ROUNDS; i++)
        counts = q.run();
    notes found(q.spawn);
    uint64_t left_out = write_log(q.spawn, folder, "decisions.csv");
    size_t wrong = q.wrong(), disagree = found.recompute(&by_formula);
    size_t launches = found.with_choice(GRIDCAST_CHOICE_LAUNCH), refused = found.with_choice(GRIDCAST_CHOICE_REFUSED);
    check_cuda(gridcast_spawn_log(q.spawn, 16, 16));
    uint64_t after = notes(q.spawn).count;
    bool is_right = found.count == ROUNDS * threads && launches == counts.children && refused == counts.refused;
    is_right = is_right && !disagree && !left_out && !wrong && by_formula && !after && is_balanced(counts);
    return report("log", is_right,
                  "\"decisions\": %llu, \"expected\": %zu, \"by_formula\": %zu, \"disagree\": %zu, \"launches\": %zu, "
                  "\"children\": %u, \"noted_refused\": %zu, \"refused\": %llu, \"windows\": %llu, \"left_out\": %llu, "
                  "\"after_a_second_log\": %llu, \"wrong\": %zu",
                  (unsigned long long)found.count, ROUNDS * threads, by_formula, disagree, launches, counts.children,
                  refused, (unsigned long long)counts.refused, (unsigned long long)counts.windows,
                  (unsigned long long)left_out, (unsigned long long)after, wrong);
}

/* CUDA refuses launches, as its pool is full: the loop does these items, and the log says so. */
static bool check_refused(const std::string &folder)
{
    size_t pool = 64, by_formula = 0;
    check_cuda(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pool));
    check_cuda(cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount));
    gridcast_params p = params_of(GRIDCAST_SPAWN);
    p.max_pending = GRIDCAST_ANY_PENDING;
    uint32_t threads = (uint32_t)pool + 64;
    program q(std::vector<uint32_t>(threads, 50), p);
    q.w.hold_ns = 1000000; /* no child ends, and leaves its place, while parents launch */
    check_cuda(gridcast_spawn_log(q.spawn, 2 * threads, 1 << 12));
    gridcast_counts counts = q.run();
    notes found(q.spawn);
    write_log(q.spawn, folder, "refused.csv");
    size_t wrong = q.wrong(), disagree = found.recompute(&by_formula);
    size_t launches = found.with_choice(GRIDCAST_CHOICE_LAUNCH), refused = found.with_choice(GRIDCAST_CHOICE_REFUSED);
    bool is_right = counts.refused && counts.refused == refused && launches == counts.children && !disagree && !wrong;
    return report("refused", is_right && is_balanced(counts),
                  "\"pool\": %zu, \"threads\": %u, \"children\": %u, \"refused\": %llu, \"noted_refused\": %zu, "
                  "\"disagree\": %zu, \"older_errors\": %llu, \"wrong\": %zu",
                  pool, threads, counts.children, (unsigned long long)counts.refused, refused, disagree,
                  (unsigned long long)counts.older_errors, wrong);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(const std::string &folder);
    } checks[] = {{"parameters", check_parameters},
                  {"measure", check_measure},
                  {"once", check_once},
                  {"log", check_log},
                  {"older-errors", check_older_errors},
                  {"larger-children", check_larger_children},
                  {"small-pool", check_small_pool},
                  {"refused", check_refused}};
    std::string folder;
    std::vector<std::string> names;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--log") && i + 1 < argc)
            folder = argv[++i];
        else
            names.push_back(argv[i]);
    }
    bool is_right = true;
    size_t run = 0;
    for (const auto &c : checks) {
        if (!names.empty() && std::find(names.begin(), names.end(), c.name) == names.end())
            continue;
        check_cuda(cudaDeviceReset()); /* limits and errors of the check before */
        is_right = c.run(folder) && is_right;
        run++;
    }
    if (!run || run < names.size()) {
        fprintf(stderr, "usage: check [--log FOLDER] [parameters|measure|once|log|older-errors|larger-children|"
                        "small-pool|refused]...\n");
        return 3;
    }
    return is_right ? 0 : 1;
}
