// Linear graphs: gaps between nodes, costs of launches, launches one after the other, work before and after.
#include "lab.h"

namespace
{
// Kernels added to the trial, one after the other, in a stream behind a gate, or as a graph.
void run_chain(Trial &t, const std::string &mode, int reps, bool keep_first = false)
{
    Stream stream;
    if (mode == "stream") {
        for (size_t i = 1; i < t.size(); i++)
            t[i].after = {(int)i - 1};
        t.repeat(reps, [&] {
            t.gate(stream);
            for (size_t i = 0; i < t.size(); i++)
                t.launch(t[i], stream);
            t.open();
        });
        return;
    }
    Graph g(t);
    if (mode == "captured") {
        for (size_t i = 1; i < t.size(); i++)
            t[i].after = {(int)i - 1};
        g.capture(stream, [&] {
            for (size_t i = 0; i < t.size(); i++)
                t.launch(t[i], stream);
        });
    } else {
        for (size_t i = 0; i < t.size(); i++)
            g.kernel(t[i], i ? std::vector<int>{(int)i - 1} : std::vector<int>{});
    }
    g.make();
    t.p("instantiate_ns", (long long)g.instantiate_ns);
    if (mode == "graph-uploaded") {
        g.upload(stream);
        t.p("upload_ns", (long long)g.upload_ns);
    }
    t.repeat(
        reps,
        [&] {
            if (mode == "graph-gated")
                t.gate(stream);
            g.launch(stream);
            if (mode == "graph-gated")
                t.open();
            t.did("sync", [&] { return cudaStreamSynchronize(stream); });
        },
        keep_first);
}

void chain_length(Lab &lab)
{
    for (const char *mode : {"graph", "graph-gated", "stream", "graph-uploaded", "captured"})
        for (int n : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
            if (n > 512 && std::string(mode) == "stream")
                continue; // the queue of launches would be full before the gate opens
            Trial t(lab, "chain-length");
            t.p("mode", mode).p("n", n);
            attempt(t, [&] {
                for (int i = 0; i < n; i++)
                    t.add("N", 1, 256, 10);
                run_chain(t, mode, n < 256 ? 8 : 4, true);
            });
        }
}

void chain_duration(Lab &lab)
{
    for (const char *mode : {"graph", "stream"})
        for (double us : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0}) {
            Trial t(lab, "chain-duration");
            t.p("mode", mode).p("us", (long long)us);
            attempt(t, [&] {
                for (int i = 0; i < 48; i++)
                    t.add("N", 1, 256, us);
                run_chain(t, mode, 5);
            });
        }
}

struct Variant {
    const char *name;
    std::function<void(Kernel &, int)> change; // of node i
};

void chain_shape(Lab &lab)
{
    const std::vector<Variant> variants = {
        {"same", [](Kernel &, int) {}},
        {"functions-2", [](Kernel &k, int i) { k.function = i % 2 ? F1 : F0; }},
        {"functions-4", [](Kernel &k, int i) { k.function = (Function)(F0 + i % 4); }},
        {"function-every-8", [](Kernel &k, int i) { k.function = i % 8 == 7 ? F1 : F0; }},
        {"threads-32-1024", [](Kernel &k, int i) { k.threads = i % 2 ? 1024 : 32; }},
        {"shared-0-64K", [](Kernel &k, int i) { k.shared = i % 2 ? 64 * KIB : 0; }},
        {"shared-all-200K", [](Kernel &k, int) { k.shared = 200 * KIB; }},
        {"driver-carveout", [](Kernel &k, int) { k.function = F_DRIVER; }},
        {"driver-shared-0-64K", [](Kernel &k, int i) { k.function = F_DRIVER, k.shared = i % 2 ? 64 * KIB : 0; }},
        {"driver-threads-32-1024", [](Kernel &k, int i) { k.function = F_DRIVER, k.threads = i % 2 ? 1024 : 32; }},
        {"carveout-100-0", [](Kernel &k, int i) { k.function = i % 2 ? F_CACHE : F0; }},
        {"carveout-0", [](Kernel &k, int) { k.function = F_CACHE; }},
        {"local-memory", [](Kernel &k, int) { k.function = F_LOCAL; }},
        {"local-memory-every-2", [](Kernel &k, int i) { k.function = i % 2 ? F_LOCAL : F0; }},
        {"big-parameters", [](Kernel &k, int) { k.function = F_BIG; }},
        {"big-parameters-every-2", [](Kernel &k, int i) { k.function = i % 2 ? F_BIG : F0; }},
        {"priority-0--5", [](Kernel &k, int i) { k.priority = i % 2 ? -5 : 0; }},
        {"cluster-every-2", [](Kernel &k, int i) { k.cluster = i % 2 ? 2 : 0; }},
        {"cooperative-every-2", [](Kernel &k, int i) { k.cooperative = i % 2 != 0; }},
    };
    for (const char *mode : {"graph", "stream"}) {
        for (const Variant &variant : variants) {
            Trial t(lab, "chain-shape");
            t.p("mode", mode).p("variant", variant.name);
            attempt(t, [&] {
                for (int i = 0; i < 33; i++)
                    variant.change(t.add("N", 2, 256, 20), i);
                run_chain(t, mode, 4);
            });
        }
        for (std::vector<int> grids :
             std::vector<std::vector<int>>{{1}, {132}, {1056}, {2112}, {1, 132}, {1, 1056}, {132, 1056}, {264, 1}}) {
            Trial t(lab, "chain-shape");
            std::string name = "blocks";
            for (int blocks : grids)
                name += "-" + std::to_string(blocks);
            t.p("mode", mode).p("variant", name);
            attempt(t, [&] {
                for (int i = 0; i < 8; i++)
                    t.add("N", grids[i % grids.size()], 128, 20);
                run_chain(t, mode, 3);
            });
        }
    }
}

