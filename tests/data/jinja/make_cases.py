#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes cases.json: small templates with what Python's jinja2 makes of them, set up as Hugging Face sets it up for chat
templates. Needs `pip install jinja2==3.1.6`. Contexts have their keys in alphabetical order."""
import datetime
import json

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_run"), [], [], body).set_lineno(line)

    def _run(self, caller):
        return caller()


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def strftime_now(form):
    return datetime.datetime(2026, 1, 2, 3, 4, 5).strftime(form)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = strftime_now

CONTEXT = {
    "d": {"a": 1, "b": "two", "c": [1, 2], "items": "x"},
    "empty": "",
    "l": [3, 1, 2],
    "messages": [{"content": "Hi", "role": "user"}, {"content": "Yo", "role": "assistant"}],
    "n": None,
    "nested": [{"f": {"name": "b"}, "v": 2}, {"f": {"name": "A"}, "v": 1}, {"f": {"name": "c"}}],
    "pi": 3.14159,
    "s": "Hello, World",
    "t": True,
    "u": "Grüße, 日本 😀",
    "words": ["b", "A", "c", "B"],
    "x": 7,
}

# Templates by subject. Each is a case of its own.
TEMPLATES = {
    "white space": [
        "a\n", "a\n\n", "\na", "a\r\nb\r\n", "{% if true %}\nx\n{% endif %}\ny", "  {% if true %}  \n  x\n  {% endif %}  \ny",
        "a {%- if true -%} \n b \n {%- endif -%} c", "{{- 1 -}} \n {{ 2 }}", "  {{ 1 }}  \n", "a\n  {#- c -#}\n b",
        "  {# comment #}\nx", "a {# c #} b", "{%+ if true %} x {%+ endif %}", "  {%+ if true +%}\n x\n  {% endif +%}\ny",
        "{% for i in l %}\n{{ i }}\n{% endfor %}", "{% for i in l -%}\n  {{ i }}\n{%- endfor %}",
        "{% raw %}{{ x }}{% endraw %}", "  {% raw %}\n {{ x }} \n {% endraw %}\nz", "{%- raw -%}  {% x %}  {%- endraw -%}  y",
        "x\n\t {% set y = 1 %}\n{{ y }}", "{% set y = 1 %}  {% set z = 2 %}\n{{ y }}{{ z }}", "{{'a'}}\n{{'b'}}\n",
        "{#\nlong\n#}\n\nx", "\u3000{%- if true %}x{% endif %}", "a{{ '' }}\n", "{% if true %}{% endif %}\n\n\nx",
        "{ { x } }", "{{ '{{' }}", "{{ '}}' }}", "{{ '%}' }}{% set q = '%}' %}{{ q }}", "{", "a{", "{a", "}}", "%}",
        "{# a #}{# b #}\n{# c #}", "  {{- x }}", "\n\n  {{- x -}}  \n\n z", "{% if true %}a{% else %}b{% endif %}   \n  c",
    ],
    "literals": [
        "{{ 'a\\nb\\t\\\\ \\' \\x41 \\u00e9 \\101 \\q' }}", '{{ "a\'b" }}', "{{ 'a' 'b' \"c\" }}", "{{ 42 }} {{ 1_000 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }}",
        "{{ 3.0 }} {{ 1e3 }} {{ 1.5e-7 }} {{ 1e16 }} {{ 123456789012345.0 }} {{ 1e22 }} {{ 0.1 }} {{ 1e-4 }} {{ 0.00001 }} {{ 1_0.5 }}",
        "{{ true }} {{ True }} {{ false }} {{ none }} {{ None }}", "{{ [1, 'a', none, true, 2.5, [], {}] }}", "{{ (1, 2) }} {{ (1,) }} {{ () }}",
        "{{ {'a': 1, 'b': [2], 3: 'c'} }}", "{{ {'a': 1,} }} {{ [1,] }}", "{{ ['it\\'s', \"q\\\"\", 'n\\n'] }}", "{{ u }} {{ [u] }}", "{{ 1, 2 }}",
        "{{ 'a' if true }}|{{ 'a' if false }}|", "{{ [] }}{{ {} }}", "{{ ['\\x00\\x7f\\xa0'] }}", "{{ '\\U0001F600' }}", "{{ 'a\\\nb' }}",
        "{{ 9223372036854775807 }}", "{{ -5 }} {{ +5 }} {{ - 5 }}", "{{ 1.0 == 1 }} {{ true == 1 }}",
    ],
    "operators": [
        "{{ 1 + 2 * 3 - 4 }} {{ (1 + 2) * 3 }} {{ 7 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 2 ** 10 }} {{ 2 ** -1 }}",
        "{{ 7.5 // 2 }} {{ 7.5 % 2 }} {{ -7.5 % 2 }} {{ 6 / 3 }} {{ 1 / 3 }}", "{{ 2 ** 3 ** 2 }}", "{{ -2 ** 2 }}", "{{ 'a' + 'b' }} {{ [1] + [2] }} {{ 'ab' * 3 }} {{ [0] * 3 }} {{ 2 * 'x' }} {{ 'x' * 0 }} {{ 'x' * -1 }}",
        "{{ 'a' ~ 1 ~ none ~ true ~ 1.5 }}", "{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 1 == 1 != 2 }}", "{{ 'a' < 'b' }} {{ [1, 2] < [1, 3] }} {{ 'Z' < 'a' }}",
        "{{ 1 in l }} {{ 9 in l }} {{ 'ell' in s }} {{ 'a' in d }} {{ 9 not in l }} {{ not 1 in l }}", "{{ 'a' in missing }}", "{{ not true }} {{ not '' }} {{ not not 1 }}",
        "{{ '' or 'x' }} {{ 'a' and 'b' }} {{ 0 or none }} {{ none or missing }}|", "{{ 1 if x > 5 else 2 }} {{ 1 if false else 2 if false else 3 }}",
        "{{ x == 7 and s != '' or false }}", "{{ 'a' == 'a' }} {{ [1] == [1] }} {{ {'a': 1} == {'a': 1.0} }} {{ none == none }} {{ none == false }} {{ (1,) == [1] }}",
        "{{ 1 + true }}", "{{ '%s is %d' % ('a', 3) }} {{ '%05.2f|%-5s|%5s|%x' % (3.14159, 'ab', 'cd', 255) }} {{ '100%%' % () }} {{ '%(a)s' % d }} {{ '%s' % 'x' }} {{ '%r' % 'x' }}",
        "{{ 10 is divisibleby 5 }} {{ 3 is odd }} {{ 3 is even }}", "{{ 1 + 2 ~ 3 }}", "{{ 'a' ~ 'b' + 'c' }}", "{{ x|string + 'a' }}", "{{ -x|abs }}", "{{ (-x)|abs }}", "{{ 5 - 3 - 1 }} {{ 100 / 10 / 2 }}",
        "{{ 3 > 2 and 2 > 1 }} {{ not 3 > 2 }}", "{{ missing == missing }} {{ missing == none }} {{ missing != 1 }}", "{{ [1, 2] * 2 }} {{ (1,) + (2,) }}", "{{ 7 is not none and x is defined }}",
        "{{ 1 is number if true else 2 }}", "{{ 1.5 + 1 }} {{ 2 * 1.0 }} {{ 5 // 2.0 }}", "{{ 'b' not in 'abc' }}", "{{ (1 if false) is defined }}", "{{ 1 if true else raise_exception('no') }}",
    ],
    "access": [
        "{{ d.a }} {{ d['b'] }} {{ d.c[0] }} {{ d.c.1 }} {{ d.c[-1] }}", "{{ d['items'] }}", "{{ d.missing }}|{{ d['missing'] }}|{{ l[9] }}|{{ n.foo }}|", "{{ d.missing is defined }} {{ d.a is defined }}",
        "{{ s[0] }} {{ s[-1] }} {{ s[1:4] }} {{ s[:5] }} {{ s[7:] }} {{ s[::-1] }} {{ s[::2] }} {{ s[-3:] }} {{ s[:-3] }} {{ s[99:] }}|", "{{ l[1:] }} {{ l[:-1] }} {{ l[::-1] }} {{ l[5:] }}", "{{ u[1:3] }} {{ u[-1] }} {{ u[8] }}",
        "{{ messages[0].role }} {{ messages[0]['content'] }} {{ messages[-1].role }} {{ messages|length }}", "{{ messages[0]['role'] == 'user' }}", "{{ (1, 2)[0] }} {{ 'abc'[1] }}", "{{ {'a': {'b': 5}}.a.b }}", "{{ d.get('a') }} {{ d.get('z') }} {{ d.get('z', 9) }}",
        "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", "{{ d.keys()|list }} {{ d.values()|list }}", "{% for k in d %}{{ k }}{% endfor %}", "{{ l.index(1) }} {{ l.count(3) }}", "{{ s.upper is defined }} {{ s.nothing is defined }} {{ l.append is defined }}", "{{ [[1, 2], [3, 4]][1][0] }}",
        "{{ s[1:4:2] }} {{ l[-2:] }} {{ l[0:100] }} {{ l[2:1] }}", "{{ messages[0].content.upper() }}", "{{ l['a'] }}|{{ s['a'] }}|", "{{ d[1] }}|", "{{ 'x'.y }}|", "{{ messages[1:][0].role }}", "{{ d['a'] + 1 }}",
    ],
    "string methods": [
        "{{ s.upper() }} {{ s.lower() }} {{ s.title() }} {{ s.swapcase() }} {{ 'hELLO wORLD'.capitalize() }} {{ u.upper() }} {{ 'ß'.upper() }} {{ 'ÀÉ'.lower() }}", "{{ \"they're bill's\".title() }}",
        "|{{ '  a b '.strip() }}|{{ '  a'.lstrip() }}|{{ 'a  '.rstrip() }}|{{ 'xxaxx'.strip('x') }}|{{ 'abcba'.strip('ab') }}|{{ '\\n\\t a\\u3000'.strip() }}|", "{{ 'a,b,,c'.split(',') }} {{ ' a  b c '.split() }} {{ 'a b c d'.split(' ', 1) }} {{ 'a b c'.split(none, 1) }} {{ ''.split() }} {{ ''.split(',') }} {{ ' a b  c '.split(maxsplit=1) }}",
        "{{ 'a.b.c'.rsplit('.', 1) }} {{ 'a b c'.rsplit() }} {{ ' a b  c '.rsplit(none, 1) }}", "{{ s.startswith('Hell') }} {{ s.endswith('d') }} {{ s.startswith(('x', 'H')) }} {{ s.startswith('ello', 1) }} {{ s.endswith('') }}", "{{ s.replace('l', 'L') }} {{ s.replace('l', 'L', 1) }} {{ 'aaa'.replace('aa', 'b') }} {{ 'ab'.replace('', '-') }} {{ 'abc'.replace('', '-', 2) }}",
        "{{ s.find('o') }} {{ s.rfind('o') }} {{ s.find('z') }} {{ s.index('W') }} {{ u.find('日') }}", "{{ s.count('l') }} {{ 'aaaa'.count('aa') }} {{ 'ab'.count('') }}", "{{ ', '.join(words) }} {{ ''.join(['a']) }} {{ '-'.join('abc') }}", "{{ '{} {} {}'.format(1, 'a', none) }} {{ '{0}{1}{0}'.format('a', 'b') }} {{ '{a}-{b}'.format(a=1, b=2) }} {{ '{{}}'.format() }}",
        "{{ '{:>5}|{:<5}|{:^5}|{:*^7}|{:05d}|{:.2f}|{:,}|{:x}|{:b}|{:+}|{:.3}|{!r}|{:%}'.format('a', 'b', 'c', 'd', 42, 3.14159, 1234567, 255, 5, 3, 'abcdef', 'q', 0.25) }}", "{{ '123'.isdigit() }} {{ 'a1'.isalnum() }} {{ 'ab'.isalpha() }} {{ ' '.isspace() }} {{ 'AB'.isupper() }} {{ 'ab'.islower() }} {{ ''.isdigit() }}",
        "{{ 'a-b-c'.partition('-') }} {{ 'abc'.partition('-') }} {{ 'a-b-c'.rpartition('-') }} {{ 'abc'.rpartition('-') }}", "{{ 'a\\nb\\r\\nc\\n'.splitlines() }} {{ 'a\\nb'.splitlines(true) }} {{ ''.splitlines() }} {{ 'a\\n\\nb'.splitlines() }}", "|{{ 'ab'.center(7) }}|{{ 'ab'.center(6) }}|{{ 'abc'.center(6) }}|{{ 'ab'.ljust(4, '.') }}|{{ 'ab'.rjust(4) }}|{{ '-7'.zfill(4) }}|{{ '7'.zfill(3) }}|",
        "{{ 'prefix-a'.removeprefix('prefix-') }} {{ 'a.txt'.removesuffix('.txt') }} {{ 'abc'.removeprefix('x') }}", "{{ s.split(', ')[-1] }} {{ 'a</think>b'.split('</think>')[-1].lstrip('\\n') }}", "{{ 'a'.upper().lower() }}", "{{ 'éa'.capitalize() }}", "{{ 'Abc'.casefold() }}",
    ],
    "filters": [
        "{{ s|upper }} {{ s|lower }} {{ 'hello world-foo (bar'|title }} {{ 'aBC'|capitalize }} {{ 5|upper }}", "|{{ '  a '|trim }}|{{ 'xax'|trim('x') }}|{{ 5|trim }}|", "{{ l|length }} {{ s|length }} {{ u|length }} {{ d|count }} {{ missing|length }}", "{{ missing|default('x') }} {{ ''|default('x') }} {{ ''|default('x', true) }} {{ none|d('y', true) }} {{ n|default('z') }} {{ missing|default }}|",
        "{{ l|first }} {{ l|last }} {{ s|first }} {{ []|first }}|{{ ''|last }}|", "{{ l|join(', ') }} {{ nested|join('-', attribute='v') }}", "{{ words|join }} {{ l|join('-') }} {{ [1, none, true]|join(',') }} {{ nested|map(attribute='f.name')|join('|') }} {{ messages|join(',', attribute='role') }}", "{{ l|sort }} {{ l|sort(reverse=true) }} {{ words|sort }} {{ words|sort(case_sensitive=true) }} {{ nested[:2]|sort(attribute='v')|map(attribute='v')|list }} {{ nested|sort(attribute='f.name')|map(attribute='f.name')|list }}",
        "{{ {'b': 1, 'A': 2, 'c': 0}|dictsort }} {{ {'b': 1, 'A': 2}|dictsort(true) }} {{ {'b': 1, 'A': 2}|dictsort(by='value') }} {{ {'b': 1, 'A': 2}|dictsort(false, 'key', true) }}", "{{ l|reverse|list }} {{ s|reverse }}", "{{ words|unique|list }} {{ [1, 1, 2, 1]|unique|list }} {{ words|unique(true)|list }}", "{{ l|min }} {{ l|max }} {{ l|sum }} {{ words|min }} {{ nested[:2]|max(attribute='v') }} {{ nested[:2]|sum(attribute='v') }} {{ []|min }}|{{ []|sum }}",
        "{{ words|map('upper')|list }} {{ l|map('string')|list }} {{ nested|map(attribute='v', default=0)|list }} {{ ['a b', 'c']|map('replace', ' ', '_')|list }}", "{{ l|select('odd')|list }} {{ l|reject('odd')|list }} {{ [0, 1, '', 'a']|select|list }} {{ l|select('gt', 1)|list }} {{ l|select('in', [1, 2])|list }}", "{{ messages|selectattr('role', 'equalto', 'user')|list|length }} {{ messages|rejectattr('role', '==', 'user')|map(attribute='content')|list }} {{ nested|selectattr('v')|list|length }} {{ nested|selectattr('v', 'defined')|list|length }} {{ nested|rejectattr('v', 'defined')|list|length }}",
        "{{ d|tojson }} {{ u|tojson }} {{ [1, 2.5, none, true, 'a\"\\n']|tojson }} {{ {'b': 1, 'a': [{}, []]}|tojson }} {{ 1.0|tojson }} {{ {1: 2, none: 3, true: 4}|tojson }}", "{{ d|tojson(indent=2) }}", "{{ [[], {}, [1]]|tojson(indent=4) }}", "{{ {'b': 1, 'a': 2}|tojson(sort_keys=true) }} {{ 'é😀'|tojson(ensure_ascii=true) }} {{ [1, 2]|tojson(separators=(',', ':')) }} {{ {'a': 1}|tojson(separators=(',', ':')) }} {{ '<>&\\'/'|tojson }} {{ '\\x01\\x7f\\u2028'|tojson }}", "{{ [1, [2, {'a': 3}]]|tojson(indent=1) }}",
        "{{ '3'|int }} {{ '3.7'|int }} {{ 'x'|int }} {{ 'x'|int(5) }} {{ 3.9|int }} {{ -3.9|int }} {{ true|int }} {{ '0x1A'|int(0, 16) }} {{ ' 42 '|int }} {{ none|int }}", "{{ '3.5'|float }} {{ 'x'|float }} {{ 3|float }} {{ 'x'|float(1.5) }}", "{{ 3.14159|round(2) }} {{ 2.5|round }} {{ 3.5|round }} {{ 2.4|round(0, 'ceil') }} {{ 2.6|round(method='floor') }} {{ 42|round }} {{ -2.5|round }}", "{{ -3|abs }} {{ 3.5|abs }}", "{{ s|replace('o', '0') }} {{ s|replace('o', '0', 1) }} {{ 5|replace('5', 'x') }}",
        "{{ 'a\\nb\\n\\nc'|indent }}|{{ 'a\\nb'|indent(2, true) }}|{{ 'a\\n\\nb'|indent(2, blank=true) }}|{{ 'a\\nb'|indent('> ') }}|{{ 'a\\nb\\n'|indent(1) }}|{{ ''|indent }}|", "{{ 'abc def ghi'|truncate(7) }} {{ 'abc def ghi jkl'|truncate(9) }} {{ 'abc def ghi jkl'|truncate(9, true) }} {{ 'abc def ghi'|truncate(9, false, '..', 0) }}", "|{{ 'a'|center(5) }}|", "{{ '%s-%s'|format('a', 1) }} {{ '%(x)s'|format(x=2) }}", "{{ '<a href=\"x\">&\\''|e }} {{ '<'|escape }}", "{{ 'a b'|urlencode }} {{ 'é/?='|urlencode }}", "{{ s|wordcount }}",
        "{{ l|list }} {{ s[:3]|list }} {{ d|list }} {{ 'ab'|list }}", "{{ d.c|string }} {{ 5|string ~ 'a' }}", "{{ d|items|list }} {{ missing|items|list }}", "{{ [1, 2, 3, 4, 5]|batch(2)|list }} {{ [1, 2, 3]|batch(2, 0)|list }} {{ [1, 2, 3, 4, 5]|slice(2)|list }} {{ [1, 2, 3]|slice(2, 'x')|list }}", "{{ nested[:2]|groupby('v')|map('first')|list }}", "{{ d|attr('a') }}|{{ s|attr('upper') is defined }}", "{{ s|safe }} {{ '<'|safe }}", "{{ x|default(1)|string|length }}",
        "{{ [3, 1]|sort|join(',')|upper }}", "{{ ['b', 'a']|sort|first }}", "{{ 'a'|default('b')|upper }}", "{{ [1, 2, 3]|last }}", "{{ ['x']|map('upper')|first }}", "{{ (l|sort)[0] }}", "{{ [[1, 2], [3]]|sum(start=[]) }}", "{{ [1.5, 2]|sum }}",
    ],
    "tests": [
        "{{ s is string }} {{ l is string }} {{ l is iterable }} {{ 5 is iterable }} {{ d is mapping }} {{ l is mapping }} {{ l is sequence }} {{ d is sequence }} {{ s is sequence }} {{ 5 is sequence }}", "{{ 5 is number }} {{ 5.5 is number }} {{ true is number }} {{ '5' is number }} {{ 5 is integer }} {{ true is integer }} {{ 5.0 is integer }} {{ 5.0 is float }} {{ 5 is float }}", "{{ true is boolean }} {{ 1 is boolean }} {{ true is true }} {{ 1 is true }} {{ false is false }} {{ 0 is false }} {{ none is none }} {{ missing is none }}",
        "{{ missing is defined }} {{ missing is undefined }} {{ x is defined }} {{ none is defined }} {{ missing is not defined }} {{ x is not none }}", "{{ 'a' is lower }} {{ 'A' is upper }} {{ 'aB' is lower }}", "{{ 1 is in l }} {{ 1 is in([2]) }} {{ 3 is eq 3 }} {{ 3 is equalto(3) }} {{ 3 is ne 4 }} {{ 3 is gt 2 }} {{ 3 is ge 3 }} {{ 3 is lt 2 }} {{ 3 is le 2 }} {{ 3 is sameas 3 }} {{ 3 is greaterthan 2 }} {{ 3 is lessthan 2 }}", "{{ raise_exception is callable }} {{ 5 is callable }} {{ 'upper' is filter }} {{ 'nope' is filter }} {{ 'odd' is test }}", "{{ 4 is divisibleby 2 }} {{ 4 is divisibleby(3) }}", "{{ missing is iterable }} {{ missing is sequence }} {{ missing is mapping }} {{ missing is string }}", "{{ (1, 2) is sequence }} {{ none is iterable }}",
    ],
    "loops": [
        "{% for i in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}", "{% for i in [] %}a{% else %}none{% endfor %}{% for i in l %}{% else %}none{% endfor %}", "{% for i in l if i > 1 %}{{ i }}:{{ loop.index }}/{{ loop.length }} {% endfor %}", "{% for i in l %}{{ loop.previtem }}<{{ i }}>{{ loop.nextitem }} {% endfor %}", "{% for a, b in [(1, 2), [3, 4]] %}{{ a }}{{ b }} {% endfor %}", "{% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}", "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
        "{% for i in l %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% endfor %}", "{% for i in l %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "{% for i in l %}{% for j in l %}{% if j == 1 %}{% break %}{% endif %}{{ i }}{{ j }} {% endfor %}{% endfor %}", "{% for i in l %}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for i in [1, 1, 2] %}{{ loop.changed(i) }}{% endfor %}", "{% for c in 'añ😀' %}[{{ c }}]{% endfor %}", "{% for i in range(3) %}{{ i }}{% endfor %} {{ range(1, 10, 3)|list }} {{ range(3, 0, -1)|list }} {{ range(0)|list }}", "{% for i in missing %}a{% else %}e{% endfor %}",
        "{% for k, v in {'a': 1, 'b': 2}.items() %}{{ loop.index }}{{ k }}{{ v }}{% endfor %}", "{% for t in [{'n': 1, 'c': [{'n': 2, 'c': []}]}] recursive %}{{ t.n }}({{ loop(t.c) }}){{ loop.depth }}{% endfor %}", "{% set x = 0 %}{% for i in l %}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}", "{% for i in l %}{% set y = i %}{% endfor %}{{ y is defined }}", "{% for x in [1] %}{{ x }}{% endfor %}{{ x }}", "{% for m in messages %}{{ m.role }}{% if not loop.last %}, {% endif %}{% endfor %}", "{% for i in l %}{% for j in [1, 2] %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}", "{% for i in l|sort %}{{ i }}{% endfor %}", "{% for i in [1, 2, 3] if i is odd %}{{ i }}{% else %}x{% endfor %}", "{% for i in l %}{% set loop_index = loop.index %}{{ loop_index }}{% endfor %}", "{% for item in l[::-1] %}{{ item }}{% endfor %}", "{% for i in (1, 2) %}{{ i }}{% endfor %}", "{% for i in 1, 2 %}{{ i }}{% endfor %}",
    ],
    "set": [
        "{% set a = 1 %}{{ a }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a = 1, 2 %}{{ a }}", "{% set a %}x{{ x }}y{% endset %}{{ a }}|{{ a|length }}", "{% set a | upper | replace('X', 'y') %}x{% endset %}{{ a }}", "{% set ns = namespace(a=1, b='x') %}{% set ns.a = ns.a + 1 %}{{ ns.a }}{{ ns.b }}", "{% set ns = namespace(found=false) %}{% for i in l %}{% if i == 1 %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}", "{% set ns = namespace() %}{% set ns.l = [] %}{% for i in l %}{% set ns.l = ns.l + [i] %}{% endfor %}{{ ns.l }}", "{% set ns = namespace({'a': 5}) %}{{ ns.a }}{{ ns.missing }}|{{ ns.missing is defined }}", "{% if true %}{% set a = 1 %}{% endif %}{{ a }}", "{% if false %}{% set a = 1 %}{% endif %}{{ a is defined }}", "{% set a = 1 %}{% if true %}{% set a = 2 %}{% endif %}{{ a }}", "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}", "{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", "{% with %}{% set z = 1 %}{{ z }}{% endwith %}{{ z is defined }}", "{% set messages = messages[1:] %}{{ messages[0].role }}", "{% set a = 'x' if false %}{{ a is defined }}", "{% set ns = namespace(a=1) %}{% set ns.b %}block{% endset %}{{ ns.b }}", "{% filter upper %}abc{{ x }}{% endfilter %}", "{% filter replace('a', 'b')|upper %}aa{% endfilter %}", "{% generation %}a{{ x }}{% endgeneration %}", "{% set a = {'b': [1]} %}{{ a.b[0] }}", "{% set (a, b) = (1, 2) %}{{ a + b }}",
    ],
    "macros": [
        "{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=5, a=4) }} {{ m() }}|", "{% macro m() %}  x  {% endmacro %}|{{ m() }}|{{ m()|trim }}|", "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, k=3) }}", "{% macro m(a) %}{{ caller() }}{{ a }}{% endmacro %}{% call m(1) %}body{% endcall %}", "{% macro m() %}{{ caller(1, 2) }}{% endmacro %}{% call(a, b) m() %}{{ a }}-{{ b }}{% endcall %}", "{% macro f(n) %}{% if n > 0 %}{{ n }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "{% set y = 1 %}{% macro m() %}{{ y }}{% endmacro %}{% set y = 2 %}{{ m() }}", "{% macro m() %}{{ z }}{% endmacro %}{% set z = 2 %}{{ m() }}", "{% for i in l %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro m(a) %}{% set b = a %}{{ b }}{% endmacro %}{{ m(1) }}{{ b is defined }}", "{{ m is defined }}{% macro m() %}{% endmacro %}{{ m is defined }}", "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(none) }} {{ m([1]) }}", "{% macro outer() %}{% macro inner() %}i{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}", "{% macro m(a, b) %}{{ b is defined }}{% endmacro %}{{ m(1) }}", "{% macro m(a=[]) %}{{ a }}{% endmacro %}{{ m() }}{{ m([1]) }}", "{% macro m(d) %}{% for k in d %}{{ k }}{% endfor %}{% endmacro %}{{ m({'p': 1}) }}", "{% macro m() %}{{ x }}{% endmacro %}{% for x in [1] %}{{ m() }}{% endfor %}", "{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(3) }}", "{% macro m() %}{% endmacro %}{{ m.name }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(*[1]) }}{{ m(**{'a': 2}) }}",
    ],
    "functions": [
        "{{ dict(a=1, b=2) }} {{ dict({'x': 1}, y=2) }}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() or '' }}{{ c.next() }}", "{% set j = joiner(', ') %}{% for i in l %}{{ j() }}{{ i }}{% endfor %}", "{{ strftime_now('%Y-%m-%d %H:%M:%S %d %b %B %A %j') }}", "{{ namespace is defined }} {{ range is defined }}", "{{ range(2)|list|length }}", "x",
    ],
    "undefined": [
        "{{ missing }}|{{ missing ~ 'a' }}|{{ 'yes' if missing else 'no' }}", "{{ missing|upper }}|{{ missing|trim }}|{{ missing|join }}|{{ missing|list }}", "{% if missing %}a{% else %}c{% endif %}", "{{ d.x or 'y' }}", "{{ [missing] }}", "{{ missing and missing.x }}|", "{{ missing is defined and missing.x }}", "{{ missing.x if missing is defined else 'z' }}", "{{ '%s' % missing }}|", "{{ missing|default('a') ~ 'b' }}", "{{ missing|replace('a', 'b') }}|", "{{ missing|string }}|",
    ],
    "errors": [
        "{{ missing.x }}", "{{ missing['x'] }}", "{{ missing() }}", "{{ missing + 1 }}", "{{ d.x.y }}", "{{ n.foo.bar }}", "{{ 1 / 0 }}", "{{ 1 // 0 }}", "{{ 1 % 0 }}", "{{ 'a' + 1 }}", "{{ [1] + 'a' }}", "{{ 1 < 'a' }}", "{{ none < 1 }}", "{{ 5 in 5 }}", "{{ 5 in 'a' }}", "{{ l.append(1) }}", "{{ d.pop('a') }}", "{{ d.update({}) }}", "{{ 5() }}", "{{ s() }}", "{{ s.nothing() }}", "{{ raise_exception('boom') }}", "{% for a, b in [1] %}{% endfor %}", "{% for a, b in [[1, 2, 3]] %}{% endfor %}", "{% for i in 5 %}{% endfor %}", "{% for i in none %}{% endfor %}", "{{ l|nofilter }}", "{{ l is notest }}", "{% nosuch %}", "{% if %}{% endif %}", "{% if true %}", "{% endif %}", "{% for i in l %}", "{{ ", "{{ x", "{% set %}", "{% set a = %}", "{{ x y }}", "{{ 'a }}", "{# open", "{% raw %} open", "{{ (1 }}", "{{ [1, }}", "{{ 1) }}", "{{ } }}", "{% macro %}{% endmacro %}", "{% macro m( %}{% endmacro %}", "{% break %}", "{% set true = 1 %}", "{{ a.b. }}", "{{ |upper }}", "{{ x| }}", "{{ @ }}", "{{ x ! y }}", "{{ $x }}", "{% for i l %}{% endfor %}", "{% else %}", "{{ range(1000000) }}", "{{ '%d' % 'a' }}", "{{ '%s %s' % ('a',) }}", "{{ '{} {}'.format(1) }}", "{{ 'abc'.index('z') }}", "{{ 'a'.split('') }}", "{{ [1, 'a']|sort }}", "{{ 5|length }}", "{{ missing|tojson }}", "{{ x.y.z }}", "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{% endmacro %}{{ m(z=1) }}", "{{ m(1) }}", "{% include 'x' %}", "{% import 'x' as y %}", "{% extends 'x' %}", "{% do l.append(1) %}", "{{ l[::0] }}", "{{ 'a' * 'b' }}", "{{ -'a' }}", "{{ {[]: 1} }}", "{% set ns = {} %}{% set ns.a = 1 %}", "{% call 5 %}{% endcall %}", "{{ 1 is divisibleby 0 }}", "{{ x is }}", "{{ 1 if }}", "{{ f(a=1, 2) }}", "{{ ''.join([1]) }}", "{{ {1} }}", "{{ a = 1 }}", "{% if x = 1 %}{% endif %}", "{{ 'x'|int|foo }}", "{{ [1, 2|length }}",
    ],
}


def case(template):
    context = json.loads(json.dumps(CONTEXT, sort_keys=True))
    try:
        return {"template": template, "expected": environment.from_string(template).render(**context)}
    except Exception as error:  # whatever Python makes of it
        return {"template": template, "error": f"{type(error).__name__}: {error}"}


cases = [{"subject": subject, **case(template)} for subject, templates in TEMPLATES.items()
         for template in templates if template]
with open("cases.json", "w", encoding="utf-8") as out:
    json.dump({"context": CONTEXT, "cases": cases}, out, ensure_ascii=False, indent=1)
    out.write("\n")
print(len(cases), "cases,", sum("error" in c for c in cases), "of them errors")
