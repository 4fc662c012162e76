"""The structs and functions of libgridcast that the package uses.

tests/python/layout compares every field here with the headers, and gives the declarations to a C compiler beside them,
so that neither can differ from the library unseen.
"""
import ctypes as c

i32, u32, i64, u64, size, text = c.c_int, c.c_uint32, c.c_int64, c.c_uint64, c.c_size_t, c.c_char_p


class Struct(c.Structure):
    """A struct whose numbers are refused where they do not fit: ctypes would keep their lowest bits in silence."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if isinstance(value, int) and getattr(self, name) != value:
            raise ValueError("%s cannot be %d" % (name, value))


class gcast_error(Struct):
    _fields_ = [("code", i32), ("hint", i32), ("line", i32), ("column", i32), ("file", c.c_char * 256),
                ("path", c.c_char * 256), ("name", c.c_char * 256), ("message", c.c_char * 512)]


class gcast_limits(Struct):
    _fields_ = [(name, i32) for name in (
        "cc_major", "cc_minor", "threads_per_sm", "warps_per_sm", "blocks_per_sm", "threads_per_block",
        "registers_per_sm", "registers_per_block", "registers_per_thread", "register_check", "register_unit",
        "register_parts", "smem_per_sm", "smem_per_block", "smem_per_block_default", "smem_reserved", "smem_unit",
        "barriers_per_sm", "resident_grids", "carveouts")] + [("carveout", i32 * 16)] + [(name, i32) for name in (
            "cores_per_sm", "block_x", "block_y", "block_z", "grid_x", "grid_y", "grid_z", "texture_1d",
            "texture_2d_width", "texture_2d_height", "texture_3d")] + [("sources", text)]


class gcast_source(Struct):
    _fields_ = [("fields", text), ("text", text)]


class gcast_quantile(Struct):
    _fields_ = [("one_in", i64), ("ns", i64)]


class gcast_latency(Struct):
    _fields_ = [("samples", i64), ("min_ns", i64), ("max_ns", i64), ("count", i32), ("quantile", gcast_quantile * 16)]


class gcast_gpu(Struct):
    _fields_ = [("name", text), ("title", text), ("limits", gcast_limits), ("sms", i32), ("sms_per_tpc", i32),
                ("copy_engines", i32), ("copy_channels", i32), ("connections", i32), ("priority_levels", i32),
                ("register_quarters", c.c_bool), ("placement", i32), ("tie_order", i32), ("tie_list", c.POINTER(i32)),
                ("launch_latency_ns", i64), ("copy_latency_ns", i64), ("h2d_overhead_ns", i64),
                ("d2h_overhead_ns", i64), ("copy_duplex_percent", i32), ("copy_gap_ns", i64), ("copy_idle_ns", i64),
                ("copy_wake_ns", i64), ("d2h_start_ns", i64), ("d2h_end_ns", i64), ("stream_gap_ns", i64), ("event_gap_ns", i64), ("programmatic_gap_ns", i64), ("programmatic_wait_ns", i64), ("programmatic_depth", i32),
                ("handover_ns", i64), ("noise_ns", i64), ("launch_noise_ns", i64), ("switch_ns", i64),
                ("turn_ns", i64), ("wake_ns", i64), ("look_step_ns", i64), ("reach_ns", c.POINTER(i32)),
                ("starving_warps", i32), ("starved_ns", i64), ("retreat_ns", i64), ("job_overhead_ns", i64),
                ("graph_latency_ns", i64), ("graph_node_ns", i64), ("graph_root_ns", i64), ("graph_gap_ns", i64),
                ("graph_step_ns", i64), ("graph_trigger_gap_ns", i64), ("graph_start_gap_ns", i64),
                ("graph_copy_gap_ns", i64), ("graph_wait_ns", i64), ("graph_wide", i32), ("graph_wide_ns", i64), ("graph_wide_step_ns", i64),
                ("child_launch_ns", i64), ("child_step_ns", i64), ("child_call_ns", i64),
                ("child_call_step_ns", i64), ("child_call_service_ns", i64), ("child_refused_ns", i64),
                ("child_service_ns", i64), ("child_end_ns", i64), ("child_pool", i32), ("child_pool_grows", i32),
                ("child_queues", i32), ("child_forget", i32), ("child_level", i32),
                ("child_sync", i32), ("spawn_window_ns", i64),
                ("copy_slow_percent", i32), ("h2d_bytes_per_s", i64), ("d2h_bytes_per_s", i64), ("d2d_bytes_per_s", i64), ("memset_bytes_per_s", i64), ("memory_bytes", i64), ("l2_bytes", i64), ("clock_mhz", i32),
                ("launch_quantiles", gcast_latency), ("copy_quantiles", gcast_latency), ("gpc_count", i32), ("gpc_sizes", c.POINTER(i32)), ("gpc_sms", c.POINTER(i32)), ("sources", c.POINTER(gcast_source)), ("source_count", size), ("memory", c.c_void_p)]


class gcast_block_shape(Struct):
    _fields_ = [("threads", i32), ("registers", i32), ("static_smem", i64), ("dynamic_smem", i64), ("barriers", i32)]


class gcast_stream(Struct):
    _fields_ = [("id", i32), ("priority", i32), ("blocking", c.c_bool), ("blocking_given", c.c_bool), ("process", i32)]


class gcast_op(Struct):
    _fields_ = [("kind", i32), ("label", text), ("stream", i32), ("host", i32), ("task", i32), ("release_ns", i64),
                ("delay_ns", i64), ("event_pause_ns", i64), ("skip_ns", i64), ("host_waits", c.c_bool), ("extra_latency_ns", i64), ("after", c.POINTER(u32)), ("after_count", size), ("ports", c.POINTER(i32)),
                ("graph", i32), ("grid", u32 * 3), ("block", u32 * 3),
                ("blocks", u64), ("shape", gcast_block_shape), ("body", i32), ("carveout", i32),
                ("carveout_given", c.c_bool), ("mask", i32), ("block_ns", c.POINTER(i64)), ("policy", i32),
                ("plan", c.c_void_p), ("fill", u32), ("launches", c.c_void_p), ("cluster", u32 * 3), ("cooperative", c.c_bool),
                ("programmatic", c.c_bool), ("trigger_ns", i64), ("wait_ns", i64), ("waits_for", c.POINTER(u32)),
                ("waits_for_count", size), ("min_ns", i64), ("max_ns", i64), ("direction", i32),
                ("bytes", i64), ("host_memory", c.c_bool), ("barrier", i32)]


class gcast_task(Struct):
    _fields_ = [("name", text), ("stream", i32), ("period_ns", i64), ("deadline_ns", i64), ("offset_ns", i64),
                ("jitter_ns", i64), ("sporadic", c.c_bool), ("first_op", size), ("op_count", size)]


class gcast_mask(Struct):
    _fields_ = [("word", u64 * 64)]


class gcast_workload(Struct):
    _fields_ = [("name", text), ("source", text), ("gpu", c.POINTER(gcast_gpu)), ("partition_sms", i32),
                ("connections", i32), ("streams", c.POINTER(gcast_stream)), ("stream_count", size),
                ("hosts", c.POINTER(text)), ("host_count", size), ("ops", c.POINTER(gcast_op)), ("op_count", size),
                ("once_count", size), ("child_count", size), ("tasks", c.POINTER(gcast_task)), ("task_count", size),
                ("masks", c.POINTER(gcast_mask)), ("mask_count", size), ("graphs", c.POINTER(text)), ("graph_count", size), ("notes", c.POINTER(text)),
                ("note_count", size), ("memory", c.c_void_p)]


class gcast_block(Struct):
    _fields_ = [("start_ns", i64), ("end_ns", i64), ("sm", u32), ("quarter", u32)]


class gcast_run_op(Struct):
    _fields_ = [("op", u32), ("job", u32), ("skipped", c.c_bool), ("engine", i32), ("connection", i32),
                ("channel", i32), ("release_ns", i64), ("call_ns", i64), ("return_ns", i64), ("arrive_ns", i64),
                ("head_ns", i64), ("enter_ns", i64), ("start_ns", i64), ("dispatched_ns", i64), ("end_ns", i64),
                ("launch", u64), ("entry", u64), ("block_count", u64), ("blocks", c.POINTER(gcast_block)),
                ("window", c.POINTER(gcast_block)), ("window_index", c.POINTER(u64)), ("window_count", u64),
                ("workers", u64), ("retreated", u64), ("repaired", u64)]


class gcast_run(Struct):
    _fields_ = [("source", text), ("workload", c.POINTER(gcast_workload)), ("gpu", c.POINTER(gcast_gpu)),
                ("ops", c.POINTER(gcast_run_op)), ("op_count", size), ("child_count", size), ("children", c.c_void_p),
                ("launches", c.c_void_p), ("series", c.c_void_p), ("connections", i32), ("horizon_ns", i64),
                ("end_ns", i64), ("hang", c.c_void_p), ("noise_ns", i64), ("scatter", c.c_bool),
                ("latencies_given", c.c_bool), ("spawn_overridden", c.c_bool),
                ("spawn_policy", i32), ("spawn_threshold", u32), ("wake_ns", i64),
                ("blocks_recorded", c.c_bool), ("window_recorded", c.c_bool), ("window_from_ns", i64),
                ("window_to_ns", i64), ("gpu_zero_lo_ns", i64), ("gpu_zero_hi_ns", i64), ("notes", c.POINTER(text)),
                ("note_count", size), ("memory", c.c_void_p)]


PROGRESS = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_double)
WRITE = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_void_p, size)


class gcast_read_options(Struct):
    _fields_ = [("size", size), ("iterations", i32), ("gpu", c.POINTER(gcast_gpu))]


class gcast_simulate_options(Struct):
    _fields_ = [("size", size), ("record_blocks", c.c_bool), ("record_from_ns", i64), ("record_to_ns", i64),
                ("durations", i32), ("seed", u64), ("noise_ns", i64), ("noise_seed", u64), ("scatter", c.c_bool),
                ("horizon_ns", i64), ("releases", c.POINTER(i64)), ("release_count", size), ("as_measured", c.c_bool),
                ("merge_processes", c.c_bool), ("progress", PROGRESS), ("progress_data", c.c_void_p),
                ("random_placement", c.c_bool), ("placement_seed", u64), ("override_spawn", c.c_bool),
                ("spawn_policy", i32), ("spawn_threshold", u32), ("spawn", c.c_void_p),
                ("latencies", c.POINTER(i64)), ("latency_count", size), ("each_block", c.c_void_p),
                ("each_block_data", c.c_void_p)]


class gcast_search_options(Struct):
    _fields_ = [("size", size), ("max_ms", i64), ("op", size), ("all", c.c_bool), ("attained", c.c_bool)]


class gcast_analyze_options(Struct):
    _fields_ = [("size", size), ("any_phase", c.c_bool), ("any_order", c.c_bool), ("horizon_ns", i64),
                ("max_states", u64), ("max_bytes", u64), ("max_ms", i64), ("coarse", c.c_bool),
                ("progress", PROGRESS), ("progress_data", c.c_void_p),
                ("launch_min_ns", i64), ("launch_max_ns", i64), ("copy_min_ns", i64), ("copy_max_ns", i64), ("quantile", i64),
                ("begins", c.c_void_p), ("search", c.POINTER(gcast_search_options))]


class gcast_whatif_options(Struct):
    _fields_ = [("size", size), ("simulate", c.POINTER(gcast_simulate_options)), ("changes", c.POINTER(text)),
                ("change_count", size), ("gpus", c.POINTER(text)), ("gpu_count", size), ("of", text),
                ("deadlines", c.c_bool), ("all", c.c_bool), ("explain_all", c.c_bool), ("threads", i32),
                ("progress", c.c_void_p), ("progress_data", c.c_void_p)]


class gcast_whatif_row(Struct):
    _fields_ = [("changes", text), ("words", text), ("refusal", text), ("hangs", c.c_bool), ("better", c.c_bool),
                ("end_ns", i64), ("won_ns", i64), ("missed", size)]


class gcast_import_options(Struct):
    _fields_ = [("size", size), ("gpu", c.POINTER(gcast_gpu)), ("name", text), ("device", i64), ("step", i64),
                ("range", text), ("range_number", u64), ("all_threads", c.c_bool), ("from_ns", i64), ("to_ns", i64),
                ("connections", i32), ("kernel_durations", c.c_bool), ("told_events", c.c_bool),
                ("progress", c.c_void_p), ("progress_data", c.c_void_p)]


class gcast_subject(Struct):
    _fields_ = [("task", i32), ("run_op", size), ("matches", size), ("by_lateness", c.c_bool), ("late_ns", i64)]


class gcast_system_options(Struct):
    _fields_ = [("size", size), ("gpu", c.POINTER(gcast_gpu)), ("given", text), ("fill", c.c_bool),
                ("cores", c.POINTER(text)), ("core_count", size), ("chains", c.POINTER(text)), ("chain_count", size),
                ("waiting", i32), ("sharing", i32), ("rate_monotonic", c.c_bool), ("tick_ps", i64)]


class gcast_system_analyze_options(Struct):
    _fields_ = [("size", size), ("method", i32), ("communication", i32), ("reaction", i32),
                ("ignore_offsets", c.c_bool), ("gpu", c.POINTER(gcast_analyze_options))]


class gcast_system_task(Struct):
    _fields_ = [("name", text), ("core", text), ("best_ns", i64), ("worst_ns", i64), ("deadline_ns", i64),
                ("verdict", i32)]


class gcast_report_options(Struct):
    _fields_ = [("size", size), ("blocks", c.c_bool), ("first_sm", i32), ("last_sm", i32), ("from_ns", i64),
                ("to_ns", i64), ("max_rows", i32), ("width", i32), ("fold", c.c_bool), ("color", c.c_bool),
                ("no_blocks", c.c_bool), ("gzip", c.c_bool), ("progress", PROGRESS), ("progress_data", c.c_void_p),
                ("jobs", c.c_void_p), ("job_count", size), ("waits", c.c_void_p), ("wait_count", size),
                ("waits_label", text), ("waits_title", text), ("explain", c.c_void_p),
                ("each_block", c.c_void_p), ("each_block_data", c.c_void_p)]


class gcast_response(Struct):
    _fields_ = [("op", size), ("best_ns", i64), ("worst_ns", i64), ("deadline_ns", i64), ("never_called", c.c_bool),
                ("reached_ns", i64), ("seen_ns", i64), ("launch_limit_ns", i64), ("growth_ns", i64), ("rests_on_assumed", c.c_bool)]


class gcast_call_latency(Struct):
    _fields_ = [("used", c.c_bool), ("source", i32), ("min_ns", i64), ("max_ns", i64), ("one_in", i64),
                ("samples", i64)]


class gcast_analysis(Struct):
    _fields_ = [("method", i32), ("complete", c.c_bool), ("why_not", text), ("responses", c.POINTER(gcast_response)),
                ("response_count", size), ("assumptions", c.POINTER(text)), ("assumption_count", size),
                ("states", u64), ("launch", gcast_call_latency), ("copy", gcast_call_latency), ("memory", c.c_void_p)]


class gcast_answer(Struct):
    _fields_ = [("workload", c.c_void_p), ("gpu", c.c_void_p), ("analyses", c.POINTER(c.POINTER(gcast_analysis))),
                ("analysis_count", size), ("responses", c.POINTER(gcast_response)), ("response_count", size),
                ("complete", c.c_bool), ("attained", c.c_bool), ("searched", c.c_bool), ("launch", gcast_call_latency),
                ("copy", gcast_call_latency), ("conditional", c.c_bool), ("launch_limit_ns", i64),
                ("limit_may_be_longer", c.c_bool), ("duration_percent", i32), ("percent_may_be_larger", c.c_bool),
                ("growth_searched", c.c_bool), ("growth", i32), ("growth_hyperperiods", u64), ("growth_why", text),
                ("search_why_not", text), ("assumed", c.c_void_p), ("assumed_count", size),
                ("assumed_hold_at_once", c.c_bool), ("rests_on_assumed", c.c_bool), ("rests_on_open", c.c_bool),
                ("rests_on_carveouts", c.c_bool), ("rests_on_blocking", c.c_bool), ("rests_on_registers", c.c_bool),
                ("open_registers", i32), ("memory", c.c_void_p)]


class gcast_holder(Struct):
    _fields_ = [("run_op", size), ("blocks", u64), ("sms", u32)]


class gcast_wait(Struct):
    _fields_ = [("reason", i32), ("run_op", size), ("from_ns", i64), ("to_ns", i64), ("resources", c.c_uint),
                ("size_bytes", i64), ("min_bytes", i64), ("holders", c.POINTER(gcast_holder)),
                ("holder_count", size)]


class gcast_explanation(Struct):
    _fields_ = [("run_op", size), ("release_ns", i64), ("end_ns", i64), ("critical_block", i64),
                ("waits", c.POINTER(gcast_wait)), ("wait_count", size), ("memory", c.c_void_p)]


STRUCTS = {name: kind for name, kind in dict(globals()).items() if name.startswith("gcast_")}

# Defaults of options that are not zero.
DEFAULTS = {
    "gcast_read_options": {},
    "gcast_simulate_options": {},
    "gcast_search_options": {"op": (1 << 64) - 1},
    "gcast_analyze_options": {"max_states": 10000000, "max_bytes": 1 << 31, "max_ms": 60000, "launch_min_ns": -1,
                              "launch_max_ns": -1, "copy_min_ns": -1, "copy_max_ns": -1},
    "gcast_whatif_options": {},
    "gcast_import_options": {"device": -1, "step": -1, "range_number": 1},
    "gcast_system_options": {},
    "gcast_system_analyze_options": {"method": 1, "communication": 1},
    "gcast_report_options": {"last_sm": -1, "to_ns": -1, "fold": 1},
}

# Enumerators, each list from 0 on.
KINDS = ("kernel", "copy", "memset", "malloc", "free", "sync", "barrier")
DIRECTIONS = ("h2d", "d2h", "d2d")
METHODS = ("exact", "bound", "explore")
DURATIONS = ("max", "min", "random")
VERDICTS = ("none", "met", "missed", "open", "met_if")
WAITING = ("as_given", "busy", "suspend")
SHARING = ("as_given", "streams", "slices")
COMMUNICATION = ("direct", "implicit", "let")
REACTION = ("stimulus", "change")
ENUMS = {"GCAST_KIND_": KINDS, "GCAST_": DIRECTIONS, "GCAST_METHOD_": METHODS, "GCAST_DURATIONS_": DURATIONS,
         "GCAST_DEADLINE_": VERDICTS, "GCAST_WAITING_": WAITING, "GCAST_SHARING_": SHARING,
         "GCAST_COMMUNICATION_": COMMUNICATION, "GCAST_REACTION_": REACTION}
CONSTANTS = {"GCAST_CONDITION": 6, "GCAST_FORMAT_TABLE": 0, "GCAST_NO_BOUND": (1 << 63) - 1, "GCAST_NEVER": (1 << 63) - 1, "GCAST_UNKNOWN_NS": -1, "GCAST_ONCE": -1,
             "GCAST_NO_HOST": -1, "GCAST_ALL_SMS": -1, "GCAST_USAGE": 2, "GCAST_INPUT": 3, "GCAST_RESOURCE": 4,
             "GCAST_GPU": 5, "GCAST_INTERNAL": 70, "GCAST_NAMES_REASON": 22, "GCAST_NAMES_HINT": 26}

# The version of the headers that all this is from.
VERSION = 10000

DECLARATIONS = """
const char *gcast_version(void);
int gcast_version_number(void);
gcast_status gcast_version_check(int number, gcast_error *err);
const char *gcast_text(gcast_names names, int value);
void gcast_memory_free(void *memory);

