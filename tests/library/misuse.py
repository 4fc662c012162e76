#!/usr/bin/env python3
"""Writes the calls of misuse.c: every function that the headers declare, with every kind of wrong argument.

A function or a struct whose arguments are not known here is an error: who adds one says below what a right argument is.
  misuse.py INCLUDE_FOLDER OUTPUT
"""
import glob
import os
import re
import sys

# Right arguments, by type. {o} is the world: own, or other for a thing of another program.
HANDLES = {
    "gcast_workload": "{o}.workload", "gcast_gpu": "{o}.gpu", "gcast_run": "{o}.run",
    "gcast_explanation": "{o}.explanation", "gcast_whatif": "{o}.whatif", "gcast_residency": "{o}.residency", "gcast_totals": "{o}.totals", "gcast_pair": "{o}.pair",
    "gcast_analysis": "{o}.analysis", "gcast_answer": "{o}.answer",
    "gcast_advice": "{o}.advice",
    "gcast_ptx": "{o}.ptx", "gcast_simt_report": "{o}.simt_report", "gcast_smc_coverage": "{o}.coverage", "gcast_plan": "{o}.plan",
    "gcast_system": "{o}.system", "gcast_system_answer": "{o}.system_answer", "gcast_system_run": "{o}.system_run", "gcast_replay": "{o}.replay",
    "gcast_job_data": "{o}.job_data", "gcast_response": "&{o}.answer->responses[0]",
}
# Of these the caller sees and fills the contents: where a call only reads one, its fields are made wrong, too.
OPEN = {"gcast_plan", "gcast_job_data", "gcast_response"}
# Things that only one driver has.
DRIVER = {"gcast_smc_kernel": "own.kernel", "struct CUmod_st": "own.module"}
# Structs that a caller fills: a right value, whose fields are then made wrong one by one.
GIVEN = {
    "gcast_stream": "{.id = 7, .blocking = true}", "gcast_mask": "{.word = {3}}",
    "gcast_op": "world_op()", "gcast_task": '{.name = "task", .period_ns = 1000000, .deadline_ns = 1000000}',
    "gcast_limits": "own.gpu->limits", "gcast_block_shape": "{.threads = 256, .registers = 32}",
    "gcast_latency": "{.samples = 100, .min_ns = 1, .max_ns = 9, .count = 1, .quantile = {{10, 5}}}",
    "gcast_launch": "a_launch", "gcast_smc_launch_arguments": "a_smc_arguments", }
# Options that are right only with more than the defaults.
OPTIONS = {
    "gcast_plan_options": ".sms = 8; .workers = 2; .grid[0] = 8; .grid[1] = 1; .grid[2] = 1",
    "gcast_measure_options": ".library = STUB_CUDA; .latency_ns = 0",
    "gcast_smc_gpu_options": ".library = STUB_CUDA",
    "gcast_analyze_options": ".max_states = 10000",
    "gcast_advise_options": ".orders = true; .max_runs = 10; .max_ms = 1000",
    "gcast_system_options": ".fill = true; .gpu = own.gpu",
    "gcast_whatif_options": ".changes = &a_change; .change_count = 1",
}
# Right arguments by function and name, where the type does not say enough.
TEXT = {
    "path": '""', "name": '"name"', "text": '"text"', "file": '"file.json"', "note": '"note"', "label": '"brake"',
    "source": '"source"', "field": '"noise_ns"', "kernel": "NULL", "title": '"title"', "gpu_title": '"title"',
    "command": '"gridcast"',
    "benchmark_or_app": '"BFS"', "input": '"rmat:6:4:1"', "ptx": "text_smc_ptx", "library": "STUB_CUDA",
    "format": '"%s"',
}
READ = {
    "gcast_plan_read": "text_plan",
    "gcast_ptx_parse": "text_ptx", "gcast_gpu_read_json": "text_gpu",
    "gcast_workload_read": "text_workload", "gcast_smc_transform": "text_ptx",
    "gcast_workload_calibrate": "text_durations", }
