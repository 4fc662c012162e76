// Which queues of the driver each call puts work into, and when kernels start: a script on stdin, JSON on stdout.
//
// Every queue (connection, or channel of copies) has a put pointer in a page of the program's memory that the driver
// maps from /dev/nvidia0: 4 bytes at 0x8c of a block of 512. Which of these words are put pointers is found by calls
// that move them: first kernels of all streams, for connections, then copies. Lines of the script:
//   graph NAME NODE...     make a graph; a node is k:MICROSECONDS, h2d:BYTES, d2h:, d2d:, ms: or e (records an event),
//                          with <I,J,... behind it for the numbers of nodes that it is after
//   run NAME ... end       what is between is called, and printed at the end
//   K STREAM MICROSECONDS | C STREAM KIND BYTES | G STREAM NAME | P MICROSECONDS   a kernel, a copy, a launch, a pause
#include <cuda_runtime.h>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "queues_of_calls: %s: %s\n", #call, cudaGetErrorString(error));                                       \
            exit(5);                                                                                                   \
        }                                                                                                              \
    } while (0)

static const size_t BYTES = 64 << 20, RECORDS = 1 << 18;
static const uintptr_t BLOCK = 0x200, PUT = 0x8c;
static const uint32_t ENTRIES = 1024; // of a queue: put pointers start again there

struct record {
    unsigned long long start, end;
};

__device__ unsigned long long now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

__global__ void spin(record *r, unsigned long long ns)
{
    unsigned long long start = now();
    if (threadIdx.x)
        return;
    r->start = start;
    while (now() - start < ns)
        __nanosleep(32);
    r->end = now();
}

static int64_t host_ns()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void pause_for(int64_t ns)
{
    for (int64_t until = host_ns() + ns; host_ns() < until;)
        ;
}

static std::vector<cudaStream_t> streams;
static record *records;
static size_t record_count = 1; // the first one is for kernels that nobody asks for
static char *device[2], *host[2];

// Put pointers.
static std::vector<volatile uint32_t *> words, pointers;
static size_t connections; // of pointers
static sigjmp_buf not_readable;

static void on_fault(int)
{
    siglongjmp(not_readable, 1);
}

static void find_words()
{
    char line[1024], name[512], rights[8];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        name[0] = 0;
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %511s", &from, &to, rights, name) < 3 || strcmp(name, "/dev/nvidia0") ||
            strncmp(rights, "rw", 2) || sigsetjmp(not_readable, 1))
            continue;
        (void)*(volatile uint32_t *)from;
        for (uintptr_t p = from; p < to; p += BLOCK)
            words.push_back((volatile uint32_t *)(p + PUT));
    }
    if (maps)
        fclose(maps);
}

static std::vector<uint32_t> read_all(const std::vector<volatile uint32_t *> &from)
{
    std::vector<uint32_t> values;
    for (volatile uint32_t *w : from)
        values.push_back((uint32_t)*w);
    return values;
}

// Those words are put pointers that have moved since `before`.
static void add_moved(const std::vector<uint32_t> &before)
{
    for (size_t i = 0; i < words.size(); i++) {
        bool known = false;
        for (volatile uint32_t *w : pointers)
            known = known || w == words[i];
        if (!known && *words[i] != before[i] && *words[i] < ENTRIES)
            pointers.push_back(words[i]);
    }
}

static void find_puts()
{
    struct sigaction action = {};
    action.sa_handler = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    find_words();
    std::vector<uint32_t> before = read_all(words);
    for (int round = 0; round < 4; round++) {
        for (cudaStream_t s : streams)
            spin<<<1, 32, 0, s>>>(records, 300000);
        OK(cudaDeviceSynchronize());
    }
    add_moved(before);
    connections = pointers.size();
    before = read_all(words);
    for (cudaStream_t s : streams) {
        OK(cudaMemcpyAsync(device[0], host[0], 1 << 20, cudaMemcpyHostToDevice, s));
        OK(cudaMemcpyAsync(host[1], device[0], 1 << 20, cudaMemcpyDeviceToHost, s));
    }
    OK(cudaDeviceSynchronize());
    add_moved(before);
}

// Graphs.
struct graph {
    cudaGraphExec_t exec;
    size_t first, kernels; // of records
};
static std::map<std::string, graph> graphs;

