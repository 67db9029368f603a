"""What a template is offered, and what a hostile one does not get."""

from __future__ import annotations

import json
import time

import pytest

from engine.errors import EngineError, ErrorCode
from engine.template import ChatTemplate


def render(source: str, *, max_s: float = 2.0, **values: object) -> str:
    template = ChatTemplate(source, bos_text="<s>", eos_text="</s>", max_s=max_s)
    return template.render([{"role": "user", "content": "hi", **values}])


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ bos_token }}{{ messages[0]['content'] }}{{ eos_token }}", "<s>hi</s>"),
        ("{% if add_generation_prompt %}yes{% endif %}", "yes"),
        ("{{ tools is none }}", "True"),
        ("{{ {'b': '<é>', 'a': [1]} | tojson }}", '{"b": "<é>", "a": [1]}'),
        ("{{ [1] | tojson(indent=2) }}", json.dumps([1], indent=2)),
        ("{{ {'a': 1} | tojson(separators=(',', ':')) }}", '{"a":1}'),
        ("{{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }}", '{"a": 2, "b": 1}'),
        ("{{ 'é' | tojson(ensure_ascii=true) }}", '"\\u00e9"'),
        ("{% for i in range(9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}", "012"),
        (
            "{% for i in [1, 2] %}{{ loop.index }}/{{ loop.length }}{{ loop.last }} {% endfor %}",
            "1/2False 2/2True ",
        ),
        ("{% for a, b in {'x': 1}.items() %}{{ a ~ b }}{% else %}none{% endfor %}", "x1"),
        (
            "{% for m in [[1, [2]]] recursive %}{{ m if m is number else loop(m) }}{% endfor %}",
            "12",
        ),
        ("{% generation %}said{% endgeneration %}", "said"),
        ("{% for i in [1] %}\n    a\n    {% endfor %}\nb", "    a\nb"),
        ("{{ '%s-%03d' % ('a', 7) }}{{ '{}!'.format('b') }}{{ '%d' | format(3) }}", "a-007b!3"),
        ("{{ 'a b'.replace(' ', '_') | upper }}{{ ['a', 1] | join(',') }}", "A_Ba,1"),
        ("{{ [1, 2] | sum }}{{ 'x' * 3 }}{{ 'a\nb' | indent(2) }}", "3xxxa\n  b"),
        ("{{ nothing }}{{ none }}{{ 1.5 }}{{ [1, 'a'] }}", "None1.5[1, 'a']"),
        ("{{ [{'n': 'a'}, {'n': 'b'}] | map(attribute='n') | join('+') }}", "a+b"),
        ("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m('y') }}", "<y>"),
        ("{% set x %}in{% endset %}{{ x }}", "in"),
    ],
)
def test_templates_have_what_they_expect(source: str, text: str) -> None:
    assert render(source) == text


def test_time_of_day_is_the_local_one() -> None:
    assert render("{{ strftime_now('%Y') }}") == time.strftime("%Y")


