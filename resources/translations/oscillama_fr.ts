<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Oscillama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with a language model on your own machine and watch what the machine does while it answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIT licence. Qt {qt} (LGPL). Icons: Tabler Icons (MIT).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Open a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerWidget</name>
    <message>
        <source>Copy answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodePart</name>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Stop   Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of this conversation in the context, of the context size</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jump to end</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CpuPanel</name>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU time of the engine process divided by time, where 100 % is one core fully busy; the grey curve is this window. Measured by a process of its own, four times a second while an answer runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threads {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window {share}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DecodeRatePanel</name>
    <message>
        <source>Decode rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output tokens after the first, divided by the time from the first to the last: (n − 1) / (t_last − t_first), which is 1 / TPOT. The curve is the same over the last second before each engine step. Stamped in the engine process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows from the second token of an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill {rate}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Open a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask anything, and watch at the right what the machine does to answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oscillama runs language models on this machine. Open a model file in the GGUF format, and chat with it here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is the sky blue? Explain it like I&apos;m twelve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a Python function that reverses the words of a sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens inside a computer while a language model answers?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EngineDialog</name>
    <message>
        <source>Engine settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens the model can see: the conversation and its answer. A larger context takes more memory from the start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads, decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads while tokens are produced. Auto measures which number is fastest here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads, prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads while the prompt is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number format of the cache. q8_0 and q4_0 take a half and a quarter of the memory of f16, and are slower on most CPUs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention as one fused step. Auto uses it where it is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers of the model on the GPU; the rest runs on the CPU. Auto puts there all that fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most prompt tokens handed to the engine in one call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most prompt tokens computed at once inside a call. Larger is faster and takes more memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load with these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The installed llama.cpp was built for the CPU only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine has found no GPU that it can use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto ({n})</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>waiting for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT, time to first token: from the engine taking the request to the first token sampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>    engine {engine}   ·   felt, from sending to text on screen {felt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tok/s, decode rate: output tokens after the first, by the time since the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>    {rate}   ·   TPOT, time per output token {tpot}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prefill: reading the part of the prompt that is not in the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>    {rate}   ·   {prompt} prompt tokens, {cached} from cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context: prompt and output tokens, of the context size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading {done} of {total} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} from cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT {ttft}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context {context}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FiguresLine</name>
    <message>
        <source>Prefill progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of this answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstTokenPanel</name>
    <message>
        <source>Time to first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT: t_first − t_start, from when the engine takes the request to its first token; “felt” is from sending to the first text on screen. A bar is a turn: queue (grey), template and tokenize (dark grey), prefill (orange), first token (blue). The green line under it is the share of the prompt that was in the KV cache already. Stamped in the engine process, except “felt”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows with the first token of an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>felt {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cached} of {prompt} tokens from cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GpuMemoryPanel</name>
    <message>
        <source>GPU memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the GPU (VRAM) that the engine process holds, as the driver (NVML) reports it; weights, KV cache and compute buffers are reported by the engine. The dark part above is everything else on the device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device {bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device {used} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GpuPanel</name>
    <message>
        <source>no NVIDIA driver was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the driver has no GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the driver does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading it crashed, and is off until the next start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not looked for yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GpuPowerPanel</name>
    <message>
        <source>GPU power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power of the whole board, as its driver (NVML) reports it. Energy of an output token is the difference of the board&apos;s energy counter over the answer, prefill included, divided by its output tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{joules} J per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit {power}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GpuTemperaturePanel</name>
    <message>
        <source>GPU temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature of the GPU&apos;s chip, as its driver (NVML) reports it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GpuUsePanel</name>
    <message>
        <source>GPU use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of time in which at least one kernel ran on the GPU, as its driver (NVML) reports it. It does not say how much of the GPU a kernel used. Where there are several, this is the one that holds most of the engine&apos;s memory.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KvCachePanel</name>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes that hold the p + n tokens of the conversation, from the model&apos;s own layout: keys and values of every layer, with grouped heads and sliding windows counted as they are. “Reserved” is what the engine allocated when it loaded the model. Computed here from the engine&apos;s token counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows when a prompt enters the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} of {all} tokens  ·  {type}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{bytes}  ·  %Ln tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>reserved {bytes}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LivePanel</name>
    <message>
        <source>Graph: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows while an answer runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Float</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dock</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LoadStrip</name>
    <message>
        <source>Load progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making room for the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring which number of threads is fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Oscillama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Device memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resident memory (RSS) of the engine process. Weights are mapped from the model file, and count as far as they are in memory. Weights, KV cache and compute buffers are reported by the engine; “other” is the rest of the RSS. At the upper right: memory of the whole machine that is in use. Measured four times a second while an answer runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>machine {used} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryParts</name>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageCard</name>
    <message>
        <source>Technical details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show technical details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageField</name>
    <message>
        <source>Ask something…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter break the line, Escape stops the answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Nothing to send yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a message first, then press Enter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model answers one message at a time. Your text stays here: send it when the answer is done, or stop the answer first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model file (GGUF) to chat with. Your text stays here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The live samples were interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process that reads memory, CPU and GPU ended and was started again; the graphs have a gap. The chat is not affected. If GPU graphs stay empty, the driver is the likely cause.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was found at {path}. It may have been moved, or its disk is not connected. Choose the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system refused to read {path}. Check its permissions, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a model file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not in the GGUF format that llama.cpp runs. Choose a file whose name ends in .gguf; if this one does, download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file is incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} should have {need_bytes} but has {have_bytes}. The download was probably cut off: download it again, then open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kind of model is not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is for the architecture “{architecture}”, which this version of llama.cpp cannot run. Choose another model, or update Oscillama.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is not a chat model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds a part or a kind of model (“{architecture}”) that cannot answer on its own. Choose the language model itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There was nothing to answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prompt came out empty. Type a message, then send it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation no longer fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {n_prompt} tokens, and the context holds {n_ctx}. Nothing was cut or lost. Shorten the message, start a new chat, or load the model with a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s chat template refused this conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The template inside the model file failed: {reason} Try a new chat, or another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine could not go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp reported an error while computing. What had arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works on something else. Wait for it, or stop it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model was there to answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model did not load, so this message was not answered. Load one, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading was stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded. Load it again, or open another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model with this context needs about {need_bytes}, and {have_bytes} are free. Choose a smaller context or a smaller KV type, close other programs, or open a smaller model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context could not be created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp refused these settings for this model. Choose a smaller context or other settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The library that runs this model is missing. Run “make run” again to install it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine did not stop in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was ended and is being started again. What had arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp refused the file; the details have its own words. Try again, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong inside the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a fault of Oscillama; the details say more. The conversation is kept. Try again, or load the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system ended it ({signal}), most often because memory ran out. Choose a smaller context or model, or close other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp found an inner contradiction and gave up; the details have its last words. Try other settings, or another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file changed or its disk went away while it was in use. Check the file, then load it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It crashed; the details have its last words. Load the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What had arrived is kept, and sending again starts it anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads, decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads, prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must lie between {minimum} and {maximum}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must be at least {minimum}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it may be at most {maximum}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that does not go with this model and the other settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{option}” is {value}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change it in the engine settings, then load the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This setting cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model was not made for conversations: it continues text, and may not answer like an assistant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template does not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The template inside the model file failed, so the conversation is given as plain text. Answers may be odd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No system prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model&apos;s template has no place for a system prompt: it is put before your first message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The GPU is not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a GPU ({gpu}), but the installed llama.cpp was built for the CPU only. The README says how to build it for the GPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of the model is on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n_gpu_layers} of {n_layers} layers fit on the GPU; the rest is slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context beyond training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context is {n_ctx} tokens, and the model was trained on {n_ctx_train}. Answers may fall apart past that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory allows a context of {n_ctx} tokens here; {wanted} would be usual for this model.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details of the model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelDetails</name>
    <message>
        <source>{heads}, {kv} for K and V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeStrip</name>
    <message>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OpenModel</name>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PanelHeader</name>
    <message>
        <source>Menu of the panel {name}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PhaseStrip</name>
    <message>
        <source>Phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the engine was doing. The green part of a prefill is the share of the prompt&apos;s tokens that came from the KV cache; it took no time. Idle where there is no bar. Stamped in the engine process, except the begin of waiting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from cache</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Oscillama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats live until the window closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats of this session</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TelemetryColumn</name>
    <message>
        <source>Live telemetry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the live panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Essential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels shown: {set}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{panel}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimePerTokenPanel</name>
    <message>
        <source>Time per output token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TPOT: (t_last − t_first) / (n − 1), of the whole answer. Each bar is one engine step&apos;s ITL (inter-token latency), the time since the step before; p50 and p95 are of these. Where bars are closer than a pixel the longest is shown. Stamped in the engine process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows from the second token of an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p50 {p50}   p95 {p95}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what the live panels show (Ctrl+T hides them)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Focus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide everything but the conversation (Ctrl+Shift+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>°C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B</source>
        <comment>billion</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M</source>
        <comment>million</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k</source>
        <comment>thousand</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UserBubble</name>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all {n} characters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the model again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Oscillama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_Counts</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_NoticeLine</name>
    <message>
        <source>Dismiss the notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
