"""Chat templates in the shapes that models in the wild have, and what each makes of a chat.

`EXPECTED` is the rendering of `CHAT` with `<s>` and `</s>` as begin and end tokens.
"""

from __future__ import annotations

from engine.values import ChatMessage, Role

CHAT = (
    ChatMessage(role=Role.SYSTEM, content="Be brief."),
    ChatMessage(role=Role.USER, content='Hi <b>"you"</b>'),
    ChatMessage(role=Role.ASSISTANT, content="Hello."),
    ChatMessage(role=Role.USER, content="漢字?"),
)
# Written as @ below: what DeepSeek's markers have in place of the ASCII bar.
_BAR = "\N{FULLWIDTH VERTICAL LINE}"
_USER = 'Hi <b>"you"</b>'

CHATML = """\
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

LLAMA_2 = """\
{% if messages[0]['role'] == 'system' %}
{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}
{% else %}
{% set loop_messages = messages %}{% set system_message = false %}
{% endif %}
{% for message in loop_messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{% endif %}
{% if loop.index0 == 0 and system_message != false %}
{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}
{% else %}
{% set content = message['content'] %}
{% endif %}
{% if message['role'] == 'user' %}
{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' -}}
{% elif message['role'] == 'assistant' %}
{{ ' ' + content.strip() + ' ' + eos_token -}}
{% endif %}
{% endfor %}
"""

LLAMA_3 = """\
{{- bos_token }}
{%- if custom_tools is defined %}{%- set tools = custom_tools %}{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}{%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}{%- set date_string = "26 Jul 2024" %}{%- endif %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}{%- set system_message = "" %}{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}{{- "Environment: ipython\\n" }}{%- endif %}
{{- "Cutting Knowledge Date: December 2023\\n" }}
{%- if date_string | length < 4 %}{{- raise_exception("no date") }}{%- endif %}
{{- system_message + "<|eot_id|>" }}
{%- for message in messages %}
    {%- if message.role == 'ipython' or 'tool_calls' in message %}
        {{- message.tool_calls | tojson }}
    {%- else %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'
            + message['content'] | trim + '<|eot_id|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

GEMMA = """\
{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
{{ raise_exception('System role not supported') }}
{%- endif -%}
{% for message in messages %}
{%- if message['role'] == 'assistant' -%}{% set role = 'model' %}
{%- else -%}{% set role = message['role'] %}{%- endif -%}
{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor -%}
{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"""

MISTRAL = """\
{{- bos_token }}
{%- set ns = namespace(index=0) %}
{%- for message in messages | rejectattr("role", "equalto", "system") | list %}
    {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
        {{- raise_exception("roles must alternate user and assistant") }}
    {%- endif %}
    {%- set ns.index = ns.index + 1 %}
    {%- if message["role"] == "user" %}{{- "[INST] " + message["content"] + "[/INST]" }}
    {%- else %}{{- " " + message["content"] | trim + eos_token }}{%- endif %}
{%- endfor %}
"""

PHI_3 = (
    "{% for message in messages %}{% if message['role'] == 'system' %}"
    "{{'<|system|>\\n' + message['content'] + '<|end|>\\n'}}"
    "{% elif message['role'] == 'user' %}{{'<|user|>\\n' + message['content'] + '<|end|>\\n'}}"
    "{% elif message['role'] == 'assistant' %}"
    "{{'<|assistant|>\\n' + message['content'] + '<|end|>\\n'}}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}{% endif %}"
)

ZEPHYR = """\
{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>\\n'  + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}"""

DEEPSEEK = """\
{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}
{%- set ns = namespace(system='', first=true) -%}
{%- for m in messages %}{%- if m['role'] == 'system' %}
{%- if ns.first %}{% set ns.system = ns.system ~ m['content'] %}{% set ns.first = false %}
{%- else %}{% set ns.system = ns.system ~ '\\n\\n' ~ m['content'] %}{%- endif %}
{%- endif %}{%- endfor %}
{{- bos_token }}{{- ns.system }}
{%- for m in messages %}
{%- if m['role'] == 'user' %}{{- '<@User@>' + m['content'] }}
{%- elif m['role'] == 'assistant' and m['content'] is not none %}
{%- set content = m['content'].split('</think>')[-1] %}
{{- '<@Assistant@>' + content + '<@end▁of▁sentence@>' }}
{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<@Assistant@>' }}{%- endif %}""".replace("@", _BAR)

QWEN = """\
{%- if tools %}
    {{- '<|im_start|>system\\n# Tools\\n' }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "<|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string
        and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.multi_step_tool = false %}{%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.role == "user" or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content %}{%- set reasoning = '' %}
        {%- if '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].split('<think>')[-1].strip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '<|im_start|>assistant\\n' }}
        {%- if loop.index0 > ns.last_query_index and reasoning %}
            {{- '<think>\\n' ~ reasoning ~ '\\n</think>\\n\\n' }}
        {%- endif %}
        {{- content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""

COMMAND_R = """\
{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}
{%- set loop_messages = messages[1:] %}{%- set system_message = messages[0]['content'] %}
{%- else %}{%- set loop_messages = messages %}{%- set system_message = false %}{%- endif %}
{%- if system_message != false %}
{{- '<|START|><|SYSTEM|>' + system_message + '<|END|>' }}{%- endif %}
{%- for message in loop_messages %}
{%- set content = message['content'] %}
{%- if message['role'] == 'user' %}{{- '<|START|><|USER|>' + content.strip() + '<|END|>' }}
{%- elif message['role'] == 'assistant' %}
{{- '<|START|><|CHATBOT|>' + content.strip() + '<|END|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|START|><|CHATBOT|>' }}{%- endif %}"""

GRANITE = """\
{%- macro turn(role, text) -%}
<|start_of_role|>{{ role }}<|end_of_role|>{{ text }}<|end_of_text|>
{% endmacro -%}
{%- set available = {'tools': tools, 'documents': documents} -%}
{%- if available.items() | selectattr(1) | list | length > 0 -%}
{{- turn('available', available | tojson(indent=4)) -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message.role == 'assistant' -%}
{%- generation -%}{{- turn('assistant', message.content) -}}{%- endgeneration -%}
{%- continue -%}
{%- endif -%}
{{- turn(message.role, message.content) -}}
{%- endfor -%}
{%- if add_generation_prompt -%}<|start_of_role|>assistant<|end_of_role|>{%- endif -%}"""

TYPED_PARTS = """\
{% for message in messages %}{{ message.role | capitalize }}:
{%- for part in message.content %}
{%- if part.type == 'image' %}<image>{% elif part.type == 'text' %} {{ part.text }}{% endif %}
{%- endfor %}<end>
{% endfor %}{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"""

EXPECTED = {
    CHATML: (
        f"<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{_USER}<|im_end|>\n"
        "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\n漢字?<|im_end|>\n"
        "<|im_start|>assistant\n"
    ),
    LLAMA_2: (
        f"<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n{_USER} [/INST] Hello. </s>"
        "<s>[INST] 漢字? [/INST]"
    ),
    LLAMA_3: (
        "<s><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n"
        f"Be brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n{_USER}<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\n漢字?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    ),
    GEMMA: (
        f"<s><start_of_turn>user\nBe brief.\n\n{_USER}<end_of_turn>\n"
        "<start_of_turn>model\nHello.<end_of_turn>\n<start_of_turn>user\n漢字?<end_of_turn>\n"
        "<start_of_turn>model\n"
    ),
    MISTRAL: f"<s>[INST] Be brief.\n\n{_USER}[/INST] Hello.</s>[INST] 漢字?[/INST]",
    PHI_3: (
        f"<|system|>\nBe brief.<|end|>\n<|user|>\n{_USER}<|end|>\n"
        "<|assistant|>\nHello.<|end|>\n<|user|>\n漢字?<|end|>\n<|assistant|>\n"
    ),
    ZEPHYR: (
        f"<|system|>\nBe brief.</s>\n<|user|>\n{_USER}</s>\n<|assistant|>\nHello.</s>\n"
        "<|user|>\n漢字?</s>\n<|assistant|>\n"
    ),
    DEEPSEEK: (
        f"<s>Be brief.<@User@>{_USER}<@Assistant@>Hello.<@end▁of▁sentence@>"
        "<@User@>漢字?<@Assistant@>"
    ).replace("@", _BAR),
    QWEN: (
        f"<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{_USER}<|im_end|>\n"
        "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\n漢字?<|im_end|>\n"
        "<|im_start|>assistant\n"
    ),
    COMMAND_R: (
        f"<s><|START|><|SYSTEM|>Be brief.<|END|><|START|><|USER|>{_USER}<|END|>"
        "<|START|><|CHATBOT|>Hello.<|END|><|START|><|USER|>漢字?<|END|><|START|><|CHATBOT|>"
    ),
    GRANITE: (
        "<|start_of_role|>system<|end_of_role|>Be brief.<|end_of_text|>\n"
        f"<|start_of_role|>user<|end_of_role|>{_USER}<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>Hello.<|end_of_text|>\n"
        "<|start_of_role|>user<|end_of_role|>漢字?<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>"
    ),
    TYPED_PARTS: (
        f"System: Be brief.<end>\nUser: {_USER}<end>\nAssistant: Hello.<end>\nUser: 漢字?<end>\n"
        "Assistant:"
    ),
}
NAMES = {
    CHATML: "chatml",
    LLAMA_2: "llama-2",
    LLAMA_3: "llama-3",
    GEMMA: "gemma",
    MISTRAL: "mistral",
    PHI_3: "phi-3",
    ZEPHYR: "zephyr",
    DEEPSEEK: "deepseek",
    QWEN: "qwen",
    COMMAND_R: "command-r",
    GRANITE: "granite",
    TYPED_PARTS: "typed-parts",
}
FOLDS_SYSTEM = frozenset({GEMMA, MISTRAL})
