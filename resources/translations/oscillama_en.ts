<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ChatListModel</name>
    <message numerus="yes">
        <source>%Ln found</source>
        <translation>
            <numerusform>%Ln found</numerusform>
            <numerusform>%Ln found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s)</source>
        <translation>
            <numerusform>%Ln conversation</numerusform>
            <numerusform>%Ln conversations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextCounter</name>
    <message numerus="yes">
        <source>Sending this leaves out %Ln turns at the beginning, for which there is no room.</source>
        <translation>
            <numerusform>Sending this leaves out %Ln turn at the beginning, for which there is no room.</numerusform>
            <numerusform>Sending this leaves out %Ln turns at the beginning, for which there is no room.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Counted</name>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s), the oldest, left out to make room</source>
        <translation>
            <numerusform>%Ln message, the oldest, left out to make room</numerusform>
            <numerusform>%Ln messages, the oldest, left out to make room</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prefill of %Ln token(s), {time}</source>
        <translation>
            <numerusform>prefill of %Ln token, {time}</numerusform>
            <numerusform>prefill of %Ln tokens, {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>KV cache %Ln token(s), {size}</source>
        <translation>
            <numerusform>KV cache %Ln token, {size}</numerusform>
            <numerusform>KV cache %Ln tokens, {size}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>{time} for %Ln tokens of one step</source>
        <translation>
            <numerusform>{time} for %Ln token of one step</numerusform>
            <numerusform>{time} for %Ln tokens of one step</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KvCounts</name>
    <message numerus="yes">
        <source>%Ln layers</source>
        <translation>
            <numerusform>%Ln layer</numerusform>
            <numerusform>%Ln layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln KV heads</source>
        <translation>
            <numerusform>%Ln KV head</numerusform>
            <numerusform>%Ln KV heads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The next %Ln tokens</source>
        <translation>
            <numerusform>The next %Ln token</numerusform>
            <numerusform>The next %Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KvView</name>
    <message numerus="yes">
        <source>… and %Ln more empty</source>
        <translation>
            <numerusform>… and %Ln more empty</numerusform>
            <numerusform>… and %Ln more empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 square = %Ln tokens = {bytes}</source>
        <translation>
            <numerusform>1 square = %Ln token = {bytes}</numerusform>
            <numerusform>1 square = %Ln tokens = {bytes}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunsWindow</name>
    <message numerus="yes">
        <source>Deleted %Ln run(s)</source>
        <translation>
            <numerusform>Deleted %Ln run</numerusform>
            <numerusform>Deleted %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %Ln run(s)</source>
        <translation>
            <numerusform>Label %Ln run</numerusform>
            <numerusform>Label %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shown</source>
        <translation>
            <numerusform>%Ln shown</numerusform>
            <numerusform>%Ln shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chosen</source>
        <translation>
            <numerusform>%Ln chosen</numerusform>
            <numerusform>%Ln chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineOpener</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Counts</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{part} of %Ln tokens</source>
        <translation>
            <numerusform>{part} of %Ln token</numerusform>
            <numerusform>{part} of %Ln tokens</numerusform>
        </translation>
    </message>
</context>
</TS>