LOAD = {
    "gcast_workload_import": "tests/data/profiles/one-small.json.gz",
    "gcast_profile_replay": "tests/data/profiles/one-small.json.gz",
    "gcast_plan_load": None,
    "gcast_file_read": "examples/thesis.json",
    "gcast_workload_load": "examples/thesis.json",
}
ARGUMENTS = {
    "gcast_gpu_create.cc_major": "9", "gcast_gpu_create.cc_minor": "0", "gcast_gpu_create.sms": "8",
    "gcast_limits_find.cc_major": "9", "gcast_limits_find.cc_minor": "0",
    "gcast_gpu_read_string.text": '"sms:2 cc:6.2"', "gcast_gpu_load.name": '"tx2"', "gcast_gpu_preset.name": '"tx2"',
    "gcast_format_from_file.name": '"a.csv.gz"',
    "gcast_gpu_set_tie_list.list": "world_sms()", "gcast_gpu_set_tie_list.n": "own.gpu->sms",
    "gcast_gpu_set_reach.list": "world_sms()", "gcast_gpu_set_reach.n": "own.gpu->sms",
    "gcast_gpu_set_gpcs.sizes": "&own.gpu->sms", "gcast_gpu_set_gpcs.gpcs": "1", "gcast_gpu_set_gpcs.list": "world_sms()",
    "gcast_system_read.paths": "&a_model", "gcast_system_read.count": "1",
    "gcast_gpu_partition.sms": "1", "gcast_run_find_subject.name": '"brake"',
    "gcast_answer_find_late.op": "0", "gcast_answer_late_execution.op": "0", "gcast_answer_report_late.op": "0",
    "gcast_workload_measure.runs": "runs", "gcast_workload_measure.workload": "own.once",
    "gcast_workload_measure.count": "1",
    "gcast_run_find_races.trials": "2", "gcast_run_add_warnings.trials": "2",
    "gcast_run_explain_pair.b": "1",
    "gcast_run_report_queues.times_ns": "times", "gcast_run_report_queues.count": "2",
    "gcast_simt_block_shape.out": "&shape", "gcast_smc_coverage_make.marks": "words",
    "gcast_smc_coverage_make.launches": "1", "gcast_smc_open.kernel": '"add_one"',
    "gcast_workload_find_hangs.w": "own.once",
    "gcast_workload_answer.methods": "&a_method", "gcast_workload_answer.count": "1",
    "gcast_version_check.number": "GCAST_VERSION_NUMBER",
    "gcast_workload_get_stream.id": "3", "gcast_workload_set_partition.sms": "1",
    "gcast_workload_set_connections.connections": "1", "gcast_workload_set_duration.ns": "1000",
    "gcast_occupancy_clusters.cluster": "2",
    "gcast_occupancy_clusters.gpu": "world_gpc_gpu()", "gcast_occupancy_compute.carveout": "-1",
    "gcast_occupancy_clusters.carveout": "-1", "gcast_workload_set_gpu.gpu": "other.gpu",
    "gcast_smc_check.p": "own.ptx",
    "gcast_run_report_pair.below": "own.run", "gcast_launches.child": "NULL", "gcast_memory_free.memory": "malloc(1)",
    }
# Arguments that may be NULL.
OPTIONAL_NAMES = {"err", "options", "index", "file"}
NEEDED = {"gcast_plan_make.options", }
OPTIONAL = {
    "gcast_workload_simulate.gpu", "gcast_workload_analyze.gpu", "gcast_workload_advise.gpu", "gcast_workload_find_hangs.gpu", "gcast_workload_answer.gpu",
    "gcast_run_find_races.gpu", "gcast_run_add_warnings.gpu", "gcast_smc_finish.outcome", "gcast_answer_late_execution.late",
    "gcast_error_set.path", "gcast_ptx_parse.name", "gcast_smc_transform.name", "gcast_workload_import.options", "gcast_profile_replay.options",
    "gcast_run_find_subject.name", "gcast_limits_table.count", "gcast_workload_set_gpu.gpu",
    "gcast_smc_transform.out_size", "gcast_ptx_print.size", "gcast_simt_instruction.name",
    "gcast_simt_instruction.forms", "gcast_workload_write_native.size", "gcast_gpu_write_json.size", "gcast_file_read.size", "gcast_memory_free.memory",
    "gcast_workload_create.name", "gcast_gpu_create.name", "gcast_system_answer_verdict.why",
    "gcast_system_answer_report.command", "gcast_system_workload.bounded", }