gcast_status gcast_gpu_load(const char *what, gcast_gpu **gpu, gcast_error *err);
gcast_status gcast_gpu_read_json(const char *text, size_t size, const char *file, gcast_gpu **gpu, gcast_error *err);
gcast_status gcast_gpu_write_json(const gcast_gpu *gpu, char **text, size_t *size, gcast_error *err);
gcast_status gcast_gpu_partition(gcast_gpu *gpu, int sms, gcast_error *err);
void gcast_gpu_free(gcast_gpu *gpu);
const char *gcast_preset_name(size_t i);

gcast_status gcast_workload_create(const char *name, gcast_workload **w, gcast_error *err);
void gcast_workload_free(gcast_workload *w);
gcast_status gcast_workload_load(const char *path, const gcast_read_options *options, gcast_workload **w, gcast_error *err);
gcast_status gcast_workload_read(const char *text, size_t size, const char *file, const gcast_read_options *options, gcast_workload **w, gcast_error *err);
gcast_status gcast_workload_write_native(const gcast_workload *w, char **text, size_t *size, gcast_error *err);
gcast_status gcast_workload_add_stream(gcast_workload *w, const gcast_stream *stream, int *index, gcast_error *err);
gcast_status gcast_workload_get_stream(gcast_workload *w, int id, int *index, gcast_error *err);
gcast_status gcast_workload_add_host(gcast_workload *w, const char *name, int *index, gcast_error *err);
gcast_status gcast_workload_add_op(gcast_workload *w, const gcast_op *op, int *index, gcast_error *err);
gcast_status gcast_workload_add_task(gcast_workload *w, const gcast_task *task, int *index, gcast_error *err);
gcast_status gcast_workload_check(const gcast_workload *w, gcast_error *err);
void gcast_workload_set_partition(gcast_workload *w, int sms);
void gcast_workload_set_connections(gcast_workload *w, int connections);
size_t gcast_workload_set_duration(gcast_workload *w, const char *label, int64_t ns);
gcast_op gcast_op_default(gcast_kind kind);

