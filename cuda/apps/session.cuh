/* Arguments, repetitions and output of an application. Part of harness.cuh. */
#ifndef CUDA_APPS_SESSION_CUH
#define CUDA_APPS_SESSION_CUH

#define APP_USAGE                                                                                                      \
    "usage: %s [--benchmark NAME] [--input TEXT] [--policy flat|always|threshold:N|thresholds|spawn|own]...\n"         \
    "  [--repeat K] [--budget-ms MS] [--pool N] [--rounds] [--costs] [--overhead NS] [--window NS]\n"                  \
    "  [--idle last|launch|one] [--average cumulative|exponential] [--max-pending N]\n"                                \
    "  [--child-ns NS] [--item-ns NS] [--service-ns X]   (OWN; measured in advance unless given)\n"                   \
    "  [--margin-ns NS]   (OWN; %d unless given)\n"

[[noreturn]] static void fail(const char *format, const char *text)
{
    fprintf(stderr, format, text);
    fputc('\n', stderr);
    exit(3);
}

/* Threads of all rounds and nested levels with at least this many items. */
static uint64_t threads_from(const app_rounds &rounds, uint32_t items)
{
    uint64_t count = 0;
    for (size_t r = 0; r < rounds.count; r++) {
        const app_round &round = rounds.round[r];
        for (uint32_t t = 0; t < round.threads; t++)
            count += round.items[t] >= items;
        for (int level = 0; level < round.nested_count; level++)
            for (uint64_t t = 0; t < round.nested[level].launchers; t++)
                count += round.nested[level].items[t] >= items;
    }
    return count;
}

/* Thresholds 8, 16, ... 4096 which differ in the children that they launch, from one another and from `always`. */
static void add_thresholds(app_session &s)
{
    uint64_t before = threads_from(s.rounds, s.params.min_items);
    for (uint32_t threshold = 8; threshold <= 4096; threshold *= 2) {
        uint64_t launchers = threads_from(s.rounds, std::max(threshold, s.params.min_items));
        if (launchers && launchers < before)
            s.policies.push_back({"threshold:" + std::to_string(threshold), GRIDCAST_THRESHOLD, threshold});
        before = launchers;
    }
}

static void add_policy(app_session &s, const std::string &name)
{
    if (name == "flat")
        s.policies.push_back({name, GRIDCAST_FLAT, 0});
    else if (name == "always")
        s.policies.push_back({name, GRIDCAST_ALWAYS, 0});
    else if (name == "spawn")
        s.policies.push_back({name, GRIDCAST_SPAWN, 0});
    else if (name == "own")
        s.policies.push_back({name, GRIDCAST_OWN, 0});
    else if (name == "thresholds")
        add_thresholds(s);
    else if (name.rfind("threshold:", 0) == 0 && atoi(name.c_str() + 10) > 0)
        s.policies.push_back({name, GRIDCAST_THRESHOLD, (uint32_t)atoi(name.c_str() + 10)});
    else
        fail("no such policy: %s", name.c_str());
}

static void print_times(const char *name, const std::vector<double> &us)
{
    printf("\"%s\": {\"min\": %.2f, \"median\": %.2f, \"max\": %.2f}, ", name, quantile(us, 0), quantile(us, .5),
           quantile(us, 1));
}

