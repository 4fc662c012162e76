// Graphs with branches: what runs at a time, in which order, and against other streams.
#include "lab.h"
#include <memory>

namespace
{
using Streams = std::vector<std::unique_ptr<Stream>>;
using Events = std::vector<std::unique_ptr<Event>>;

// root, B branches of L kernels, join. Kernel 1 + i * L + j is number j of branch i.
struct Fork {
    int branches, length;
    bool ends; // with root and join
    int first() const
    {
        return ends ? 1 : 0;
    }
};

void add_fork(Trial &t, const Fork &f, const std::function<double(int, int)> &us)
{
    if (f.ends)
        t.add("root", 1, 128, 50);
    for (int i = 0; i < f.branches; i++)
        for (int j = 0; j < f.length; j++)
            t.add("b" + std::to_string(i), 1, 128, us(i, j)).stream = i + 1;
    if (f.ends)
        t.add("join", 1, 128, 20);
}

void fork_graph(Trial &t, const Fork &f, Graph &g)
{
    std::vector<int> ends;
    if (f.ends)
        g.kernel(t[0]);
    for (int i = 0; i < f.branches; i++)
        for (int j = 0; j < f.length; j++) {
            int at = f.first() + i * f.length + j;
            g.kernel(t[at], j ? std::vector<int>{at - 1} : f.ends ? std::vector<int>{0} : std::vector<int>{});
            if (j == f.length - 1)
                ends.push_back(at);
        }
    if (f.ends)
        g.kernel(t[t.size() - 1], ends);
}

// The same with streams and events.
void fork_streams(Trial &t, const Fork &f, Stream &main, Streams &streams, Events &events, Event &start)
{
    t.gate(main);
    if (f.ends)
        t.launch(t[0], main);
    MUST(cudaEventRecord(start, main));
    for (int i = 0; i < f.branches; i++) {
        MUST(cudaStreamWaitEvent(*streams[i], start));
        for (int j = 0; j < f.length; j++)
            t.launch(t[f.first() + i * f.length + j], *streams[i]);
        MUST(cudaEventRecord(*events[i], *streams[i]));
        MUST(cudaStreamWaitEvent(main, *events[i]));
    }
    if (f.ends)
        t.launch(t[t.size() - 1], main);
    t.open();
}

void run_fork(Trial &t, const Fork &f, const std::string &mode, int reps)
{
    Stream main;
    if (mode != "streams") {
        Graph g(t);
        fork_graph(t, f, g);
        g.make();
        t.repeat(reps, [&] {
            if (mode == "graph-gated")
                t.gate(main);
            g.launch(main);
            t.open();
        });
        return;
    }
    Streams streams;
    Events events;
    Event start;
    for (int i = 0; i < f.branches; i++) {
        streams.emplace_back(new Stream());
        events.emplace_back(new Event());
        for (int j = 0; j < f.length; j++) {
            int at = f.first() + i * f.length + j;
            if (j || f.ends)
                t[at].after = {j ? at - 1 : 0};
            if (f.ends && j == f.length - 1)
                t[t.size() - 1].after.push_back(at);
        }
    }
    t.repeat(reps, [&] { fork_streams(t, f, main, streams, events, start); });
}

void branch_fork(Lab &lab)
{
    for (const char *mode : {"graph", "streams", "graph-gated"})
        for (int ends : {1, 0})
            for (int branches : {2, 3, 4, 8, 16, 24, 32, 33, 48, 64, 128, 160}) {
                Trial t(lab, "branch-fork");
                t.p("mode", mode).p("ends", ends).p("branches", branches).p("length", 1);
                attempt(t, [&] {
                    Fork f = {branches, 1, ends != 0};
                    add_fork(t, f, [](int, int) { return 400.0; });
                    run_fork(t, f, mode, 4);
                });
            }
}

// Branches whose nodes end at different times: does the next node of each start at once?
void branch_uneven(Lab &lab)
{
    for (const char *mode : {"graph", "streams"})
        for (int branches : {2, 4, 8, 16, 32, 64}) {
            Trial t(lab, "branch-uneven");
            t.p("mode", mode).p("branches", branches).p("length", 5);
            attempt(t, [&] {
                Fork f = {branches, 5, true};
                add_fork(t, f, [](int i, int j) { return 60.0 + 13 * ((i * 7 + j * 5) % 11) + 0.7 * i; });
                run_fork(t, f, mode, 5);
            });
        }
}

// Streams that hold a waiting kernel each, then a graph (or a kernel); and a graph with a waiting node, then kernels.
void branch_line(Lab &lab)
{
    for (const char *shape : {"kernel", "line-2", "fork-4", "line-2-first"})
        for (int others : {1, 2, 7, 8, 9, 16, 32}) {
            Trial t(lab, "branch-line");
            std::string s = shape;
            t.p("shape", s).p("others", others);
            attempt(t, [&] {
                Stream main;
                Streams streams;
                Graph g(t);
                bool first = s == "line-2-first";
                for (int i = 0; i < others; i++) {
                    streams.emplace_back(new Stream());
                    t.add("long", 1, 128, first ? 50 : 1500).stream = i + 1;
                    t.add("waits", 1, 128, 20).stream = i + 1;
                    t[2 * i + 1].after = {2 * i};
                }
                int at = 2 * others;
                if (s == "kernel") {
                    t.add("probe", 1, 128, 50);
                } else if (s == "fork-4") {
                    g.kernel(t.add("probe", 1, 128, 50));
                    for (int i = 0; i < 4; i++)
                        g.kernel(t.add("branch", 1, 128, 50), {0});
                } else {
                    g.kernel(t.add("probe", 1, 128, first ? 1500 : 50));
                    g.kernel(t.add("next", 1, 128, 50), {0});
                }
                if (s != "kernel")
                    g.make();
                auto probe = [&] {
                    if (s == "kernel")
                        t.launch(t[at], main);
                    else
                        g.launch(main, "probe");
                };
                t.repeat(4, [&] {
                    if (first) {
                        probe();
                        t.pace(100);
                    }
                    for (int i = 0; i < others; i++) {
                        t.launch(t[2 * i], *streams[i]);
                        t.launch(t[2 * i + 1], *streams[i]);
                    }
                    if (!first) {
                        t.pace(700);
                        probe();
                    }
                });
            });
        }
}

// Fills the GPU in four waves by shared memory; leaves threads for a small kernel beside it on every SM.
Kernel &add_big(Trial &t)
{
    Kernel &big = t.add("big", 2 * t.lab.sms * 4, 256, 100);
    big.shared = 100 * KIB;
    return big;
}

// Does a small kernel that would fit wait for all of a big one (X1)? In one graph, and across streams and priorities.
void branch_queue(Lab &lab)
{
    for (const char *way : {"one graph, big first", "one graph, small first", "graph, then kernel",
                            "kernel, then graph", "graph, then graph", "kernel, then kernel"})
        for (int launch_priority : {0, -5})
            for (int node_priority : {NO_PRIORITY, 0, -5})
                for (int flags : {0, (int)cudaGraphInstantiateFlagUseNodePriority}) {
                    std::string w = way;
                    if (w.substr(w.size() - 6) == "kernel" && (flags || node_priority != NO_PRIORITY))
                        continue;
                    Trial t(lab, "branch-queue");
                    t.p("way", w)
                        .p("launch_priority", launch_priority)
                        .p("node_priority", node_priority)
                        .p("flags", flags);
                    attempt(t, [&] {
                        Stream first(w[0] == 'o' ? launch_priority : 0), second(launch_priority);
                        Graph g(t), h(t);
                        Kernel &root = t.add("root", 1, 32, 50);
                        Kernel &big = add_big(t);
                        Kernel &small = t.add("small", 4, 32, 20);
                        small.stream = w[0] == 'o' ? 0 : 1;
                        bool alone = w == "one graph, big first" || w == "one graph, small first";
                        bool big_graph = w == "graph, then kernel" || w == "graph, then graph";
                        bool small_graph = w == "kernel, then graph" || w == "graph, then graph";
                        if (alone || small_graph)
                            small.priority = node_priority;
                        if (alone || big_graph)
                            g.kernel(root);
                        if (w == "one graph, small first")
                            g.kernel(small, {0});
                        if (alone || big_graph)
                            g.kernel(big, {0});
                        if (w == "one graph, big first")
                            g.kernel(small, {0});
                        if (small_graph)
                            h.kernel(small);
                        if (alone || big_graph)
                            g.make(flags);
                        if (small_graph)
                            h.make(flags);
                        t.repeat(3, [&] {
                            if (alone || big_graph) {
                                g.launch(first);
                            } else {
                                t.launch(root, first);
                                t.launch(big, first);
                            }
                            if (alone)
                                return;
                            t.pace(170);
                            if (small_graph)
                                h.launch(second, "small");
                            else
                                t.launch(small, second);
                        });
                    });
                }
}
} // namespace

const std::vector<Experiment> branch_experiments = {
    {"branch-fork", "how many branches run at a time, in which order they start, gaps at fork and join", branch_fork},
    {"branch-uneven", "does a node wait for other branches than its own", branch_uneven},
    {"branch-line", "does a graph wait behind, or hold up, kernels of other streams in connections", branch_line},
    {"branch-queue", "do X1 and A2 hold in a graph and across graphs; which priority counts", branch_queue},
};
