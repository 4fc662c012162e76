// The device and its clocks, trials and their output.
#include "lab.h"
#include <cstdlib>
#include <cstring>
#include <ctime>

void must(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw Failure(std::string(cudaGetErrorName(status)) + ": " + what);
}

uint64_t host_ns()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

Stream::Stream(int priority)
{
    MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, priority));
}

Stream::~Stream()
{
    cudaStreamDestroy(s);
}

Event::Event()
{
    MUST(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
}

Event::~Event()
{
    cudaEventDestroy(e);
}

Lab::Lab(FILE *to, double seconds) : out(to), end(host_ns() + (uint64_t)(seconds * 1e9))
{
    MUST(cudaSetDevice(0));
    MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    MUST(cudaMalloc(&records, CAPACITY * sizeof(Record)));
    MUST(cudaMalloc(&visits, CAPACITY * sizeof(uint32_t)));
    MUST(cudaMalloc(&counters, 16 * sizeof(uint32_t)));
    MUST(cudaMalloc(&device, BUFFER));
    MUST(cudaMalloc(&device2, BUFFER));
    MUST(cudaMalloc(&gate, sizeof(Record)));
    MUST(cudaHostAlloc(&host, BUFFER, cudaHostAllocDefault));
    memset(host, 1, BUFFER);
    char *mapped;
    MUST(cudaHostAlloc(&mapped, 4096, cudaHostAllocMapped));
    memset(mapped, 0, 4096);
    flag = (volatile uint32_t *)mapped;
    ask = (volatile uint32_t *)(mapped + 512);
    answer = (volatile uint64_t *)(mapped + 1024);
    for (int f = 0; f < FUNCTIONS; f++) {
        const void *function = function_of((Function)f);
        MUST(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
        if (f == F_DRIVER)
            continue;
        MUST(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, f == F_CACHE ? 0 : 100));
    }
    for (const void *function : {gate_function(), ping_function()}) // so that they leave SMs as the others want them
        MUST(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    MUST(cudaFuncSetAttribute(function_of(F3), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    clock_stream = new Stream(0);
    for (uint64_t from = host_ns(); host_ns() - from < 150000000;) // the GPU's clock rises under load
        sync_clock();
}

bool Lab::late() const
{
    return host_ns() > end;
}

void Lab::sync_clock()
{
    for (int tries = 1; !ask_clock(); tries++) {
        MUST(cudaStreamSynchronize(*clock_stream)); // it gives up after GATE_LIMIT
        if (tries == 3)
            throw Failure("the GPU's clock does not answer");
    }
}

bool Lab::ask_clock()
{
    uint32_t n = 12;
    *ask = 0;
    *answer = 0;
    __sync_synchronize();
    const volatile uint32_t *asked = ask;
    volatile uint64_t *answered = answer;
    void *arguments[] = {&asked, &answered, &n};
    MUST(cudaLaunchKernel(ping_function(), dim3(1), dim3(1), arguments, 0, *clock_stream));
    trip = ~0ull;
    uint64_t last = 0;
    for (uint32_t i = 1; i <= n; i++) {
        uint64_t from = host_ns(), to, seen;
        *ask = i;
        while ((seen = *answer) == last && host_ns() - from < 200000000) {
        }
        to = host_ns();
        if (seen == last)
            return false;
        last = seen;
        if (to - from < trip) {
            trip = to - from;
            offset = (int64_t)seen - (int64_t)(from + (to - from) / 2);
        }
    }
    MUST(cudaStreamSynchronize(*clock_stream));
    return true;
}

void Lab::close_gate(cudaStream_t stream)
{
    uint32_t value = ++gate_value;
    const volatile uint32_t *at = flag;
    void *arguments[] = {&at, &value, &gate};
    MUST(cudaLaunchKernel(gate_function(), dim3(1), dim3(32), arguments, 0, stream));
}

void Lab::open_gate()
{
    __sync_synchronize();
    *flag = gate_value;
    __sync_synchronize();
}

Record Lab::gate_record()
{
    Record r;
    MUST(cudaMemcpy(&r, gate, sizeof r, cudaMemcpyDeviceToHost));
    return r;
}

std::vector<cudaLaunchAttribute> Kernel::attributes() const
{
    std::vector<cudaLaunchAttribute> list;
    auto next = [&](cudaLaunchAttributeID id) -> cudaLaunchAttributeValue & {
        list.emplace_back();
        memset(&list.back(), 0, sizeof list.back());
        list.back().id = id;
        return list.back().val;
    };
    if (cluster) {
        auto &v = next(cudaLaunchAttributeClusterDimension);
        v.clusterDim.x = cluster, v.clusterDim.y = 1, v.clusterDim.z = 1;
    }
    if (policy)
        next(cudaLaunchAttributeClusterSchedulingPolicyPreference).clusterSchedulingPolicyPreference =
            (cudaClusterSchedulingPolicy)policy;
    if (cooperative)
        next(cudaLaunchAttributeCooperative).cooperative = 1;
    if (programmatic)
        next(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
    if (priority != NO_PRIORITY)
        next(cudaLaunchAttributePriority).priority = priority;
    if (event_kind == 1 || event_kind == 2) {
        auto &v = next(cudaLaunchAttributeProgrammaticEvent);
        v.programmaticEvent.event = event;
        v.programmaticEvent.triggerAtBlockStart = event_kind == 2;
    }
    if (event_kind == 3)
        next(cudaLaunchAttributeLaunchCompletionEvent).launchCompletionEvent.event = event;
    return list;
}

Trial::Trial(Lab &l, const char *name) : lab(l), experiment(name)
{
    const char *connections = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    p("connections", connections ? atoi(connections) : 8);
}

Trial &Trial::p(const char *key, long long value)
{
    return parameters += std::string(parameters.empty() ? "" : ",") + "\"" + key + "\":" + std::to_string(value), *this;
}

Trial &Trial::p(const char *key, const std::string &value)
{
    return parameters += std::string(parameters.empty() ? "" : ",") + "\"" + key + "\":\"" + value + "\"", *this;
}

Kernel &Trial::add(const std::string &name, int blocks, int threads, double us, int visits)
{
    if (used + (size_t)blocks * visits > Lab::CAPACITY)
        throw Failure("too many blocks to record");
    kernels.emplace_back();
    Kernel &k = kernels.back();
    k.name = name, k.blocks = blocks, k.threads = threads, k.visits = visits;
    k.index = (int)kernels.size() - 1;
    k.base = (uint32_t)used;
    used += (size_t)blocks * visits;
    Body &b = k.body();
    b.record = lab.records + k.base;
    b.visit = lab.visits + k.base;
    b.visits = visits;
    b.duration = (uint32_t)(us * 1000);
    b.trigger = b.odd_trigger = b.odd = NEVER;
    b.odd_duration = b.duration;
    return k;
}

void Trial::repeat(int reps, const std::function<void()> &once, bool keep_first)
{
    reps *= used <= 300 ? 3 : used <= 600 ? 2 : 1; // small ones cost little
    for (int rep = -1; rep < reps; rep++) {
        if (rep > 0 && lab.late())
            break;
        begin();
        once();
        finish(rep, rep >= 0 || keep_first);
    }
}

void Trial::begin()
{
    calls.clear();
    gated = false;
    MUST(cudaMemset(lab.records, 0, used * sizeof(Record)));
    MUST(cudaMemset(lab.visits, 0, used * sizeof(uint32_t)));
    MUST(cudaMemset(lab.counters, 0, 16 * sizeof(uint32_t)));
    MUST(cudaDeviceSynchronize());
    lab.sync_clock();
    began = host_ns();
}

void Trial::finish(int rep, bool shown)
{
    lab.open_gate(); // in case it was left closed
    MUST(cudaDeviceSynchronize());
    got.resize(used);
    if (used)
        MUST(cudaMemcpy(got.data(), lab.records, used * sizeof(Record), cudaMemcpyDeviceToHost));
    Record gate = gated ? lab.gate_record() : Record();
    if (shown)
        print(rep, gated ? &gate : nullptr);
}

cudaError_t Trial::call(const std::string &what, const std::function<cudaError_t()> &f)
{
    uint64_t from = host_ns();
    cudaError_t status = f();
    calls.push_back({what, from, host_ns(), status});
    if (status != cudaSuccess)
        cudaGetLastError();
    return status;
}

void Trial::did(const std::string &what, const std::function<cudaError_t()> &f)
{
    must(call(what, f), what.c_str());
}

cudaError_t Trial::try_launch(Kernel &k, cudaStream_t stream)
{
    std::vector<cudaLaunchAttribute> attributes = k.attributes();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(k.blocks);
    config.blockDim = dim3(k.threads);
    config.dynamicSmemBytes = k.shared;
    config.stream = stream;
    config.attrs = attributes.data();
    config.numAttrs = (unsigned)attributes.size();
    void *arguments[] = {&k.all};
    return call(k.name, [&] { return cudaLaunchKernelExC(&config, function_of(k.function), arguments); });
}

void Trial::launch(Kernel &k, cudaStream_t stream)
{
    must(try_launch(k, stream), k.name.c_str());
}

void Trial::gate(cudaStream_t stream)
{
    gated = true;
    lab.close_gate(stream);
}

void Trial::open()
{
    calls.push_back({"open", host_ns(), host_ns(), cudaSuccess});
    lab.open_gate();
}

void Trial::pace(double us)
{
    while (host_ns() < began + (uint64_t)(us * 1000)) {
    }
}

void Trial::print_error(const std::string &what)
{
    std::string text;
    for (char c : what)
        text += c == '"' || c == '\\' || (unsigned char)c < ' ' ? '\'' : c;
    fprintf(lab.out, "{\"x\":\"%s\",\"p\":{%s},\"error\":\"%s\"}\n", experiment.c_str(), parameters.c_str(),
            text.c_str());
    fflush(lab.out);
}

// Numbers of the blocks of one visit, of which a block that did not run has -1.
static void print_list(FILE *out, const char *key, const Record *r, int n,
                       const std::function<long long(const Record &)> &f)
{
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < n; i++)
        fprintf(out, i ? ",%lld" : "%lld", r[i].end ? f(r[i]) : -1ll);
    fputs("]", out);
}

void Trial::print_kernel(const Kernel &k, int visit, uint64_t zero, bool &first)
{
    const Record *r = got.data() + k.base + (size_t)visit * k.blocks;
    FILE *out = lab.out;
    fprintf(out, "%s{\"n\":\"%s\",\"i\":%d,\"f\":%d,\"st\":%d,\"t\":%d,\"sh\":%zu", first ? "" : ",", k.name.c_str(),
            k.index, k.function, k.stream, k.threads, k.shared);
    first = false;
    if (k.node >= 0)
        fprintf(out, ",\"node\":%d", k.node);
    if (k.visits > 1)
        fprintf(out, ",\"v\":%d", visit);
    if (!k.after.empty()) {
        fputs(",\"after\":[", out);
        for (size_t i = 0; i < k.after.size(); i++)
            fprintf(out, i ? ",%d" : "%d", k.after[i]);
        fputs("]", out);
    }
    bool waits = false, triggers = false, meets = false;
    for (int i = 0; i < k.blocks; i++)
        waits |= r[i].wait != 0, triggers |= r[i].trigger != 0, meets |= r[i].met != 0;
    auto since = [](uint64_t t, uint64_t from) { return t ? (long long)(t - from) : -1ll; };
    print_list(out, "sm", r, k.blocks, [](const Record &x) { return (long long)x.sm; });
    print_list(out, "s", r, k.blocks, [&](const Record &x) { return (long long)(x.start - zero); });
    print_list(out, "d", r, k.blocks, [](const Record &x) { return (long long)(x.end - x.start); });
    if (waits)
        print_list(out, "w", r, k.blocks, [&](const Record &x) { return since(x.wait, x.start); });
    if (triggers)
        print_list(out, "tr", r, k.blocks, [&](const Record &x) { return since(x.trigger, x.start); });
    if (meets) // -2: gave up
        print_list(out, "met", r, k.blocks,
                   [&](const Record &x) { return x.met == GAVE_UP ? -2ll : since(x.met, x.start); });
    if (k.cluster) {
        fprintf(out, ",\"cs\":%d", k.cluster);
        print_list(out, "c", r, k.blocks, [](const Record &x) { return (long long)x.cluster; });
    }
    fputs("}", out);
}

// Times are ns after t0, the first start of a block; those of calls are the host's, brought to the GPU's clock.
void Trial::print(int rep, const Record *gate)
{
    uint64_t zero = ~0ull;
    for (const Record &r : got)
        if (r.end && r.start < zero)
            zero = r.start;
    if (zero == ~0ull)
        zero = (uint64_t)((int64_t)began + lab.offset);
    auto gpu = [&](uint64_t host) { return (long long)((int64_t)host + lab.offset - (int64_t)zero); };
    fprintf(lab.out, "{\"x\":\"%s\",\"p\":{%s},\"rep\":%d,\"t0\":%llu,\"trip\":%llu", experiment.c_str(),
            parameters.c_str(), rep, (unsigned long long)zero, (unsigned long long)lab.trip);
    if (gate)
        fprintf(lab.out, ",\"gate\":[%lld,%d]", (long long)(gate->end - zero), gate->met == GAVE_UP);
    fputs(",\"calls\":[", lab.out);
    for (size_t i = 0; i < calls.size(); i++)
        fprintf(lab.out, "%s[\"%s\",%lld,%lld,\"%s\"]", i ? "," : "", calls[i].what.c_str(), gpu(calls[i].from),
                gpu(calls[i].to), calls[i].error == cudaSuccess ? "" : cudaGetErrorName(calls[i].error));
    fputs("],\"k\":[", lab.out);
    bool first = true;
    for (const Kernel &k : kernels)
        for (int visit = 0; visit < k.visits; visit++)
            print_kernel(k, visit, zero, first);
    fputs("]}\n", lab.out);
}

void attempt(Trial &t, const std::function<void()> &f)
{
    if (t.lab.late()) {
        t.print_error("skipped: out of time");
        return;
    }
    try {
        f();
    } catch (const Failure &failure) {
        fprintf(stderr, "%s\n", failure.what());
        t.print_error(failure.what());
        t.lab.open_gate();
        cudaGetLastError();
        MUST(cudaDeviceSynchronize()); // a lost device ends the process
    }
}
