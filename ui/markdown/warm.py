"""What formatting an answer needs and takes long to make, made before the first answer."""


def warm_up() -> None:
    """Make the parser and what sets formulas. Slow: not for the main thread."""
    from ui.markdown.formulas import load_setting
    from ui.markdown.highlight import lexer_of
    from ui.markdown.parser import parse

    parse("# a\n\n- [ ] *b*\n\n| c |\n|---|\n| `d` |\n\n[e]: http://f.g\n", {})
    lexer_of("python")
    load_setting()