static cudaMemcpyKind ends_of(const std::string &kind, void **to, void **from)
{
    *to = kind == "d2h" ? host[1] : device[1];
    *from = kind == "h2d" ? host[0] : device[0];
    return kind == "h2d" ? cudaMemcpyHostToDevice : kind == "d2h" ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

static cudaGraphNode_t add_node(cudaGraph_t g, const std::string &kind, long size, const std::vector<cudaGraphNode_t> &after)
{
    cudaGraphNode_t node;
    if (kind == "k") {
        record *r = &records[record_count++];
        unsigned long long ns = (unsigned long long)size * 1000;
        void *arguments[] = {&r, &ns};
        cudaKernelNodeParams k = {};
        k.func = (void *)spin;
        k.gridDim = dim3(1);
        k.blockDim = dim3(32);
        k.kernelParams = arguments;
        OK(cudaGraphAddKernelNode(&node, g, after.data(), after.size(), &k));
    } else if (kind == "ms") {
        cudaMemsetParams m = {};
        m.dst = device[1];
        m.elementSize = 1;
        m.width = (size_t)size;
        m.height = 1;
        OK(cudaGraphAddMemsetNode(&node, g, after.data(), after.size(), &m));
    } else if (kind == "e") {
        cudaEvent_t event;
        OK(cudaEventCreate(&event));
        OK(cudaGraphAddEventRecordNode(&node, g, after.data(), after.size(), event));
    } else {
        void *to, *from;
        cudaMemcpyKind direction = ends_of(kind, &to, &from);
        OK(cudaGraphAddMemcpyNode1D(&node, g, after.data(), after.size(), to, from, (size_t)size, direction));
    }
    return node;
}

static void make_graph(std::istringstream &in)
{
    std::string name, word, number;
    std::vector<cudaGraphNode_t> nodes;
    cudaGraph_t g;
    graph made = {NULL, record_count, 0};
    in >> name;
    OK(cudaGraphCreate(&g, 0));
    while (in >> word) {
        std::vector<cudaGraphNode_t> after;
        size_t less = word.find('<'), colon = word.find(':');
        if (less != std::string::npos)
            for (std::istringstream list(word.substr(less + 1)); std::getline(list, number, ',');)
                after.push_back(nodes.at((size_t)atoi(number.c_str())));
        std::string kind = word.substr(0, colon < less ? colon : less);
        nodes.push_back(add_node(g, kind, colon < less ? atol(word.c_str() + colon + 1) : 0, after));
        made.kernels += kind == "k";
    }
    OK(cudaGraphInstantiate(&made.exec, g, 0));
    OK(cudaGraphUpload(made.exec, streams[0]));
    OK(cudaStreamSynchronize(streams[0]));
    OK(cudaGraphDestroy(g));
    graphs[name] = made;
}

// Calls.
struct call {
    std::string text;
    int64_t from, to; // on the host's clock
    size_t first, kernels;
    std::vector<uint32_t> puts;
};

static call make_call(const std::string &line)
{
    std::istringstream in(line);
    std::string what, name;
    int stream;
    long size;
    call c = {line, 0, 0, record_count, 0, {}};
    in >> what >> stream;
    cudaStream_t s = streams.at((size_t)stream);
    if (what == "K") {
        in >> size;
        records[record_count] = {0, 0};
        c.kernels = 1;
        c.from = host_ns();
        spin<<<1, 32, 0, s>>>(&records[record_count++], (unsigned long long)size * 1000);
        OK(cudaGetLastError());
    } else if (what == "G") {
        in >> name;
        const graph &g = graphs.at(name);
        c.first = g.first;
        c.kernels = g.kernels;
        c.from = host_ns();
        OK(cudaGraphLaunch(g.exec, s));
    } else {
        void *to, *from;
        in >> name >> size;
        cudaMemcpyKind direction = ends_of(name, &to, &from);
        c.from = host_ns();
        OK(name == "ms" ? cudaMemsetAsync(device[1], 0, (size_t)size, s)
                        : cudaMemcpyAsync(to, from, (size_t)size, direction, s));
    }
    c.to = host_ns();
    pause_for(2000);
    c.puts = read_all(pointers);
    return c;
}

static void print_run(const std::string &name, const std::vector<call> &calls, std::vector<uint32_t> last, int64_t zero)
{
    printf("{\"run\": \"%s\", \"calls\": [", name.c_str());
    for (const call &c : calls) {
        const char *comma = "";
        printf("%s{\"call\": \"%s\", \"t\": [%ld, %ld], \"puts\": [", &c == calls.data() ? "" : ", ", c.text.c_str(),
               (long)(c.from - zero), (long)(c.to - zero));
        for (size_t i = 0; i < pointers.size(); i++) {
            if (c.puts[i] == last[i])
                continue;
            printf("%s[%zu, %u]", comma, i, (c.puts[i] - last[i]) % ENTRIES);
            comma = ", ";
        }
        printf("], \"kernels\": [");
        for (size_t i = c.first; i < c.first + c.kernels; i++)
            printf("%s[%llu, %llu]", i > c.first ? ", " : "", records[i].start, records[i].end);
        printf("]}");
        last = c.puts;
    }
    printf("]}\n");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    for (int i = 0; i < 2; i++) {
        OK(cudaMalloc(&device[i], BYTES));
        OK(cudaMallocHost(&host[i], BYTES));
    }
    OK(cudaHostAlloc(&records, RECORDS * sizeof *records, cudaHostAllocMapped));
    streams.resize((size_t)n);
    for (cudaStream_t &s : streams)
        OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    find_puts();
    printf("{\"connections\": %zu, \"queues\": %zu}\n", connections, pointers.size());
    std::string line, what, name;
    std::vector<call> calls;
    std::vector<uint32_t> first;
    int64_t zero = 0;
    size_t made = record_count;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        if (!(in >> what))
            continue;
        if (what == "graph") {
            make_graph(in);
            made = record_count;
        } else if (what == "run") {
            in >> name;
            calls.clear();
            record_count = made;
            pause_for(500000);
            first = read_all(pointers);
            zero = host_ns();
        } else if (what == "P") {
            long us;
            in >> us;
            pause_for(us * 1000);
        } else if (what == "end") {
            OK(cudaDeviceSynchronize());
            print_run(name, calls, first, zero);
        } else {
            calls.push_back(make_call(line));
        }
    }
    return 0;
}
