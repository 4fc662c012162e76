"""What `gridcast record` is tried on with PyTorch: says what it does on lines "said KEY=N ...", as programs.cu does.
    torch_parts.py eager|graph|loop [N]"""
import sys
import time

import torch

part, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
x = torch.zeros(1 << 16, device="cuda")
torch.cuda.synchronize()

if part == "eager":
    other = torch.cuda.Stream(priority=-1)
    torch.cuda.nvtx.range_push("part")
    for _ in range(n):
        x.add_(1.0)
        other.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(other):
            x.mul_(2.0)
        torch.cuda.current_stream().wait_stream(other)
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()
    print(f"said elementwise={2 * n + 1} ranges=1 waits={2 * n}")  # and the one that fills x
elif part == "graph":
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(10):
            x.add_(1.0)
    for _ in range(n):
        graph.replay()
    torch.cuda.synchronize()
    print(f"said in_graphs={10 * n} graph_launches={n}")
elif part == "loop":
    a = torch.randn(256, 256, device="cuda")
    for _ in range(10):
        a @ a
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    for _ in range(n):
        a @ a
    launched = time.perf_counter_ns()
    torch.cuda.synchronize()
    end = time.perf_counter_ns()
    print(f"said launch_ns={(launched - start) / n:.0f} total_ns={(end - start) / n:.0f}")