// Two graphs of n nodes each (or one, twice), R launches in turn into one stream or two.
void chain_relaunch(Lab &lab)
{
    struct Way {
        const char *name;
        int graphs, streams;
    };
    for (Way way : {Way{"one exec, one stream", 1, 1}, Way{"one exec, two streams", 1, 2},
                    Way{"two execs, one stream", 2, 1}, Way{"two execs, two streams", 2, 2}})
        for (int n : {1, 4, 16})
            for (int us : {20, 200}) {
                Trial t(lab, "chain-relaunch");
                const int launches = 8, visits = launches / way.graphs;
                t.p("way", way.name).p("n", n).p("us", us).p("launches", launches);
                attempt(t, [&] {
                    Stream a, b;
                    Graph first(t), second(t);
                    for (int i = 0; i < n; i++)
                        first.kernel(t.add("A", 1, 256, us, visits), i ? std::vector<int>{i - 1} : std::vector<int>{});
                    for (int i = 0; i < n && way.graphs == 2; i++) {
                        Kernel &k = t.add("B", 1, 256, us, visits);
                        k.stream = way.streams - 1;
                        second.kernel(k, i ? std::vector<int>{i - 1} : std::vector<int>{});
                    }
                    first.make();
                    if (way.graphs == 2)
                        second.make();
                    t.repeat(5, [&] {
                        if (way.streams == 1)
                            t.gate(a);
                        for (int l = 0; l < launches; l++)
                            (way.graphs == 2 && l % 2 ? second : first).launch(way.streams == 2 && l % 2 ? b : a);
                        t.open();
                    });
                });
            }
}

// A kernel, a graph of kernels with one first and one last node, a kernel: all in one stream, or across events.
void chain_context(Lab &lab)
{
    for (const char *across : {"none", "event-before", "event-after", "both"})
        for (const char *shape : {"kernel", "line-1", "line-4", "fork-4"}) {
            Trial t(lab, "chain-context");
            std::string s = shape, way = across;
            t.p("shape", s).p("across", way);
            attempt(t, [&] {
                bool before = way == "event-before" || way == "both", after = way == "event-after" || way == "both";
                Stream main, first, last;
                Event e0, e1;
                Graph g(t);
                Kernel &k0 = t.add("before", 1, 256, 100);
                k0.stream = before;
                int inner = s == "line-4" ? 4 : s == "fork-4" ? 6 : 1;
                for (int i = 0; i < inner; i++) {
                    Kernel &k = t.add("inner", 1, 256, 30);
                    if (s == "kernel")
                        continue;
                    if (s != "fork-4")
                        g.kernel(k, i ? std::vector<int>{i - 1} : std::vector<int>{});
                    else
                        g.kernel(k, i == 0  ? std::vector<int>{}
                                    : i < 5 ? std::vector<int>{0}
                                            : std::vector<int>{1, 2, 3, 4});
                }
                if (s != "kernel")
                    g.make();
                t[1].after = {0};
                Kernel &k1 = t.add("behind", 1, 256, 20);
                k1.stream = after ? 2 : 0;
                k1.after = {inner};
                t.repeat(10, [&] {
                    t.gate(before ? first : main);
                    t.launch(k0, before ? first : main);
                    if (before) {
                        MUST(cudaEventRecord(e0, first));
                        MUST(cudaStreamWaitEvent(main, e0));
                    }
                    if (s == "kernel")
                        t.launch(t[1], main);
                    else
                        g.launch(main);
                    if (after) {
                        MUST(cudaEventRecord(e1, main));
                        MUST(cudaStreamWaitEvent(last, e1));
                    }
                    t.launch(k1, after ? last : main);
                    t.open();
                });
            });
        }
}
} // namespace

const std::vector<Experiment> chain_experiments = {
    {"chain-length", "gap between nodes of a linear graph, and what a launch of n nodes costs host and GPU",
     chain_length},
    {"chain-duration", "does the gap depend on how long nodes run", chain_duration},
    {"chain-shape", "does the gap depend on function, shape, shared memory, carveout, parameters, priority",
     chain_shape},
    {"chain-relaunch", "gap between launches of graphs, and which of them overlap", chain_relaunch},
    {"chain-context", "gaps between a graph and the kernels before and behind it, in its stream or by events",
     chain_context},
};