# Arguments and fields that say how long the caller's memory is: nobody can tell where they are too large.
LENGTHS = {
    "gcast_gpu_set_gpcs.gpcs", "gcast_launch.arguments", "gcast_launch.buffers", "gcast_launch.variables",
    "gcast_gpu_set_tie_list.n", "gcast_gpu_set_reach.n", "gcast_plan_options.sm_count", "gcast_whatif_options.change_count",
    "gcast_whatif_options.gpu_count", "gcast_workload_answer.count", "gcast_system_options.core_count", "gcast_system_options.chain_count",
    "gcast_system_read.count", }
# These compare the length with what they know, so any may be given.
CHECKED_LENGTHS = {"gcast_simulate_options.release_count", "gcast_simulate_options.latency_count",
                   "gcast_simt_options.placed_blocks", "gcast_gpu_set_tie_list.n", "gcast_gpu_set_reach.n"}
# Fields that the library fills, or that no call of the function reads.
FILLED = {"gcast_op.blocks", "gcast_limits.sources", "gcast_smc_launch_arguments.parameters"}
# Times that a caller may ask for: a long one takes long.
DURATIONS = {"latency_ns", "max_ms", "limit_ns", "max_states", "max_bytes", "max_runs", "max_executions", "max_operations",
             "trials", "hyperperiods", "horizon_ns", "max_instructions", "repeat", "runs", "launches"}
# Functions that measure for seconds: only their arguments are made wrong, not the fields of these.
SLOW = {}
# Functions for which every field of a GPU is made wrong; the others check GPUs in the same way.
GPU_FIELDS = {"gcast_gpu_check", "gcast_gpu_write_json", "gcast_workload_simulate", "gcast_occupancy_clusters"}
# Enums that are results, or that any number is accepted for.
ANY_ENUM = {"gcast_error_set.code"}
# What may fail with right arguments: it needs what this machine does not have, or says no.
MAY_FAIL = {"gcast_plan_load", "gcast_smc_finish", "gcast_error_set",
            "gcast_error_set_memory", "gcast_smc_coverage_make", "gcast_version_check", }
# Without options these look for the driver of this machine; and the score of a prediction may say no.
NO_DEFAULT = {"gcast_workload_measure.options", "gcast_smc_open.options", "gcast_system_read.options",
              }
# Fields that count only together with others.
UNREAD = {"gcast_simulate_options.spawn_policy"}
UNREAD_BY = {"gcast_run_find_races", "gcast_run_add_warnings", }
# Right values of enums where 0 is not one.
ENUMS = {"gcast_run_report_pair.format": "GCAST_FORMAT_SVG", "gcast_answer_report_late.format": "GCAST_FORMAT_SVG", }
# Texts that are wrong, or unusual: very long, not UTF-8, and what formats and files give a meaning to.
TEXTS = ["text_long", "text_invalid", "text_odd"]
CHOICES = range(1, 8)  # values of an enum that are tried with every wrong argument
NUMBERS = {
    "int": ["-1", "0", "INT_MIN", "INT_MAX"], "unsigned": ["0", "UINT_MAX"], "uint32_t": ["0", "UINT32_MAX"],
    "uint64_t": ["0", "UINT64_MAX"], "size_t": ["0", "SIZE_MAX", "1000000"],
    "int64_t": ["-1", "0", "INT64_MIN", "INT64_MAX"], "double": ["NAN", "-1", "0", "INFINITY"], "bool": [], "char": [],
}


def strip(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = text.replace("\\\n", " ")
    return re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)


def split_fields(body):
    """(type, name, length of an array or None) of every field of a struct; function pointers have the type 'call'."""
    for declaration in body.split(";"):
        declaration = " ".join(declaration.split())
        if not declaration:
            continue
        call = re.match(r".*?\(\*(\w+)\)\(.*\)$", declaration)
        if call:
            yield "call", call.group(1), None
            continue
        match = re.match(r"((?:const |struct |unsigned |void )*\w+?)((?: |\*)[^;]*)$", declaration)
        base, rest = match.group(1), match.group(2)
        rest = rest.replace("const", "")
        for part in rest.split(","):
            part = part.strip()
            pointer = "*" in part
            name = re.match(r"[\s\*]*(\w+)((?:\[.*\])?)$", part)
            array = name.group(2) or None
            kind = base.replace("const ", "") + (" " + "*" * part.count("*") if pointer else "")
            yield kind, name.group(1), array


