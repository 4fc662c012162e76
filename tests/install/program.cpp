// A C++17 program that uses the shared library as installed: versions, options, a run, and an error.
#include <cstdio>
#include <memory>
#include <string>

#include <gridcast/gridcast.h>

struct give_back {
    void operator()(gcast_workload *w) const
    {
        gcast_workload_free(w);
    }
    void operator()(gcast_run *run) const
    {
        gcast_run_free(run);
    }
};

int main()
{
    gcast_error err = {};
    if (GCAST_VERSION_CHECK(&err) != GCAST_OK || gcast_version_number() != GCAST_VERSION_NUMBER) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const std::string text = R"({"schema": "gridcast.workload/1", "gpu": "tx2", "ops": [
        {"kind": "kernel", "label": "A", "stream": 1, "grid": 8, "block": 512, "duration_ns": 2000000},
        {"kind": "kernel", "label": "B", "stream": 2, "grid": 1, "block": 512, "duration_ns": 1000000}]})";
    gcast_workload *w = nullptr;
    gcast_run *run = nullptr;
    if (gcast_workload_read(text.data(), text.size(), "two", nullptr, &w, &err) != GCAST_OK) {
        std::fprintf(stderr, "%s %s\n", err.message, err.path);
        return 1;
    }
    const std::unique_ptr<gcast_workload, give_back> workload(w);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    if (gcast_workload_simulate(w, nullptr, &options, &run, &err) != GCAST_OK) {
        std::fprintf(stderr, "%s %s\n", err.message, err.path);
        return 1;
    }
    const std::unique_ptr<gcast_run, give_back> owned(run);
    for (std::size_t i = 0; i < run->op_count; i++)
        std::printf("%s ends at %lld ns\n", run->workload->ops[run->ops[i].op].label,
                    static_cast<long long>(run->ops[i].end_ns));
    gcast_workload *none = nullptr;
    if (gcast_workload_read("{}", 2, "none", nullptr, &none, &err) != GCAST_INPUT || none != nullptr)
        return 1;
    return run->ops[1].end_ns == 3000000 ? 0 : 1;
}
