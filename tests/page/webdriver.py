"""A browser without a screen, driven by the WebDriver protocol over HTTP; needs nothing beyond Python's own library."""
import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
        "ArrowDown": "\ue015", "Tab": "\ue004", "Shift": "\ue008", "Control": "\ue009"}
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def tools():
    """Paths of the browser and its driver; None where one is missing."""
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    """One window. Use it with `with`: it ends what it started."""

    def __init__(self, scratch, width=1280, height=800, dark=False):
        browser, driver = tools()
        # The driver says on its first lines which port it took.
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       cwd=scratch, text=True)
        try:
            self.at = "http://127.0.0.1:%d" % self._port()
            arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", "--user-data-dir=" + os.path.join(scratch, "profile"),
                         "--window-size=%d,%d" % (width, height), "--hide-scrollbars", "--force-color-profile=srgb"]
            if dark:
                arguments.append("--blink-settings=preferredColorScheme=0")
            wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": browser, "args": arguments},
                      "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 900000, "pageLoad": 900000}}
            answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = "/session/" + answer["sessionId"]
        except Exception:
            self.driver.kill()
            raise

    def _port(self):
        for line in self.driver.stdout:
            if "successfully on port " in line:
                return int(line.split("successfully on port ")[1].rstrip(".\n"))
        raise RuntimeError("chromedriver did not start")

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.at + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with LOCAL.open(request, timeout=1000) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError("%s: %s" % (value["error"], value["message"].splitlines()[0])) from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def open(self, path):
        self._ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """What a script returns; it runs in the page."""
        return self._ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments):
        """What a script returns as soon as that is true; after ten minutes it never will be."""
        until = time.monotonic() + 600
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > until:
                raise AssertionError("never came true: " + script)
            time.sleep(0.03)

    def run_async(self, script, *arguments):
        """Calls back by its last argument."""
        return self._ask("POST", self.session + "/execute/async", {"script": script, "args": list(arguments)})

    def element(self, selector):
        return self._ask("POST", self.session + "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def _at_element(self, action, selector, body):
        """Does something at an element. A page that draws it anew between the two requests has it all the same."""
        while True:
            try:
                return self._ask("POST", "%s/element/%s/%s" % (self.session, self.element(selector), action), body)
            except RuntimeError as reason:
                if not str(reason).startswith("stale element reference"):
                    raise

    def click(self, selector):
        self._at_element("click", selector, {})

    def type(self, selector, text):
        self._at_element("value", selector, {"text": text})

    def actions(self, *sources):
        self._ask("POST", self.session + "/actions", {"actions": list(sources)})
        self._ask("DELETE", self.session + "/actions")

    def keys(self, *names):
        """Presses keys one after the other, at whatever has the focus."""
        steps = []
        for name in names:
            steps += [{"type": "keyDown", "value": KEYS.get(name, name)}, {"type": "keyUp", "value": KEYS.get(name, name)}]
        self.actions({"type": "key", "id": "keys", "actions": steps})

    def pointer(self, steps, kind="mouse", name="pointer"):
        return {"type": "pointer", "id": name, "parameters": {"pointerType": kind}, "actions": steps}

    def move(self, x, y):
        self.actions(self.pointer([{"type": "pointerMove", "x": round(x), "y": round(y)}]))

    def press(self, x, y):
        self.actions(self.pointer([{"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0},
                                   {"type": "pointerUp", "button": 0}]))

    def drag(self, x0, y0, x1, y1, kind="mouse"):
        self.actions(self.pointer([{"type": "pointerMove", "x": x0, "y": y0}, {"type": "pointerDown", "button": 0},
                                   {"type": "pointerMove", "x": (x0 + x1) // 2, "y": (y0 + y1) // 2, "duration": 20},
                                   {"type": "pointerMove", "x": x1, "y": y1, "duration": 20},
                                   {"type": "pointerUp", "button": 0}], kind))

    def wheel(self, x, y, dx, dy):
        self.actions({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": x, "y": y, "deltaX": dx, "deltaY": dy, "duration": 0, "origin": "viewport"}]})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._ask("GET", self.session + "/screenshot")))

    def pdf(self):
        return base64.b64decode(self._ask("POST", self.session + "/print", {}))

    def errors(self):
        """What the browser complained about since the last time; not that tests read pixels."""
        return [entry["message"] for entry in self._ask("POST", self.session + "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING") and "willReadFrequently" not in entry["message"]]
