<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Legend of the batch timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a chunk of the prompt is computed; higher is more tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cached prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outlined: found in the prefix cache, not computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one token a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hatched: computed again after a preemption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hollow: not in the batch; point at it to see why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preempted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>striped: thrown out, waits to be computed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crossed: ended, but its row is still computed (static batching)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preemption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its blocks were taken back at this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer ended by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer reached its greatest length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>somebody pressed stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens generated per second by all chats together, over the last second of work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt tokens computed per second, over the last second of work.
Tokens found in the prefix cache are not computed and do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences in the newest step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv_cache_usage: active blocks of all usable blocks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT, median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to first token: from the submission of a request to its first token.
Median of the last 256 requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ITL, median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inter-token latency: the gap from one token of a chat to its next.
Median of the last 4096 gaps.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AgoTicker</name>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>−%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>−%1 s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Demo</name>
    <message>
        <source>Explain how a paged KV cache works, as if to a librarian.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a short story about a lighthouse keeper and a storm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List ten uses for an old bicycle wheel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is the difference between a comet and an asteroid?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a letter to a friend about a week in the mountains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How does a violin make its sound?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name three famous bridges and say what is special about each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a poem of four verses about the first snow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain photosynthesis step by step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan a weekend in a small town by the sea.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why do cats purr?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describe how bread is made, from the grain to the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What should one know before planting a fruit tree?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SequencePalette</name>
    <message>
        <source>blue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>green</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>indigo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>teal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>purple</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>olive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, striped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, dotted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, checked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Suggestions</name>
    <message>
        <source>A library keeps its books on numbered shelves. A reader may have books on many shelves at once, and they need not stand side by side: a card says which shelf comes next. When a reader leaves, the shelves are free again, but the books stay until somebody needs the place. Should another reader ask for the very same books meanwhile, they are still there, and nothing has to be fetched. The librarian never moves a book to make room for a long row, since no row has to be long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read these notes, then say in three sentences what they describe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note %1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain in a few paragraphs why the sky is blue, and why sunsets are red.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask four chats the same question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One batch of four; their prompts share blocks of the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send one long prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch the prompt being computed in chunks before the first word comes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell two stories at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two chats grow block by block, side by side in every step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me a long story about a lighthouse keeper who finds a message in a bottle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me a long story about a clockmaker who repairs the clock of a whole town.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::MainWindow</name>
    <message>
        <source>&amp;Open model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine, sampling and chat settings (Ctrl+,)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::SessionStore</name>
    <message>
        <source>chats of this run are not kept: the folder cannot be made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check its permissions and start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats of this window are not kept: another Vitrine has them open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use the other window, or close it and start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats of this run are not kept: the folder cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats of this run are not kept: the file was written by a newer Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats of this run are not kept: the file cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file of your chats is damaged and cannot be set aside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats of this run are not kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file of your chats is damaged (%1) and was set aside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vitrine starts without the old chats; the file is kept, and SQLite&apos;s “.recover” may read it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats cannot be saved: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they go on in memory, and saving is tried again; make room or check permissions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::Workspace</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::AboutDialog</name>
    <message>
        <source>About Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vitrine %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local LLM chat with the engine behind glass: several chats at once, and a live view of what the engine does for them.

Free software under the GNU General Public License, version 3 or later, with a permission to link the CUDA libraries. It comes without any warranty.

