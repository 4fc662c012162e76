#include "report/web/run_page.h"

#include "report/canvas/font.h"
#include "report/hang/shown_run.h"
#include "report/tables/html.h"
#include "report/web/page_assets.h"
#include "report/web/page_run.h"
#include "report/web/page_waits.h"

static void put_head(const char *name, text *out)
{
    char title[LABEL_SIZE];
    text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    text_str(out, page_policy);
    text_str(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_xml(out, label_cut(name, LABEL_CHARS, title));
    text_str(out, "</title>\n<style>");
    text_str(out, page_style);
    text_str(out, "</style>\n</head>\n<body>\n");
    text_str(out, page_body);
}

/* The data of one run; `run` is what is drawn of it. */
static gcast_status put_drawn(const gcast_run *run, const gcast_run *told, const gcast_report_options *options,
                              int number, text *out, gcast_error *err)
{
    view v;
    page_ops ops;
    page_blocks blocks = {0};
    gcast_status status = view_make(&v, run, options, err);
    if (status != GCAST_OK)
        return status;
    if (!page_ops_make(&ops, run, told, &v))
        return gcast_error_set_memory(err);
    status = page_blocks_make(&blocks, &ops, &v, options, err);
    if (status == GCAST_OK)
        status = page_run_put(&ops, &v, &blocks, options, number, out, err);
    if (status == GCAST_OK)
        status = page_waits_put(&ops, options, number, out, err);
    if (status == GCAST_OK)
        status = page_blocks_put(&blocks, &ops, &v, number, out, err);
    page_blocks_free(&blocks);
    page_ops_free(&ops);
    return status;
}

/* The data of one run; of one that hangs, up to then, and without explanations, which it has none of. */
static gcast_status put_run(const gcast_run *run, const gcast_report_options *options, int number, text *out,
                            gcast_error *err)
{
    gcast_run shown;
    gcast_report_options own = *options;
    if (!run->hang)
        return put_drawn(run, run, options, number, out, err);
    if (!shown_run_make(run, true, &shown))
        return gcast_error_set_memory(err);
    own.explain = NULL;
    gcast_status status = put_drawn(&shown, run, &own, number, out, err);
    shown_run_free(&shown);
    return status;
}

static gcast_status put_page(const gcast_run *const *runs, int count, const gcast_report_options *options, text *out,
                             gcast_error *err)
{
    gcast_status status = GCAST_OK;
    put_head(runs[0]->workload->name, out);
    text_str(out, "<noscript>\n");
    for (int i = 0; i < count && status == GCAST_OK; i++)
        status = html_plain(runs[i], options, out, err);
    text_str(out, "</noscript>\n");
    for (int i = 0; i < count && status == GCAST_OK; i++)
        status = put_run(runs[i], options, i, out, err);
    text_str(out, "<script>");
    text_str(out, page_script);
    text_str(out, "</script>\n</body>\n</html>\n");
    return status;
}

gcast_status run_page_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    return put_page(&run, 1, options, out, err);
}

gcast_status run_page_write_pair(const gcast_run *above, const gcast_run *below, const gcast_report_options *options,
                                 text *out, gcast_error *err)
{
    const gcast_run *const runs[] = {above, below};
    return put_page(runs, 2, options, out, err);
}
