/* What every page has, put into the library from web/ by cmake/web.cmake. */
#ifndef REPORT_WEB_PAGE_ASSETS_H
#define REPORT_WEB_PAGE_ASSETS_H

extern const char page_style[];  /* web/page.css */
extern const char page_body[];   /* web/page.html: the elements that the script fills */
extern const char page_script[]; /* the scripts of web/, one after the other */
/* The content of a Content-Security-Policy that allows only this style and this script, by their hashes. */
extern const char page_policy[];

#endif