HOSTILE = {
    "endless loops": "{% for a in range(99999) %}{% for b in range(99999) %}"
    "{% endfor %}{% endfor %}",
    "loops in filters": "{% set r = range(99999) %}{{ r | map('string') | map('length') | sum "
    "if false }}{% for a in r %}{{ '' if (r | select('odd') | list) else '' }}{% endfor %}",
    "endless recursion": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "two calls each": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}"
    "{% endmacro %}"
    "{{ m(60) }}",
    "center": "{{ 'a'.center(2000000000) }}",
    "center filter": "{{ 'a' | center(2000000000) }}",
    "ljust": "{{ 'a'.ljust(2000000000) }}",
    "zfill": "{{ 'a'.zfill(width=2000000000) }}",
    "repeat": "{{ 'a' * 10**9 }}",
    "repeat reversed": "{{ 10**9 * 'a' }}",
    "repeat a list": "{{ ([0] * 10**9) | length }}",
    "power": "{{ 9 ** (9 ** 9) }}",
    "squares": "{% set ns = namespace(x=9) %}{% for i in range(64) %}"
    "{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x > 1 }}",
    "doubling": "{% set ns = namespace(x='aa') %}{% for i in range(64) %}"
    "{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "joining": "{% set ns = namespace(x='aa') %}{% for i in range(64) %}"
    "{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "lists": "{% set ns = namespace(x=[0]) %}{% for i in range(64) %}"
    "{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "nested lists": "{% set ns = namespace(x=[0]) %}{% for i in range(64) %}"
    "{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
    "nested lists as json": "{% set ns = namespace(x=[0]) %}{% for i in range(64) %}"
    "{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}",
    "nested lists as string": "{% set ns = namespace(x=[0]) %}{% for i in range(64) %}"
    "{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ (ns.x | string) | length }}",
    "format width": "{{ '%1000000000d' % 1 }}",
    "format width given": "{{ '%*d' % (1000000000, 1) }}",
    "format method": "{{ '{:1000000000}'.format(1) }}",
    "format method given": "{{ '{:{}}'.format(1, 1000000000) }}",
    "format filter": "{{ '%1000000000d' | format(1) }}",
    "replace": "{% set s = 'a' * 100000 %}{{ s.replace('a', s) | length }}",
    "replace filter": "{% set s = 'a' * 100000 %}{{ (s | replace('a', s)) | length }}",
    "join": "{% set s = 'a' * 100000 %}{{ ([s] * 100000) | join | length }}",
    "join method": "{% set s = 'a' * 100000 %}{{ s.join(['b'] * 100000) | length }}",
    "sum of lists": "{% set s = [0] * 100000 %}{{ ([s] * 100000) | sum(start=[]) | length }}",
    "indent": "{{ ('a\\n' * 100000) | indent(9999) | length }}",
    "batch": "{{ [1] | batch(1000000000, 'x') | list | length }}",
    "long loop of output": "{% set s = 'a' * 100000 %}{% for i in range(99999) %}{{ s }}"
    "{% endfor %}",
    "output kept": "{% set s = 'a' * 100000 %}{% set x %}{% for i in range(99999) %}{{ s }}"
    "{% endfor %}{% endset %}",
    "text of the template": "{% for i in range(99999) %}" + "a" * 100_000 + "{% endfor %}",
    "slices": "{% set s = 'a' * 1000000 %}{% set ns = namespace(x=[]) %}{% for i in range(99999) %}"
    "{% set ns.x = ns.x + [s[1:]] %}{% endfor %}",
    "big range": "{{ range(10**9) | list | length }}",
    "lorem ipsum": "{{ lipsum(n=1000000000) }}",
    "attributes of objects": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "format to attributes": "{{ '{0.__class__.__mro__}'.format('') }}",
    "changing the messages": "{{ messages.append(1) }}",
    "huge source": "{{ 1 }}" + " " * (2 << 20),
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_template_fails_in_bounded_time(source: str) -> None:
    begin_s = time.monotonic()
    with pytest.raises(EngineError) as caught:
        render(source, max_s=0.3)
    assert caught.value.info.code is ErrorCode.TEMPLATE_FAILED
    assert caught.value.info.detail("reason")
    # An endless one would take hours; the bound leaves room for a busy machine.
    assert time.monotonic() - begin_s < 10


def test_a_long_conversation_is_no_attack() -> None:
    source = "{% for m in messages %}{{ m.role + ':' + (m.content | trim) + '\n' }}{% endfor %}"
    template = ChatTemplate(source, bos_text="", eos_text="")
    messages = [{"role": "user", "content": "word " * 1000}] * 400
    assert len(template.render(messages)) == 400 * (4999 + 6)


def test_the_limit_counts_each_rendering_anew() -> None:
    template = ChatTemplate("{{ 'a' * 10000000 }}", bos_text="", eos_text="")
    for _ in range(9):
        assert len(template.render([])) == 10_000_000
