<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
    <name>vitrine::ui::ModelPage</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
</TS>
