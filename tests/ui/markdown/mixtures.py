"""Texts that mix all that Markdown has, made from a seed."""

from __future__ import annotations

from random import Random

_WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "one",
    "two",
    "see",
    "is",
    "of",
    "the",
    "und",
    "über",
    "1998",
    "x",
    "y_z",
    "a*b",
    "3.14",
    "it's",
]
_INLINE = (
    "*{}*", "**{}**", "_{}_", "~~{}~~", "`{}`", "`` {} ` ``", "[{}](http://a.b)", "[{}][r1]",
    "[r2]",
    "![{}](x.png)", "<http://a.b/c>", "<b>{}</b>", "&copy;", "\\*{}\\*", "${}+1$", "$$ {} $$",
    "\\({}\\)", "[{}", "{}]", "*{}", "{}**", "`{}", "{}`", "${}", "<!-- {} -->", "{}  ", "{}\\",
    "[^{}]",
    "[x] {}", "|{}|", "\\[{}\\]", "\\[{}",
)  # fmt: skip
_NOISE = "ab1.)|-+*`~>#$\\[](:)<=_ \t\n\u00a0\r"


class Mixture:
    """Makes texts; the same seed makes the same.

    Args:
        seed: Of what is random.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._pick = self._random.choice

    def text(self, n_characters: int) -> str:
        """A text of about so many characters."""
        text = ""
        while len(text) < n_characters:
            text += "\n".join(self._block(0)) + self._pick(["\n\n", "\n\n", "\n", "\n\n\n"])
        return text[:n_characters]

    def pieces(self, text: str) -> list[str]:
        """The text in pieces, of which some are short and some are long."""
        pieces: list[str] = []
        while text:
            n = self._random.choice([1, 3, 20, 150, 700, 2500])
            n = self._random.randint(1, n)
            pieces.append(text[:n])
            text = text[n:]
        return pieces

    def _is(self, chance: float) -> bool:
        return self._random.random() < chance

    def _phrase(self, n_words: int) -> str:
        words: list[str] = []
        for _ in range(n_words):
            word = self._pick(_WORDS)
            if self._is(0.2):
                inner = " ".join(self._random.choices(_WORDS, k=self._random.randint(1, 3)))
                word = self._random.choice(_INLINE).replace("{}", inner)
            words.append(word)
        return " ".join(words)

    def _block(self, depth: int) -> list[str]:
        kinds = [
            self._paragraph, self._paragraph, self._long_paragraph, self._heading, self._setext,
            self._rule, self._fence, self._indented, self._table, self._formula, self._html,
            self._definition, self._noise, self._line_of_code, self._line_of_formulas,
        ]  # fmt: skip
        if depth < 4:
            around = self._pick([None, None, self._quote, self._list, self._list])
            if around is not None:
                return around(depth)
        return self._pick(kinds)()

    def _n(self, usual: int, most: int) -> int:
        return self._random.randint(1, most if self._is(0.05) else usual)

    def _paragraph(self) -> list[str]:
        indent = self._pick(["", "", "", "  ", "   "])
        return [indent + self._phrase(self._n(12, 60)) for _ in range(self._n(4, 90))]

    def _long_paragraph(self) -> list[str]:
        return [self._phrase(self._n(80, 900))]

    def _heading(self) -> list[str]:
        return ["#" * self._n(7, 8) + " " + self._phrase(4)]

    def _setext(self) -> list[str]:
        return [*self._paragraph(), self._pick(["===", "---", "-", "=", " --"])]

    def _rule(self) -> list[str]:
        return [self._pick(["---", "***", "- - -", "___", "* * *"])]

    def _fence(self) -> list[str]:
        mark = self._pick(["```", "~~~", "````"])
        lines = [self._phrase(4) if self._is(0.8) else "" for _ in range(self._n(6, 300))]
        first = mark + self._pick(["", "py", " c++ x", "a`b"])
        return [first, *lines, *([mark] if self._is(0.85) else [])]

    def _indented(self) -> list[str]:
        return [
            "    " + self._phrase(4) if self._is(0.85) else self._pick(["", "     ", "\tx"])
            for _ in range(self._n(5, 300))
        ]

    def _table(self) -> list[str]:
        n = self._n(5, 30)
        rows = ["| " + " | ".join(self._phrase(1) for _ in range(n)) + " |" for _ in range(2)]
        rows.insert(1, "|" + self._pick(["---|", ":-:|", "--:|"]) * (n if self._is(0.9) else 2))
        more = self._n(5, 120)
        return rows + ["| " + " | ".join(self._phrase(1) for _ in range(n)) for _ in range(more)]

    def _formula(self) -> list[str]:
        first, last = self._pick([("$$", "$$"), ("\\[", "\\]"), ("$$", ""), ("\\[", "")])
        lines = [self._pick(["x + y", "- z", "\\frac{a}{b}", "# a", "> 3"])]
        lines *= self._n(4, 700)
        if self._is(0.3):
            return [first + " ".join(lines) + last + self._pick(["", "", " x", "."])]
        return [first, *lines, last]

    def _html(self) -> list[str]:
        return self._pick(
            [["<div>", "*a*", "", "</div>"], ["<!-- a", "- b", "-->"], ["<pre>", "# x", "</pre>"]]
        )

    def _definition(self) -> list[str]:
        label = self._pick(["r1", "r2", "x"])
        title = self._pick(["", " 'a'", " 'a\nb'", "\n'c'", "\n'unclosed"])
        return f"[{label}]: {self._pick(['', chr(10)])}http://c.d/{title}".split("\n")

    def _noise(self) -> list[str]:
        return "".join(self._random.choices(_NOISE, k=self._n(60, 3000))).split("\n")

    def _line_of_code(self) -> list[str]:
        mark = self._pick(["`", "``"])
        joint = self._pick([" ", "\n"])
        code = joint.join(self._random.choices(_WORDS, k=self._n(90, 1500)))
        return f"{self._phrase(4)} {mark}{code}{mark} {self._phrase(6)}".split("\n")

    def _line_of_formulas(self) -> list[str]:
        if self._is(0.3):
            return [f"a $x_1 + {' '.join(['y^2'] * self._n(60, 1500))}$ b"]
        return [" ".join(f"$x_{{{n}}}$" for n in range(self._n(30, 400)))]

    def _blocks(self, depth: int, n_most: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self._random.randint(1, n_most)):
            lines += self._block(depth) + self._pick([[], [""], [""]])
        return lines

    def _quote(self, depth: int) -> list[str]:
        mark = self._pick(["> ", "> ", ">", " > "])
        lines = self._blocks(depth + 1, 3 if self._is(0.9) else 8)
        return [
            line if line and n and self._is(0.05) else mark + line for n, line in enumerate(lines)
        ]

    def _list(self, depth: int) -> list[str]:
        lines: list[str] = []
        indent = self._pick(["", "", "", " ", "  "])
        kind = self._pick(["-", "*", "+", "1.", "2)", "10."])
        for _ in range(self._n(4, 60) if depth < 3 else 2):
            marker = indent + kind + self._pick([" ", " ", " ", "  ", "\t", "     "])
            room = " " * len(marker.expandtabs(4)) if self._is(0.95) else " " * 2
            inner = self._blocks(depth + 1, 2) if self._is(0.5) else [self._phrase(self._n(8, 60))]
            if self._is(0.05):
                inner = ["", *inner]
            if self._is(0.1):
                inner[0] = self._pick(["[x] ", "[ ] "]) + inner[0]
            lines += [marker + inner[0]]
            lines += [line if not line or self._is(0.04) else room + line for line in inner[1:]]
            lines += self._pick([[], [], [""]])
        return lines