/* Repeats the application under one policy and prints a line. False: a result was wrong. */
static bool measure_policy(app_session &s, const app_policy &policy)
{
    gridcast_params p = s.params;
    p.policy = policy.policy;
    p.threshold = policy.threshold;
    int mode = policy.policy == GRIDCAST_FLAT    ? MODE_FLAT
               : policy.policy == GRIDCAST_SPAWN ? MODE_COUNTED
                                                 : MODE_LAUNCH;
    std::vector<double> host_us, event_us, round_us;
    gridcast_counts counts = {};
    double least = 0, total_ms = 0;
    bool is_right = true;
    int turns = 0;
    for (int turn = -1; turn < s.repeat && (turn < 3 || total_ms < s.budget_ms); turn++) { /* -1: to warm up */
        check_cuda(gridcast_spawn_reset(s.spawn, &p, s.clock.stream));
        s.application->reset(s.clock.stream);
        check_cuda(cudaStreamSynchronize(s.clock.stream));
        s.clock.begin();
        check_cuda(cudaEventRecord(s.first, s.clock.stream));
        s.application->run(mode, {s.spawn, nullptr}, s.clock);
        check_cuda(cudaEventRecord(s.last, s.clock.stream));
        check_cuda(cudaEventSynchronize(s.last));
        check_cuda(cudaGetLastError());
        float event_ms = 0;
        check_cuda(cudaEventElapsedTime(&event_ms, s.first, s.last));
        s.application->result(s.found.data());
        is_right = is_right && s.found == s.expected && s.clock.round_us.size() == s.rounds.count;
        double us = s.clock.round_us.back();
        total_ms += us / 1000;
        if (turn < 0)
            continue;
        turns++;
        host_us.push_back(us);
        event_us.push_back(event_ms * 1000);
        if (turn == 0 || us < least) {
            least = us;
            round_us = s.clock.round_us;
            check_cuda(gridcast_spawn_read(s.spawn, &counts));
        }
    }
    printf("{\"benchmark\": \"%s\", \"input\": \"%s\", \"policy\": \"%s\", \"threshold\": %u, \"repeat\": %d, ",
           s.benchmark.c_str(), s.input.c_str(),
           policy.policy == GRIDCAST_THRESHOLD ? "threshold" : policy.name.c_str(), policy.threshold, turns);
    print_times("time_us", host_us);
    print_times("event_us", event_us);
    printf("\"rounds\": %zu, \"threads\": %llu, \"launchers\": %llu, \"items\": %llu, \"max_items\": %u, ",
           s.rounds.count, (unsigned long long)s.totals.threads, (unsigned long long)s.totals.children,
           (unsigned long long)s.totals.items, s.totals.largest);
    printf("\"children\": %u, \"child_blocks\": %u, \"refused\": %llu, \"pool\": %zu, ", counts.children,
           counts.child_blocks, (unsigned long long)counts.refused, s.pool);
    if (mode == MODE_COUNTED)
        printf("\"overhead_ns\": %.1f, \"t_cta_ns\": %.1f, \"n_con\": %.2f, \"t_warp_ns\": %.1f, \"windows\": %llu, ",
               p.overhead_ns, counts.averages.t_cta_ns, counts.averages.n_con, counts.averages.t_warp_ns,
               (unsigned long long)counts.windows);
    if (policy.policy == GRIDCAST_OWN)
        printf(
            "\"overhead_ns\": %.1f, \"call_ns\": %.1f, \"service_ns\": %.1f, \"child_ns\": %.1f, \"item_ns\": %.2f, ",
            p.overhead_ns, p.call_ns, p.service_ns, p.child_ns, p.item_ns);
    if (s.wants_rounds) {
        printf("\"round_us\": [");
        for (size_t r = 0; r < round_us.size(); r++)
            printf("%s%.2f", r ? ", " : "", round_us[r] - (r ? round_us[r - 1] : 0));
        printf("], ");
    }
    printf("\"right\": %s}\n", is_right ? "true" : "false");
    fflush(stdout);
    return is_right;
}

/* Number, at least 0, after an option. */
static double number_of(const char *option, const char *text)
{
    char *end = nullptr;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0))
        fail("%s needs a number that is not negative", option);
    return value;
}

static std::vector<std::string> parse_arguments(app_session &s, int argc, char **argv, const char **text)
{
    std::vector<std::string> policies;
    for (int i = 1; i < argc; i++) {
        std::string option = argv[i];
        if (option == "--rounds") {
            s.wants_rounds = true;
            continue;
        }
        if (option == "--costs") {
            s.wants_costs = true;
            continue;
        }
        if (i + 1 == argc) {
            fprintf(stderr, APP_USAGE, argv[0], GRIDCAST_MARGIN_NS);
            exit(3);
        }
        const char *value = argv[++i];
        std::string word = value;
        if (option == "--benchmark")
            s.benchmark = word;
        else if (option == "--input")
            *text = value;
        else if (option == "--policy")
            policies.push_back(word);
        else if (option == "--idle" && (word == "last" || word == "launch" || word == "one"))
            s.params.idle = word == "last"  ? GRIDCAST_IDLE_LAST
                            : word == "one" ? GRIDCAST_IDLE_ONE
                                            : GRIDCAST_IDLE_LAUNCH;
        else if (option == "--average" && (word == "cumulative" || word == "exponential"))
            s.params.average = word == "cumulative" ? GRIDCAST_CUMULATIVE : GRIDCAST_EXPONENTIAL;
        else if (option == "--repeat")
            s.repeat = std::max(1, (int)number_of("--repeat", value));
        else if (option == "--budget-ms")
            s.budget_ms = number_of("--budget-ms", value);
        else if (option == "--pool")
            s.pool = (size_t)number_of("--pool", value);
        else if (option == "--margin-ns")
            s.params.margin_ns = (float)number_of("--margin-ns", value);
        else if (option == "--overhead")
            s.params.overhead_ns = (float)number_of("--overhead", value);
        else if (option == "--window")
            s.params.window_ns = (uint32_t)number_of("--window", value);
        else if (option == "--max-pending")
            s.params.max_pending = (uint32_t)number_of("--max-pending", value);
        else if (option == "--child-ns")
            s.own[0] = (float)number_of("--child-ns", value);
        else if (option == "--item-ns")
            s.own[1] = (float)number_of("--item-ns", value);
        else if (option == "--service-ns")
            s.own[2] = (float)number_of("--service-ns", value);
        else
            fail("no such option, or a wrong value: %s", option.c_str());
    }
    return policies;
}