gcast_status gcast_workload_simulate(const gcast_workload *workload, const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run **run, gcast_error *err);
gcast_status gcast_run_check(const gcast_run *run, gcast_error *err);
void gcast_run_free(gcast_run *run);
gcast_status gcast_run_report(const gcast_run *run, gcast_format format, const gcast_report_options *options, gcast_write_fn write, void *data, gcast_error *err);
bool gcast_format_from_file(const char *name, gcast_format *f, bool *gzip);

gcast_status gcast_workload_answer(const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods, size_t count, const gcast_analyze_options *options, gcast_answer **answer, gcast_error *err);
void gcast_answer_free(gcast_answer *answer);
gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *answer, const gcast_response *response);
gcast_status gcast_answer_report(const gcast_answer *answer, gcast_format format, const gcast_report_options *options, gcast_write_fn write, void *data, gcast_error *err);

gcast_status gcast_run_add_warnings(gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options, int trials, gcast_error *err);
gcast_status gcast_run_try_changes(const gcast_run *run, const gcast_whatif_options *options, gcast_whatif **x, gcast_error *err);
void gcast_whatif_free(gcast_whatif *x);
gcast_status gcast_whatif_workload(const gcast_whatif *x, size_t row, gcast_workload **w, gcast_error *err);
bool gcast_whatif_get_row(const gcast_whatif *x, size_t row, gcast_whatif_row *out);

