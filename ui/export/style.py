"""The style of exported pages, in the colours of the window."""

from ui.palette import DARK, LIGHT, ColorName

_CODE: tuple[ColorName, ...] = (
    "code_keyword",
    "code_string",
    "code_comment",
    "code_number",
    "code_name",
    "code_type",
    "error",
)
_COLORS: tuple[ColorName, ...] = (
    "background",
    "text",
    "muted",
    "line",
    "accent",
    "bubble",
    "code",
    "inline_code",
    *_CODE,
)
_RULES = """body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem;
  font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--background); }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 2rem 0 .2rem; overflow-wrap: anywhere; }
.when { margin: 0 0 2rem; color: var(--muted); font-size: .85rem; }
section + section { border-top: 1px solid var(--line); margin-top: 3rem; }
article { margin: 1.6rem 0; overflow-wrap: anywhere; }
article > h2, nav h2 { font-size: .85rem; font-weight: 600; color: var(--muted);
  margin: 0 0 .3rem; }
.user { background: var(--bubble); border-radius: 14px; padding: .7rem 1rem; margin-left: 15%; }
.typed { white-space: pre-wrap; margin: 0; }
a { color: var(--accent); }
nav li { margin: .2rem 0; overflow-wrap: anywhere; }
code { font: .88em/1.5 ui-monospace, monospace; background: var(--inline_code);
  border-radius: 4px; padding: .1em .3em; }
figure.code { margin: 1rem 0; background: var(--code); border: 1px solid var(--line);
  border-radius: 10px; overflow: hidden; }
figcaption { color: var(--muted); font-size: .8rem; padding: .4rem .9rem;
  border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .8rem .9rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
details { border-left: 3px solid var(--line); padding-left: .9rem; margin: .6rem 0;
  color: var(--muted); }
summary { cursor: pointer; font-size: .9rem; }
blockquote { margin: 1rem 0; padding-left: .9rem; border-left: 3px solid var(--line);
  color: var(--muted); }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: .35rem .7rem; }
th { text-align: left; }
hr { border: 0; border-top: 1px solid var(--line); }
math[display="block"] { margin: 1rem 0; overflow-x: auto; overflow-y: hidden; }
.contains-task-list { list-style: none; padding-left: 1.2rem; }
@media print { figure.code, pre { overflow: visible; white-space: pre-wrap; } }
"""


def _variables(colors: dict[ColorName, str]) -> str:
    return " ".join(f"--{name}: {colors[name]};" for name in _COLORS)


def _style() -> str:
    code = "".join(f"code .{name} {{ color: var(--{name}); }}\n" for name in _CODE)
    return (
        f":root {{ color-scheme: light dark; {_variables(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}\n"
        f"{_RULES}{code}"
    )


STYLE = _style()
