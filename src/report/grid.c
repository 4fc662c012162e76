#include "report/grid.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "report/canvas/font.h"

#define LABEL_COLUMNS 40

void grid_open(grid *g, const grid_column *columns)
{
    *g = (grid){.columns = columns};
    while (columns[g->count].title)
        g->count++;
}

void grid_close(grid *g)
{
    arena_free(&g->memory);
    vec_free(&g->rows);
}

void grid_add(grid *g, grid_style style)
{
    if (!vec_push(&g->rows, (grid_row){.style = style}))
        g->failed = true;
}

void grid_cell(grid *g, int column, const char *words)
{
    if (g->failed)
        return;
    const char *copy = arena_strdup(&g->memory, words);
    g->rows.at[g->rows.count - 1].cell[column] = copy;
    g->failed = !copy;
}

void grid_print(grid *g, int column, const char *format, ...)
{
    char cell[128];
    va_list args;
    va_start(args, format);
    vsnprintf(cell, sizeof cell, format, args);
    va_end(args);
    grid_cell(g, column, cell);
}

void grid_label(grid *g, int column, const char *label)
{
    grid_label_cut(g, column, 0, label, LABEL_COLUMNS);
}

/* The label is cut before it is escaped, as it may be huge, and after, as escapes are wider. */
void grid_label_cut(grid *g, int column, int indent, const char *label, int columns)
{
    char start[400], cell[LABEL_SIZE], shown[LABEL_SIZE + 16];
    text t;
    snprintf(start, sizeof start, "%s", label);
    text_open(&t, NULL, NULL);
    text_terminal(&t, start);
    char *escaped = text_take(&t, NULL);
    if (!escaped) {
        g->failed = true;
        return;
    }
    snprintf(shown, sizeof shown, "%*s%s", indent, "", label_cut(escaped, (size_t)min_int(columns, LABEL_CHARS), cell));
    free(escaped);
    grid_cell(g, column, shown);
}

static const char *cell_of(const grid *g, size_t row, int column)
{
    const char *cell = g->rows.at[row].cell[column];
    return cell ? cell : "";
}

static void pad(text *out, size_t n)
{
    while (n--)
        text_char(out, ' ');
}

static void put_line(const grid *g, const char *const *cells, const size_t *widths, text *out)
{
    int count = g->count;
    while (count > 0 && !cells[count - 1][0]) /* no spaces at the end of a line */
        count--;
    for (int c = 0; c < count; c++) {
        size_t space = widths[c] - text_width(cells[c]);
        if (c)
            text_str(out, "  ");
        if (g->columns[c].right)
            pad(out, space);
        text_str(out, cells[c]);
        if (!g->columns[c].right && c + 1 < count)
            pad(out, space);
    }
}

bool grid_text(const grid *g, bool color, text *out)
{
    static const char *const styles[] = {"", "\x1b[2m", "\x1b[31m"};
    size_t widths[GRID_COLUMNS] = {0};
    const char *cells[GRID_COLUMNS];
    if (g->failed) {
        text_no_memory(out);
        return false;
    }
    for (int c = 0; c < g->count; c++) {
        cells[c] = g->columns[c].title;
        widths[c] = text_width(cells[c]);
        for (size_t r = 0; r < g->rows.count; r++)
            widths[c] = max_size(widths[c], text_width(cell_of(g, r, c)));
    }
    text_str(out, color ? "\x1b[1m" : "");
    put_line(g, cells, widths, out);
    text_str(out, color ? "\x1b[0m\n" : "\n");
    for (size_t r = 0; r < g->rows.count; r++) {
        const char *style = color ? styles[g->rows.at[r].style] : "";
        for (int c = 0; c < g->count; c++)
            cells[c] = cell_of(g, r, c);
        text_str(out, style);
        put_line(g, cells, widths, out);
        text_str(out, *style ? "\x1b[0m\n" : "\n");
    }
    return true;
}

bool grid_html(const grid *g, size_t max_rows, text *out)
{
    static const char *const styles[] = {"<tr>", "<tr class=\"dim\">", "<tr class=\"alarm\">"};
    if (g->failed) {
        text_no_memory(out);
        return false;
    }
    text_str(out, "<table>\n<thead><tr>");
    for (int c = 0; c < g->count; c++) {
        text_str(out, g->columns[c].right ? "<th class=\"number\">" : "<th>");
        text_xml(out, g->columns[c].title);
        text_str(out, "</th>");
    }
    text_str(out, "</tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < g->rows.count && r < max_rows; r++) {
        text_str(out, styles[g->rows.at[r].style]);
        for (int c = 0; c < g->count; c++) {
            text_str(out, g->columns[c].right ? "<td class=\"number\">" : "<td>");
            text_xml(out, cell_of(g, r, c));
            text_str(out, "</td>");
        }
        text_str(out, "</tr>\n");
    }
    text_str(out, "</tbody>\n</table>\n");
    if (g->rows.count > max_rows)
        text_printf(out, "<p>%zu more rows are not shown.</p>\n", g->rows.count - max_rows);
    return true;
}

#define MIN_UNITS 10 /* that the longest time has: 9 ms are shown as 9000 us, 10 ms as 10 ms */

time_format time_format_for(int64_t longest, int max_decimals)
{
    return (time_format){.unit = time_unit_for(longest, MIN_UNITS), .max_decimals = max_decimals};
}

void time_format_include(time_format *f, int64_t ns)
{
    int decimals = ns < 0 ? 0 : time_decimals(ns, f->unit, f->max_decimals);
    f->decimals = max_int(f->decimals, decimals);
}

void time_format_cell(grid *g, int column, int64_t ns, bool applies, time_format f)
{
    char cell[48] = "-";
    if (applies)
        time_in_unit(ns, f.unit, f.decimals, cell, sizeof cell);
    grid_cell(g, column, cell);
}

const char *time_format_title(char *out, size_t size, const char *title, time_format f)
{
    snprintf(out, size, "%s (%s)", title, f.unit->name);
    return out;
}
