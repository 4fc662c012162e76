#include "report/page.h"

#include "report/canvas/font.h"

static const char style[] = "body{font:14px/1.5 system-ui,sans-serif;color:#222;margin:2em auto;max-width:1100px;"
                            "padding:0 1em}\n"
                            "svg{max-width:100%;height:auto}\n"
                            "table{border-collapse:collapse;margin:1em 0}\n"
                            "th,td{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}\n"
                            ".number{text-align:right;font-variant-numeric:tabular-nums}\n"
                            ".dim{color:#888}\n.alarm{color:#b00020}\n"
                            "rect:hover,polygon:hover{opacity:.8}\n";

void page_begin(const char *name, text *out)
{
    char title[LABEL_SIZE];
    text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    text_xml(out, label_cut(name, LABEL_CHARS, title));
    text_str(out, "</title>\n<style>\n");
    text_str(out, style);
    text_str(out, "</style>\n</head>\n<body>\n");
}

void page_end(text *out)
{
    text_str(out, "</body>\n</html>\n");
}