/* Input, its result on the CPU, and what rounds hold. */
static void prepare_data(app_session &s, const char *kind, const char *text)
{
    app_input in;
    char why[256], name[128];
    if (!app_input_parse(s.benchmark.empty() ? kind : s.benchmark.c_str(), text, &in, why, sizeof why))
        fail("%s", why);
    if (strcmp(app_kind_name(in.kind), kind) != 0)
        fail("that benchmark is not one of this program, which is %s", kind);
    app_input_print(&in, name, sizeof name);
    s.input = name;
    if (s.benchmark.empty())
        s.benchmark = kind;
    app_shape shape = app_shape_of(in.kind);
    s.params.min_items = shape.min_items;
    s.params.block_items = shape.child_threads;
    if (!app_dataset_make(&s.data, &in))
        fail("%s: no memory", name);
    s.expected.resize(app_dataset_result_words(&s.data));
    s.found.resize(s.expected.size());
    if (!app_dataset_run(&s.data, s.expected.data(), &s.rounds))
        fail("%s: no memory", name);
    s.totals = app_rounds_total(&s.rounds, shape.min_items);
}

/* Measures what SPAWN and OWN are given and --costs prints. */
static void prepare_params(app_session &s, bool is_own)
{
    gridcast_launch_costs launch;
    check_cuda(gridcast_spawn_measure_launches(&launch));
    if (s.params.overhead_ns < 0)
        s.params.overhead_ns = (float)std::max(0.0, launch.latency_ns);
    s.params.call_ns = (float)launch.warp_call_ns;
    parent_costs parent = {};
    child_costs child = {};
    if (is_own || s.wants_costs) {
        for (int turn = 0; turn < 2; turn++) { /* the first warms up */
            parent = measure_parent(s);
            child = measure_children(s);
        }
    }
    s.params.end_ns = (float)launch.end_ns;
    s.params.child_ns = s.own[0] > 0 ? s.own[0] : (float)child.median_ns + s.params.end_ns + s.params.margin_ns;
    s.params.item_ns = s.own[1] > 0 ? s.own[1] : (float)parent.item_ns;
    s.params.service_ns = s.own[2] > 0 ? s.own[2] : (float)launch.service_ns;
    if (s.wants_costs)
        print_costs(s, launch, parent, child);
}

/* `kind` is the application as app_kind_name writes it. The exit status: 0, 1 where a result is wrong, 2 a CUDA error,
 * 3 wrong arguments. */
static int app_main(int argc, char **argv, const char *kind, app &application)
{
    app_session s;
    const char *text = nullptr;
    s.application = &application;
    s.params = gridcast_params_default();
    s.params.overhead_ns = -1;
    s.params.max_pending = GRIDCAST_ANY_PENDING;
    std::vector<std::string> policies = parse_arguments(s, argc, argv, &text);
    prepare_data(s, kind, text);
    if (policies.empty() && !s.wants_costs)
        policies = {"flat", "always", "thresholds", "spawn", "own"};
    for (const std::string &name : policies)
        add_policy(s, name);
    if (s.pool)
        check_cuda(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, s.pool));
    check_cuda(cudaDeviceGetLimit(&s.pool, cudaLimitDevRuntimePendingLaunchCount));
    if (s.params.max_pending == GRIDCAST_ANY_PENDING)
        s.params.max_pending = gridcast_pending_of(s.pool);
    check_cuda(cudaStreamCreateWithFlags(&s.clock.stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreate(&s.first));
    check_cuda(cudaEventCreate(&s.last));
    s.params.policy = GRIDCAST_ALWAYS; /* until the figures of OWN are known */
    check_cuda(gridcast_spawn_make(&s.spawn, &s.params));
    application.upload(s.data);
    bool is_own = false, is_counted = false;
    for (const app_policy &policy : s.policies) {
        is_own = is_own || policy.policy == GRIDCAST_OWN;
        is_counted = is_counted || policy.policy >= GRIDCAST_SPAWN;
    }
    if (is_counted || s.wants_costs)
        prepare_params(s, is_own);
    bool is_right = true;
    for (const app_policy &policy : s.policies)
        is_right = measure_policy(s, policy) && is_right;
    return is_right ? 0 : 1;
}

#endif
