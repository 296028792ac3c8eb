"""A Content-Security-Policy on every page: a browser runs only the book's own scripts, and sends nothing elsewhere.

So it is the browser that guarantees that a reader's text and answers stay on the machine. The policy is on the pages,
because GitHub Pages sets no headers and a page opened from disk has none.
"""

POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # models run as WebAssembly; no script or handler is in the markup
    "style-src": "'self' 'unsafe-inline'",  # figures and formulas have style attributes
    "img-src": "'self' data:",
    "worker-src": "blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def setup(app):
    app.connect("html-page-context", add_policy, priority=950)  # before other tags: what stands before is not covered


def add_policy(app, pagename, templatename, context, doctree):
    policy = "; ".join(f"{name} {sources}" for name, sources in POLICY.items())
    tag = f'\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    context["metatags"] = tag + context.get("metatags", "")
