// crateful_bench_native [--memory-table | options of Google Benchmark, for example --benchmark_filter=add_remove]
#include <iostream>
#include <string_view>

#include <benchmark/benchmark.h>

#include "memory_table.hpp"

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--memory-table") {
        bench::print_memory_table(std::cout);
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
