// Copies and memsets as nodes, and edges that start the next node before the end of the last.
#include "lab.h"

namespace
{
enum Operation { NOTHING, H2D, D2H, D2D, SET };
const char *const operation_names[] = {"none", "h2d", "d2h", "d2d", "memset"};

// half: two operations of a trial do not touch the same bytes.
struct Transfer {
    Operation operation;
    size_t bytes;
    int half;
    char *to(Lab &lab) const
    {
        return (operation == D2H ? lab.host : lab.device) + half * (Lab::BUFFER / 2);
    }
    const char *from(Lab &lab) const
    {
        return (operation == H2D   ? lab.host + Lab::BUFFER / 4
                : operation == D2D ? lab.device2
                                   : lab.device + Lab::BUFFER / 4) +
               half * (Lab::BUFFER / 2);
    }
    cudaMemcpyKind kind() const
    {
        return operation == H2D   ? cudaMemcpyHostToDevice
               : operation == D2H ? cudaMemcpyDeviceToHost
                                  : cudaMemcpyDeviceToDevice;
    }
};

void call_transfer(Trial &t, const Transfer &x, cudaStream_t stream)
{
    Lab &lab = t.lab;
    if (x.operation == SET)
        t.did("memset", [&] { return cudaMemsetAsync(x.to(lab), 3, x.bytes, stream); });
    else if (x.operation != NOTHING)
        t.did(operation_names[x.operation],
              [&] { return cudaMemcpyAsync(x.to(lab), x.from(lab), x.bytes, x.kind(), stream); });
}

int add_transfer(Graph &g, Lab &lab, const Transfer &x, const std::vector<int> &after)
{
    if (x.operation == SET)
        return g.set(x.to(lab), x.bytes, after);
    return g.copy(x.to(lab), x.from(lab), x.bytes, x.kind(), after);
}

// Kernel, operation, kernel, operation, ...: five kernels.
void node_copies(Lab &lab)
{
    for (const char *mode : {"graph", "stream"})
        for (Operation operation : {NOTHING, H2D, D2H, D2D, SET})
            for (size_t bytes : {4 * KIB, 64 * KIB, 1 * MIB, 4 * MIB, 16 * MIB}) {
                if (operation == NOTHING && bytes > 4 * KIB)
                    continue;
                Trial t(lab, "node-copies");
                t.p("mode", mode).p("operation", operation_names[operation]).p("bytes", (long long)bytes);
                attempt(t, [&] {
                    Stream stream;
                    Graph g(t);
                    Transfer x = {operation, bytes, 0};
                    for (int i = 0, last = -1; i < 5; i++) {
                        Kernel &k = t.add("K", 1, 256, 30);
                        last = g.kernel(k, i ? std::vector<int>{last} : std::vector<int>{});
                        if (operation != NOTHING && i < 4)
                            last = add_transfer(g, lab, x, {last});
                        if (i)
                            k.after = {i - 1};
                    }
                    bool graph = std::string(mode) == "graph";
                    g.make();
                    t.repeat(5, [&] {
                        t.gate(stream);
                        for (int i = 0; i < 5 && !graph; i++) {
                            t.launch(t[i], stream);
                            if (i < 4)
                                call_transfer(t, x, stream);
                        }
                        if (graph)
                            g.launch(stream);
                        t.open();
                    });
                });
            }
}

// root, two operations (or one) beside each other, join.
void node_pairs(Lab &lab)
{
    const std::vector<std::pair<Operation, Operation>> pairs = {
        {H2D, NOTHING}, {D2H, NOTHING}, {D2D, NOTHING}, {SET, NOTHING}, {H2D, H2D}, {D2H, D2H}, {D2D, D2D},
        {SET, SET},     {H2D, D2H},     {H2D, D2D},     {H2D, SET},     {D2H, D2D}, {D2H, SET}, {D2D, SET}};
    for (const char *mode : {"graph", "stream"})
        for (auto pair : pairs)
            for (size_t bytes : {1 * MIB, 16 * MIB}) {
                Trial t(lab, "node-pairs");
                t.p("mode", mode).p("first", operation_names[pair.first]).p("second", operation_names[pair.second]);
                t.p("bytes", (long long)bytes);
                attempt(t, [&] {
                    Stream a, b;
                    Event forked, done;
                    Graph g(t);
                    Transfer x = {pair.first, bytes, 0}, y = {pair.second, bytes, 1};
                    Kernel &root = t.add("root", 1, 256, 50), &join = t.add("join", 1, 256, 20);
                    std::vector<int> ends;
                    g.kernel(root);
                    ends.push_back(add_transfer(g, lab, x, {0}));
                    if (y.operation != NOTHING)
                        ends.push_back(add_transfer(g, lab, y, {0}));
                    g.kernel(join, ends);
                    join.after = {0};
                    g.make();
                    t.repeat(5, [&] {
                        t.gate(a);
                        if (std::string(mode) == "graph") {
                            g.launch(a);
                        } else {
                            t.launch(root, a);
                            MUST(cudaEventRecord(forked, a));
                            MUST(cudaStreamWaitEvent(b, forked));
                            call_transfer(t, x, a);
                            call_transfer(t, y, b);
                            MUST(cudaEventRecord(done, b));
                            MUST(cudaStreamWaitEvent(a, done));
                            t.launch(join, a);
                        }
                        t.open();
                    });
                });
            }
}

// An operation of 1 MiB while the SMs are full, or while a long copy runs: when is it done?
void node_beside(Lab &lab)
{
    for (const char *mode : {"graph", "stream"})
        for (const char *beside : {"idle", "full", "h2d", "d2h"})
            for (Operation operation : {H2D, D2H, D2D, SET}) {
                Trial t(lab, "node-beside");
                std::string other = beside;
                t.p("mode", mode).p("beside", other).p("operation", operation_names[operation]);
                attempt(t, [&] {
                    Stream a, b;
                    Graph g(t);
                    Transfer x = {operation, 1 * MIB, 1};
                    add_transfer(g, lab, x, {});
                    g.make();
                    Kernel &full = t.add("full", other == "full" ? 2 * lab.sms : 1, 1024, other == "full" ? 2000 : 5);
                    t.repeat(5, [&] {
                        t.launch(full, a);
                        if (other == "h2d")
                            t.did("long", [&] {
                                return cudaMemcpyAsync(lab.device2, lab.host, Lab::BUFFER / 2, cudaMemcpyHostToDevice,
                                                       a);
                            });
                        if (other == "d2h")
                            t.did("long", [&] {
                                return cudaMemcpyAsync(lab.host, lab.device2, Lab::BUFFER / 2, cudaMemcpyDeviceToHost,
                                                       a);
                            });
                        t.pace(150);
                        if (std::string(mode) == "graph")
                            g.launch(b, "operation");
                        else
                            call_transfer(t, x, b);
                        t.did("done", [&] { return cudaStreamSynchronize(b); });
                        t.did("other-done", [&] { return cudaStreamSynchronize(a); });
                    });
                });
            }
}

struct Edge {
    const char *name;
    int port, type;
};
const Edge edges[] = {{"full", 0, 0},
                      {"programmatic", 1, 1},
                      {"launch-completion", 2, 1},
                      {"launch-completion-default", 2, 0},
                      {"programmatic-default", 1, 0}};

// Two nodes: when does the second start, and when does its wait return?
void node_ports(Lab &lab)
{
    for (const Edge &edge : edges)
        for (const char *shape : {"one-wave", "late-block", "waves"})
            for (int trigger : {0, 100, -1})
                for (int waits : {0, 1}) {
                    Trial t(lab, "node-ports");
                    std::string s = shape;
                    t.p("edge", edge.name).p("shape", s).p("trigger_us", trigger).p("waits", waits);
                    attempt(t, [&] {
                        Stream stream;
                        Graph g(t);
                        Kernel &a = t.add("A", s == "waves" ? 3 * lab.sms : lab.sms, 256, 200);
                        a.shared = 150 * KIB; // one to an SM
                        a.body().trigger = trigger < 0 ? NEVER : trigger * 1000;
                        if (s == "late-block") {
                            a.body().odd = 17;
                            a.body().odd_duration = 400000;
                            a.body().odd_trigger = trigger < 0 ? NEVER : 300000;
                        }
                        Kernel &b = t.add("B", lab.sms, 256, 50);
                        b.body().wait = waits ? WAIT_FIRST : NO_WAIT;
                        g.kernel(a);
                        g.kernel(b, {0}, edge.port, edge.type);
                        g.make();
                        t.repeat(3, [&] { g.launch(stream); });
                    });
                }
}

// Chains, forks and joins with programmatic edges.
void node_programmatic(Lab &lab)
{
    for (const Edge &edge : {edges[0], edges[1], edges[2]})
        for (const char *shape :
             {"chain", "chain-wait-first", "chain-no-wait", "fork", "join", "join-mixed", "diamond"}) {
            Trial t(lab, "node-programmatic");
            std::string s = shape;
            t.p("edge", edge.name).p("shape", s);
            attempt(t, [&] {
                Stream stream;
                Graph g(t);
                auto add = [&](double us, bool waits) -> Kernel & {
                    Kernel &k = t.add("N", 8, 256, us);
                    k.body().trigger = 5000;
                    k.body().wait = waits ? s == "chain-wait-first" ? WAIT_FIRST : WAIT_SECOND : NO_WAIT;
                    return k;
                };
                if (s.substr(0, 5) == "chain") {
                    for (int i = 0; i < 24; i++)
                        g.kernel(add(s == "chain-no-wait" ? 300 : 30, s != "chain-no-wait"),
                                 i ? std::vector<int>{i - 1} : std::vector<int>{}, edge.port, edge.type);
                } else if (s == "fork" || s == "diamond") {
                    g.kernel(add(200, false));
                    for (int i = 0; i < 4; i++)
                        g.kernel(add(100 + 50 * i, i % 2), {0}, edge.port, edge.type);
                    if (s == "diamond")
                        g.kernel(add(50, true), {1, 2, 3, 4}, edge.port, edge.type);
                } else {
                    for (int i = 0; i < 3; i++)
                        g.kernel(add(100 + 100 * i, false));
                    g.kernel(add(50, true));
                    for (int i = 0; i < 3; i++)
                        if (s == "join" || i < 2)
                            g.edge(i, 3, edge.port, edge.type);
                        else
                            g.edge(i, 3);
                }
                g.make();
                t.repeat(5, [&] { g.launch(stream); });
            });
        }
}
} // namespace

const std::vector<Experiment> node_experiments = {
    {"node-copies", "gap that a copy or memset between two kernels makes, by bytes", node_copies},
    {"node-pairs", "which copies and memsets of a graph run beside each other", node_pairs},
    {"node-beside", "do copies and memsets of a graph need SMs, and which copy engine", node_beside},
    {"node-ports", "when does a node behind a programmatic or launch-completion edge start", node_ports},
    {"node-programmatic", "programmatic edges in chains, forks and joins", node_programmatic},
};
