<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>BatchDescription</name>
    <message numerus="yes">
        <source>thrown out (preempted), gave back %n block(s)</source>
        <translation>
            <numerusform>thrown out (preempted), gave back %n block</numerusform>
            <numerusform>thrown out (preempted), gave back %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n token(s)</source>
        <translation>
            <numerusform>%1, %n token</numerusform>
            <numerusform>%1, %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BlockMapModel</name>
    <message numerus="yes">
        <source>%Ln block(s)</source>
        <translation>
            <numerusform>%Ln block</numerusform>
            <numerusform>%Ln blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PoolSentence</name>
    <message numerus="yes">
        <source>Nothing runs. %Ln cached-free block(s) keep a prefix for later prompts.</source>
        <translation>
            <numerusform>Nothing runs. %Ln cached-free block keeps a prefix for later prompts.</numerusform>
            <numerusform>Nothing runs. %Ln cached-free blocks keep a prefix for later prompts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of %1 are computed for answers that have ended: wasted.</source>
        <translation>
            <numerusform>%Ln row of %1 is computed for an answer that has ended: wasted.</numerusform>
            <numerusform>%Ln rows of %1 are computed for answers that have ended: wasted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s) for the next step</source>
        <translation>
            <numerusform>%Ln waits for the next step</numerusform>
            <numerusform>%Ln wait for the next step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s)</source>
        <translation>
            <numerusform>%Ln waits</numerusform>
            <numerusform>%Ln wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) run, %1.</source>
        <translation>
            <numerusform>%Ln request runs, %1.</numerusform>
            <numerusform>%Ln requests run, %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapView</name>
    <message numerus="yes">
        <source>taken after %Ln other(s)</source>
        <translation>
            <numerusform>taken after %Ln other</numerusform>
            <numerusform>taken after %Ln others</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatController</name>
    <message numerus="yes">
        <source>The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the %n oldest turn(s) are no longer sent to the model; they stay readable here.</source>
        <translation>
            <numerusform>The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the oldest turn is no longer sent to the model; it stays readable here.</numerusform>
            <numerusform>The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the %n oldest turns are no longer sent to the model; they stay readable here.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatListModel</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ConversationDocument</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln earlier message(s) are not shown</source>
        <translation>
            <numerusform>%Ln earlier message is not shown</numerusform>
            <numerusform>%Ln earlier messages are not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) are not shown here</source>
        <translation>
            <numerusform>%Ln message is not shown here</numerusform>
            <numerusform>%Ln messages are not shown here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineStatusBar</name>
    <message numerus="yes">
        <source>%1 · %2 · %n thread(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n thread</numerusform>
            <numerusform>%1 · %2 · %n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::FreeRunsView</name>
    <message numerus="yes">
        <source>%Ln free run(s), the longest of %1 of %2 free blocks.</source>
        <translation>
            <numerusform>%Ln free run, the longest of %1 of %2 free blocks.</numerusform>
            <numerusform>%Ln free runs, the longest of %1 of %2 free blocks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ModelPage</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepSentence</name>
    <message numerus="yes">
        <source>%Ln thrown out</source>
        <translation>
            <numerusform>%Ln thrown out</numerusform>
            <numerusform>%Ln thrown out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln prompt token</numerusform>
            <numerusform>%Ln prompt tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) computed again</source>
        <translation>
            <numerusform>%Ln token computed again</numerusform>
            <numerusform>%Ln tokens computed again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ended</source>
        <translation>
            <numerusform>%Ln ended</numerusform>
            <numerusform>%Ln ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of padding</source>
        <translation>
            <numerusform>%Ln row of padding</numerusform>
            <numerusform>%Ln rows of padding</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 was thrown out (preempted), which freed %n block(s)</source>
        <translation>
            <numerusform>%1 was thrown out (preempted), which freed %n block</numerusform>
            <numerusform>%1 was thrown out (preempted), which freed %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s) were computed (%1).</source>
        <translation>
            <numerusform>%Ln prompt token was computed (%1).</numerusform>
            <numerusform>%Ln prompt tokens were computed (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) of what was thrown out were computed again (%1).</source>
        <translation>
            <numerusform>%Ln token of what was thrown out was computed again (%1).</numerusform>
            <numerusform>%Ln tokens of what was thrown out were computed again (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of the batch were padding.</source>
        <translation>
            <numerusform>%Ln row of the batch was padding.</numerusform>
            <numerusform>%Ln rows of the batch were padding.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BlockSharing</name>
    <message numerus="yes">
        <source>%Ln block(s), marked in the corner, are shared: %1 saved.</source>
        <translation>
            <numerusform>%Ln block, marked in the corner, is shared: %1 saved.</numerusform>
            <numerusform>%Ln blocks, marked in the corner, are shared: %1 saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln block(s), marked in the corner, are shared %1: %2 saved.</source>
        <translation>
            <numerusform>%Ln block, marked in the corner, is shared %1: %2 saved.</numerusform>
            <numerusform>%Ln blocks, marked in the corner, are shared %1: %2 saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>holds %Ln block(s)</source>
        <translation>
            <numerusform>holds %Ln block</numerusform>
            <numerusform>holds %Ln blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TitleList</name>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::Composer</name>
    <message numerus="yes">
        <source>Pasted text, %Ln character(s), is sent with the message</source>
        <translation>
            <numerusform>Pasted text, %Ln character, is sent with the message</numerusform>
            <numerusform>Pasted text, %Ln characters, is sent with the message</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ui::TextReader</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
</context>
</TS>