bool gcast_run_in_time(const gcast_run *run);
gcast_status gcast_run_find_subject(const gcast_run *run, const char *name, bool worst, gcast_subject *out, gcast_error *err);
gcast_status gcast_workload_copy(const gcast_workload *from, gcast_workload **w, gcast_error *err);
gcast_status gcast_workload_import(const char *path, const gcast_import_options *options, gcast_workload **w, gcast_error *err);
gcast_status gcast_system_read(const char *const *paths, size_t count, const gcast_system_options *options, gcast_system **x, gcast_error *err);
void gcast_system_free(gcast_system *x);
const char *gcast_system_finding(const gcast_system *x, size_t number);
gcast_status gcast_system_analyze(const gcast_system *x, const gcast_system_analyze_options *options, gcast_system_answer **answer, gcast_error *err);
void gcast_system_answer_free(gcast_system_answer *answer);
gcast_deadline_verdict gcast_system_answer_verdict(const gcast_system_answer *answer, const char **why);
bool gcast_system_answer_get_task(const gcast_system_answer *answer, size_t number, gcast_system_task *task);

gcast_status gcast_run_explain(const gcast_run *run, size_t run_op, gcast_explanation **out, gcast_error *err);
void gcast_explanation_free(gcast_explanation *e);
const char *gcast_wait_rule(gcast_reason r, unsigned resources);
"""