Made with Qt and QCustomPlot.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::AdaptiveLayout</name>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat or glass</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelineDock</name>
    <message>
        <source>Batch timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here you see step by step which chats are computed together, who waits, and why. Send a message to begin.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelinePanel</name>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the newest step again (F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in (+, or the wheel)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out (−, or the wheel)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the marks of the batch timeline mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 run, %2 wait, budget %3 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelineView</name>
    <message>
        <source>Batch timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (sequence %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapDock</name>
    <message>
        <source>Block map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here you see which block of the KV cache belongs to which chat. Open a model to begin.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapPanel</name>
    <message>
        <source>Legend of the block map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is kept in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use by the chat of this colour, filled from below; the rest waits for tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a border: full, and a later prompt that begins alike may share it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a corner dot: several sequences read it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free, but its prefix is kept; the paler, the sooner it is taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>texture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the ninth chat on colours come again, with a texture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>null block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block 0, never handed out: it stands where no memory is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;active&lt;/b&gt;: blocks that some sequence holds, of all usable blocks (kv_cache_usage).&lt;br&gt;&lt;b&gt;cached&lt;/b&gt;: free blocks that keep a prefix.&lt;br&gt;&lt;b&gt;free&lt;/b&gt;: free and clean.&lt;br&gt;&lt;b&gt;sharing&lt;/b&gt;: lengths of all block tables / active blocks; above 1 memory is saved.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the pool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning about what is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the marks of the block map mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>active %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cached %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharing %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapView</name>
    <message>
        <source>Block map</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatController</name>
    <message numerus="yes">
        <source>The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the %n oldest turn(s) are no longer sent to the model; they stay readable here.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (branch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context of %L1 tokens is full, so the answer ends here. Policy: with the next message the oldest turns are no longer sent; the system prompt stays.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatListModel</name>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatPage</name>
    <message>
        <source>&amp;Stop answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;generate answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded: open one with Ctrl+O to get answers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatRail</name>
    <message>
        <source>&amp;New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ne&amp;xt chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::Composer</name>
    <message>
        <source>Ask anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop this answer (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ConversationDocument</name>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted: the program ended before the answer did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace this answer by a new one (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again in a new chat that shares everything before this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT %L1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to first token: from sending to the first token of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens a second after the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Generated; the prompt had %L1, of which %L2 were in the prefix cache</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ConversationView</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EmptyState</name>
    <message>
        <source>Run ./run.sh in the project&apos;s folder: it brings the starter model, which then loads by itself. Any other GGUF file can be opened here, or dropped onto the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message below, or begin with something that makes the glass move:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vitrine answers with a model that runs on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineControls</name>
    <message>
        <source>Single &amp;step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;low motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute one step, then pause again (F6)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait after each step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the engine run on (F5)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the engine after this step (F5)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 ms after each step</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineOptionsPage</name>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new pool stops the answers under way; their text stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now: %L1 blocks of %L2 tokens, %L3 MiB. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>physical cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threads: kernel workers, the engine&apos;s own thread included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backend: where the model is computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from free memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv_cache_mib: memory of the pool, where the number of blocks is not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Number of blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_blocks: blocks of the pool, the null block included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in a bloc&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block_size: slots in a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number &amp;format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 bit (f16)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>32 bit (f32)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv_cache_dtype: how keys and values are stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Allocator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contiguous, greatest length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contiguous, power of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contiguous, exact length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocator: paged is what serving engines use; the others are for comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Prefix caching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>enable_prefix_caching: equal beginnings of prompts are computed once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep keys and &amp;values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv_cache: off, every step computes the whole sequence again; for comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences in a s&amp;tep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max_num_seqs: size of the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token b&amp;udget of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max_num_batched_tokens: prompt chunks and decodes together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in a se&amp;quence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max_model_len: prompt and answer together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bat&amp;ching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continuous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Static</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batching: static keeps a batch until its longest answer ends; for comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First come, first served</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By priority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scheduling_policy: who is admitted first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunked prefi&amp;ll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>enable_chunked_prefill: long prompts in pieces, so that others go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watermark: share of the pool kept free when a sequence is admitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Watermark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineStatusBar</name>
    <message>
        <source>KV 100 % · %L1 of %L1 blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache in use: blocks that a sequence holds, of all blocks that can be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 running · %L1 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences in the batch, and those that wait for a place or for blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens generated in the last second, all chats together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 steps not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the views equal the engine: each step carries a checksum of the block pool, and the views compare it with their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 · %n thread(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>KV %L1 % · %L2 of %L3 blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV –</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 running · %L2 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs at step %L1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views exact</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::FigureStrip</name>
    <message>
        <source>Current figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ModelBar</name>
    <message>
        <source>%L1 M parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 B parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that answers; open another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open a .gguf file, or drop one onto the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context %L1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::NestedBar</name>
    <message>
        <source>Shares of the KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solid: %1 slots hold tokens (used)
Hatched: %2 slots of active blocks are not written yet
Thin: %3 slots of free blocks keep a prefix (cached)
Empty: %4 slots are free and clean
All: %5 slots</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::NoticeBanner</name>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SamplingPage</name>
    <message>
        <source>&amp;Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature: 0 always takes the likeliest token (greedy); 1 samples as the model says; higher is more surprising</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top_k: only this many of the likeliest tokens are considered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top_p: only the likeliest tokens that together reach this share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min_p: only tokens at least this likely, measured against the likeliest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repetition_penalty: above 1, tokens that were used become less likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a fresh one for each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed: the same seed, options and conversation give the same answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SequenceDirectory</name>
    <message>
        <source>sequence %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;System prompt of new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same text in many chats is computed once: their first blocks are shared.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputDock</name>
    <message>
        <source>Throughput</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here you see how many tokens per second come out, chat by chat, and where the time goes. Send a message to begin.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputPanel</name>
    <message>
        <source>Time span of the charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last 5 minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last 30 minutes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputPlot</name>
    <message>
        <source>Throughput charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated, tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt, tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step, ms:  ■ plan  ▒ forward  ▨ sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s before the newest step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated: %1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>   %1: %2 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt: %1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step: plan %1, forward %2, sample %3 ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