def read_headers(folder):
    functions, structs, enums = [], {}, set()
    for path in sorted(glob.glob(os.path.join(folder, "gridcast", "*.h"))):
        with open(path, encoding="utf-8") as file:
            text = strip(file.read())
        for match in re.finditer(r"typedef struct (?:\w+ )?\{([^{}]*)\} (\w+);", text):
            structs[match.group(2)] = list(split_fields(match.group(1)))
        for match in re.finditer(r"typedef enum \{[^{}]*\} (\w+);", text):
            enums.add(match.group(1))
        for match in re.finditer(r"GCAST_API\s+([^;{]*?)(\w+)\(([^;]*?)\)\s*(?:GCAST_PRINTF\([^)]*\))?\s*;", text):
            result = " ".join(match.group(1).split())
            parameters = []
            for parameter in match.group(3).split(","):
                parameter = " ".join(parameter.split())
                if parameter in ("void", "..."):
                    continue
                found = re.match(r"(.*?)(\w+)$", parameter)
                parameters.append((found.group(1).strip(), found.group(2)))
            functions.append((result, match.group(2), parameters))
    return functions, structs, enums


class Unknown(Exception):
    pass


class Writer:
    def __init__(self, structs, enums):
        self.structs, self.enums = structs, enums

    def values(self, kind, name):
        """Wrong values of a number."""
        if name in CHECKED_LENGTHS:
            return ["0", "1", "SIZE_MAX"] if "set_" not in name else ["0", "-1", "INT_MAX", "INT_MIN"]
        if name in LENGTHS or name.endswith(".count") or name.endswith("_count") or name.endswith(".size"):
            return ["0"]
        values = NUMBERS[kind]
        return [v for v in values if "MAX" not in v and v != "1000000"] if name.split(".")[1] in DURATIONS else values

    def field_variants(self, variable, struct, prefix):
        """(text, statement, expected) for every field of a struct that a caller fills."""
        for kind, field, array in self.structs[struct]:
            name = f"{struct}.{field}"
            if name in FILLED:
                continue
            place = f"{variable}.{field}" + ("[0]" if array else "")
            shown = f"{prefix}{field}"
            if field == "size" and struct.endswith("_options"):
                for value in ("0", "1", "SIZE_MAX", f"sizeof {variable} + 1000000"):
                    yield f"{shown} = {value}", f"{place} = {value};", "REFUSED"
                yield f"{shown} = 8", f"{place} = 8;", "ANY"
            elif kind == "call" or kind.endswith("*"):
                if not array:
                    yield f"{shown} = NULL", f"{place} = NULL;", "ANY"
                if kind == "char *" and not array:
                    yield from ((f"{shown} = {text}", f"{place} = {text};", "ANY") for text in TEXTS)
            elif kind in self.enums:
                for value in ("-1", "1000"):
                    yield f"{shown} = {value}", f"{place} = ({kind}){value};", "ANY" if name in UNREAD else "REFUSED"
            elif kind in self.structs:
                yield from self.field_variants(place, kind, shown + ".")
            elif kind in NUMBERS:
                for value in self.values(kind, name):
                    yield f"{shown} = {value}", f"{place} = {value};", "ANY"
                yield from self.without_array(variable, struct, field, prefix)
            else:
                raise Unknown(f"field {name} of type {kind}")

    def without_array(self, variable, struct, field, prefix):
        """A number of entries where there is no array: `field` counts the pointers whose names begin as its own does."""
        stem = field[:-len("_count")] if field.endswith("_count") else field[:-1] if f"{struct}.{field}" in LENGTHS else ""
        arrays = [name for kind, name, _ in self.structs[struct] if stem and kind.endswith("*") and name.startswith(stem)]
        if arrays:
            statement = " ".join(f"{variable}.{name} = NULL;" for name in arrays) + f" {variable}.{field} = 5;"
            yield f"{prefix}{field} = 5 without its array", statement, "ANY"

    def argument(self, function, kind, name, number):
        """Declarations of an argument with its right value, and its wrong ones: (text, statement, expected)."""
        key = f"{function}.{name}"
        variable = f"a{number}"
        bare = kind.replace("const ", "").strip()
        pointer = bare.endswith("*")
        target = bare[:-1].strip() if pointer else bare
        optional = (name in OPTIONAL_NAMES or key in OPTIONAL) and key not in NEEDED
        null = [(f"{name} = NULL", f"{variable} = NULL;", "ANY" if optional else "REFUSED")] if pointer else []
        if optional and name in ("err", "options", "index") and key not in NO_DEFAULT:
            null = [(f"{name} = NULL", f"{variable} = NULL;", "OPTIONAL")]
        given = ARGUMENTS.get(key)
        if target == "gcast_error":
            return f"gcast_error *{variable} = &error;", null
        if kind == "gcast_write_fn":
            return f"gcast_write_fn {variable} = world_write;", [(f"{name} = NULL", f"{variable} = NULL;", "REFUSED")]
        if bare == "void *" and not given:
            return f"void *{variable} = NULL;", []
        if pointer and target.endswith("_options"):
            declaration = f"{target} v{number} = {target}_default();"
            for statement in OPTIONS.get(target, "").split(";"):
                if statement.strip():
                    declaration += f"\n    v{number}{statement.strip()};"
            declaration += f"\n    {kind}{variable} = &v{number};"
            fields = [] if function in SLOW else list(self.field_variants(f"v{number}", target, f"{name}->"))
            if function in UNREAD_BY:
                fields = [(t, c, e if ".size" in c else "ANY") for t, c, e in fields]
            return declaration, null + fields
        if given is None and pointer and target == "char" and "const" in kind:
            if function in LOAD and name == "path":
                given = f'SOURCE_DIR "/{LOAD[function]}"' if LOAD[function] else '"no-such-file"'
            elif function in READ and name in ("text", "source"):
                given = READ[function]
            else:
                given = TEXT[name]
            is_read = function in READ and name in ("text", "source")
            wrong = [(f"{name} = {text}", f"{variable} = {text};", "ANY") for text in (TEXTS if name != "format" else []) + ['""']]
            if is_read:  # followed by its size
                wrong = [(shown, f"{statement} a{number + 1} = strlen({variable});", e) for shown, statement, e in wrong]
                wrong.append((f"half of {name}", f"a{number + 1} /= 2;", "ANY"))
            return f"{kind}{variable} = {given};", null + wrong
        if given is None and pointer and target in DRIVER:
            return f"{kind}{variable} = {DRIVER[target]};", null
        if given is None and pointer and target in GIVEN:
            value = GIVEN[target]
            declaration = f"{target} v{number} = {value};\n    {kind}{variable} = &v{number};"
            return declaration, null + list(self.field_variants(f"v{number}", target, f"{name}->"))
        if given is None and pointer and target in HANDLES and not self.is_output(function, kind, name):
            value = HANDLES[target]
            variants = null + [(f"{name} of another program", f"{variable} = {value.format(o='other')};", "ANY")]
            declaration = f"{kind}{variable} = {value.format(o='own')};"
            if target in OPEN and "const" in kind:
                declaration += f"\n    {target} v{number} = *{variable};"
                variants += [(text, f"{statement} {variable} = &v{number};", e)
                             for text, statement, e in self.field_variants(f"v{number}", target, f"{name}->")]
            if target == "gcast_gpu" and function in GPU_FIELDS:
                declaration += f"\n    gcast_gpu v{number} = *own.gpu;"
                for text, statement, expected in self.field_variants(f"v{number}", "gcast_gpu", f"{name}->"):
                    variants.append((text, f"{statement} {variable} = &v{number};", "ANY"))
            return declaration, variants
        if given is None and pointer:
            # What the call fills.
            if "const" in kind and not target.endswith("*"):
                raise Unknown(f"argument {key} of type {kind}")
            if self.is_output(function, kind, name):  # something that is not NULL, so that a failing call must set it
                self.results.append(number)
                return f"{self.pointee(kind)} o{number} = (void *)words;\n    {kind}{variable} = &o{number};", null
            return f"{self.pointee(kind)} o{number};\n    memset(&o{number}, 0, sizeof o{number});\n    {kind}{variable} = &o{number};", null
        if pointer:
            variants = null
            if target in HANDLES and "own." in given and "(" not in given:
                variants = variants + [(f"{name} of another program", f"{variable} = {given.replace('own.', 'other.')};", "ANY")]
            return f"{kind}{variable} = {given};", variants
        if bare in self.enums:
            expected = "ANY" if key in ANY_ENUM else "REFUSED"
            return (f"{bare} {variable} = {ENUMS.get(key, f'({bare})0')};",
                    [(f"{name} = {v}", f"{variable} = ({bare}){v};", expected) for v in ("-1", "1000")] +
                    [(f"{name} = {v}", f"{variable} = ({bare}){v};", "CHOICE") for v in CHOICES])
        if bare in NUMBERS:
            right = given or self.right_number(function, name)
            return (f"{bare} {variable} = {right};",
                    [(f"{name} = {v}", f"{variable} = {v};", "ANY") for v in self.values(bare, key)])
        raise Unknown(f"argument {key} of type {kind}")

    @staticmethod
    def is_output(function, kind, name):
        return kind.count("*") > 1

    @staticmethod
    def pointee(kind):
        return kind[:kind.rindex("*")].strip()

    @staticmethod
    def right_number(function, name):
        if name == "size":
            return f"strlen({READ[function]})"
        return "0"

    def function(self, result, name, parameters):
        declarations, variants = [], [("", "", "ANY" if name in MAY_FAIL else "FINE")]
        self.results = []
        for number, (kind, parameter) in enumerate(parameters):
            declaration, wrong = self.argument(name, kind, parameter, number)
            declarations.append(declaration)
            variants += wrong
        driver = any(kind.replace("const ", "").rstrip("* ") in DRIVER for kind, _ in parameters)
        changes = driver or name in SLOW or any(
            kind.rstrip("* ") in HANDLES and kind.count("*") == 1 for kind, _ in parameters)
        arguments = ", ".join(f"a{i}" for i in range(len(parameters)))
        if name == "gcast_error_set":
            arguments += ', "text"'
        out = [f"static bool call_{name}(int variant, int second, bool dry, misuse_outcome *out)", "{"]
        if "gcast_error *" in " ".join(kind for kind, _ in parameters):
            out += ["    gcast_error error = {0};"]
        out += ["    " + d for d in declarations]
        out += ["    for (int turn = 0; turn < (second ? 2 : 1); turn++)", "    switch (turn ? second : variant) {"]
        for i, (text, statement, expected) in enumerate(variants):
            choice = expected == "CHOICE"
            if expected == "OPTIONAL":
                expected = "ANY" if name in MAY_FAIL else "FINE"
            if choice or name.endswith("_free") or name.endswith("_close") or result in ("void", "const char *"):
                expected = "ANY"
            quoted = text.replace('"', '\\"')
            out += [f"    case {i}:", f"        {statement}" if statement else "",
                    f'        misuse_say(out, turn, "{quoted}", {expected}, {"true" if choice else "false"});', "        break;"]
        out += ["    default:", "        return false;", "    }", "    if (dry)", "        return true;"]
        out = [line for line in out if line]
        call = f"{name}({arguments})"
        if result == "void":
            out += [f"    {call};"]
        elif result == "gcast_status":
            out += ["    out->has_status = true;", f"    out->status = {call};"]
            out += [f"    out->left_result |= a{i} && o{i};" for i in self.results]
            err = [i for i, (kind, _) in enumerate(parameters) if kind.startswith("gcast_error")]
            if err:  # what is refused is refused in the same way without an error to fill
                out += [f"    if (out->status == GCAST_USAGE && a{err[0]}) {{", f"        a{err[0]} = NULL;",
                        f"        out->status = {call};", "    }"]
        elif result in ("const char *",):
            out += [f"    const char *result = {call};", "    out->is_true = result && result[0];"]
        elif result.endswith("*"):
            out += [f"    out->is_true = {call} != NULL;"]
        elif result == "bool":
            out += [f"    out->is_true = {call};"]
        else:
            out += [f"    {result} result = {call};", "    (void)result;"]
        out += ["    return true;", "}", ""]
        return "\n".join(out), driver, changes


HEAD = """/* Made from the headers by tests/library/misuse.py. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "misuse.h"

"""


def main():
    functions, structs, enums = read_headers(sys.argv[1])
    writer, bad, parts, table = Writer(structs, enums), [], [HEAD], []
    for result, name, parameters in functions:
        try:
            text, driver, changes = writer.function(result, name, parameters)
        except (Unknown, KeyError) as error:
            bad.append(f"misuse.py: {name}: what is a right argument? {error}")
            continue
        parts.append(text)
        table.append(f'    {{"{name}", {"true" if driver else "false"}, {"true" if changes else "false"}, call_{name}}},')
    if bad:
        print("\n".join(bad), file=sys.stderr)
        sys.exit(1)
    parts.append("const misuse_function misuse_functions[] = {\n" + "\n".join(table) + "\n};")
    parts.append("const int misuse_function_count = (int)(sizeof misuse_functions / sizeof misuse_functions[0]);\n")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


main()
