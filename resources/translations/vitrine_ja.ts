<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>AgoTicker</name>
    <message>
        <source>now</source>
        <translation>今</translation>
    </message>
    <message>
        <source>−%1 min</source>
        <translation>−%1 分</translation>
    </message>
    <message>
        <source>−%1 s</source>
        <translation>−%1 秒</translation>
    </message>
    <message>
        <source>end</source>
        <translation>終わり</translation>
    </message>
</context>
<context>
    <name>BackendWords</name>
    <message>
        <source>This installation has no library for graphics cards.</source>
        <translation>この環境にはグラフィックスカード用のライブラリがありません。</translation>
    </message>
    <message>
        <source>The graphics card&apos;s driver is missing or too old.</source>
        <translation>グラフィックスカードのドライバーがないか、古すぎます。</translation>
    </message>
    <message>
        <source>There is no graphics card that could compute.</source>
        <translation>計算に使えるグラフィックスカードがありません。</translation>
    </message>
    <message>
        <source>The graphics card is too old.</source>
        <translation>グラフィックスカードが古すぎます。</translation>
    </message>
    <message>
        <source>The library cuBLAS is missing.</source>
        <translation>ライブラリ cuBLAS がありません。</translation>
    </message>
    <message>
        <source>The graphics card cannot take the model.</source>
        <translation>グラフィックスカードにこのモデルを載せられません。</translation>
    </message>
    <message>
        <source>The graphics card has failed.</source>
        <translation>グラフィックスカードが故障しました。</translation>
    </message>
    <message>
        <source>no graphics card</source>
        <translation>グラフィックスカードなし</translation>
    </message>
    <message>
        <source>graphics card too old</source>
        <translation>グラフィックスカードが古すぎる</translation>
    </message>
    <message>
        <source>cuBLAS missing</source>
        <translation>cuBLAS なし</translation>
    </message>
    <message>
        <source>graphics card too small</source>
        <translation>グラフィックスカードの容量不足</translation>
    </message>
    <message>
        <source>graphics card failed</source>
        <translation>グラフィックスカードの故障</translation>
    </message>
    <message>
        <source>graphics library unusable</source>
        <translation>グラフィックスライブラリが使用不可</translation>
    </message>
    <message>
        <source>The library for graphics cards cannot be used.</source>
        <translation>グラフィックスカード用のライブラリを使えません。</translation>
    </message>
</context>
<context>
    <name>BatchDescription</name>
    <message>
        <source>Step %1, %2 ms
%3 run, %4 wait
%5 of %6 tokens of the budget: %7 prefill, %8 decode, %9 recomputed</source>
        <translation>ステップ %1、%2 ms
実行 %3、待機 %4
トークン予算 %6 のうち %5：プリフィル %7、デコード %8、再計算 %9</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, 1 token</source>
        <translation>%1、1 トークン</translation>
    </message>
    <message>
        <source>%1, %2 tokens</source>
        <translation>%1、%2 トークン</translation>
    </message>
    <message>
        <source>%1 more found in the prefix cache</source>
        <translation>ほかに %1 がプレフィックスキャッシュにありました</translation>
    </message>
    <message numerus="yes">
        <source>thrown out (preempted), gave back %n block(s)</source>
        <translation>
            <numerusform>追い出され（プリエンプト）、%n ブロックを返しました</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, taken by %2</source>
        <translation>%1（%2 が取得）</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n token(s)</source>
        <translation>
            <numerusform>%1、%n トークン</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか %n 件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BlockMapModel</name>
    <message>
        <source>the null block, never handed out</source>
        <translation>null ブロック（割り当てられることはありません）</translation>
    </message>
    <message>
        <source>active, shared by %1</source>
        <translation>使用中、%1 で共有</translation>
    </message>
    <message>
        <source>active</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>ブロック %1：%2</translation>
    </message>
    <message>
        <source>%1 of %2 slots filled</source>
        <translation>%2 スロット中 %1 を使用</translation>
    </message>
    <message>
        <source>hashed: later prompts may share it</source>
        <translation>ハッシュ済み：後のプロンプトと共有できます</translation>
    </message>
    <message>
        <source>not hashed: only full blocks can be shared</source>
        <translation>未ハッシュ：満杯のブロックだけが共有できます</translation>
    </message>
    <message>
        <source>last changed at step %1</source>
        <translation>最後の変更：ステップ %1</translation>
    </message>
    <message>
        <source>%1 (sequence %2), tokens %3 to %4</source>
        <translation>%1（シーケンス %2）、トークン %3〜%4</translation>
    </message>
    <message>
        <source>last used by %1</source>
        <translation>最後に使ったのは %1</translation>
    </message>
    <message>
        <source>clean-free, nothing is kept in it</source>
        <translation>空き（クリーン）：何も保持していません</translation>
    </message>
    <message>
        <source>cached-free, its prefix is kept until the block is needed</source>
        <translation>空き（キャッシュ）：必要になるまでプレフィックスを保持します</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Blocks %1 to %2</source>
        <translation>ブロック %1〜%2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln block(s)</source>
        <translation>
            <numerusform>%Ln ブロック</numerusform>
        </translation>
    </message>
    <message>
        <source>active: %1, of these shared: %2</source>
        <translation>使用中：%1（うち共有：%2）</translation>
    </message>
    <message>
        <source>cached-free: %1, clean-free: %2</source>
        <translation>空き（キャッシュ）：%1、空き（クリーン）：%2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>ほか %Ln 件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportFile</name>
    <message>
        <source>The file could not be written: %1</source>
        <translation>ファイルを書き込めませんでした：%1</translation>
    </message>
    <message>
        <source>choose another folder, or make room</source>
        <translation>別のフォルダーを選ぶか、空きを作ってください</translation>
    </message>
</context>
<context>
    <name>PoolSentence</name>
    <message>
        <source>1 request runs, nobody waits.</source>
        <translation>1 件を実行中、待機なし。</translation>
    </message>
    <message>
        <source>%1 requests run, nobody waits.</source>
        <translation>%1 件を実行中、待機なし。</translation>
    </message>
    <message>
        <source>Nothing runs. Send a message and watch blocks being taken.</source>
        <translation>何も実行していません。メッセージを送ると、ブロックが使われていく様子が見えます。</translation>
    </message>
    <message>
        <source>Since step %1 this is not what the engine has. Please report it; loading the model again puts it right.</source>
        <translation>ステップ %1 以降、表示はエンジンの状態と一致していません。ご報告ください。モデルを読み込み直すと元に戻ります。</translation>
    </message>
    <message>
        <source>%1 steps are not shown: the window lagged behind the engine.</source>
        <translation>%1 ステップは表示されていません：ウィンドウがエンジンに追いつけませんでした。</translation>
    </message>
    <message>
        <source>Of what is granted %1 % is used, %2 % reserved (▨), %3 % wasted (☒).</source>
        <translation>割り当てのうち %1 % を使用、%2 % を予約（▨）、%3 % は無駄です（☒）。</translation>
    </message>
    <message numerus="yes">
        <source>Nothing runs. %Ln cached-free block(s) keep a prefix for later prompts.</source>
        <translation>
            <numerusform>何も実行していません。空き（キャッシュ）の %Ln ブロックが後のプロンプトのためにプレフィックスを保持しています。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 when the step was planned, %2 at its end</source>
        <translation>%1（計画時点）、終了時は %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of %1 are computed for answers that have ended: wasted.</source>
        <translation>
            <numerusform>%1 行中 %Ln 行は、終わった回答のために計算されている無駄です。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % of the active slots are still empty (pale), and so wasted.</source>
        <translation>使用中のスロットの %1 % はまだ空（淡色）で、その分は無駄になっています。</translation>
    </message>
    <message>
        <source>%1 run, %2 wait, first “%3”: %4.</source>
        <translation>実行 %1、待機 %2、先頭は「%3」：%4。</translation>
    </message>
    <message>
        <source>; the other one is behind it</source>
        <translation>。もう 1 件はその後</translation>
    </message>
    <message>
        <source>; the others are behind it</source>
        <translation>。ほかはその後</translation>
    </message>
    <message>
        <source>; the others wait for the same</source>
        <translation>。ほかも同じ理由</translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s) for the next step</source>
        <translation>
            <numerusform>%Ln 件は次のステップ待ち</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s)</source>
        <translation>
            <numerusform>%Ln 件が待機中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) run, %1.</source>
        <translation>
            <numerusform>%Ln 件を実行中、%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing runs, %1.</source>
        <translation>何も実行していません、%1。</translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>。%1</translation>
    </message>
</context>
<context>
    <name>SequenceActivity</name>
    <message>
        <source>waits: %1</source>
        <translation>待機：%1</translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation>プロンプトを計算中</translation>
    </message>
    <message>
        <source>decoding, %1 tok/s</source>
        <translation>デコード中、%1 tok/s</translation>
    </message>
    <message>
        <source>done, its row waits for the batch to end</source>
        <translation>完了、バッチの終わりを待っています</translation>
    </message>
    <message>
        <source>1 block needed, %1 free</source>
        <translation>1 ブロック必要、空き %1</translation>
    </message>
    <message>
        <source>%1 blocks needed, %2 free</source>
        <translation>%1 ブロック必要、空き %2</translation>
    </message>
    <message>
        <source>the step&apos;s token budget is used up</source>
        <translation>ステップのトークン予算を使い切りました</translation>
    </message>
    <message>
        <source>the engine is paused</source>
        <translation>エンジンは一時停止中です</translation>
    </message>
    <message>
        <source>%1 blocks side by side needed, the longest free run has %2</source>
        <translation>連続した %1 ブロックが必要、最長の空きは %2</translation>
    </message>
    <message>
        <source>another answer computes the same prompt</source>
        <translation>同じプロンプトを別の応答が計算中</translation>
    </message>
    <message>
        <source>behind “%1”</source>
        <translation>「%1」の後</translation>
    </message>
    <message>
        <source>blocks were just taken back for those that run, so nobody joins in this step</source>
        <translation>実行中のもののためにブロックを回収した直後で、このステップには誰も加わらない</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>ブロック</translation>
    </message>
    <message>
        <source>batch full</source>
        <translation>満員</translation>
    </message>
    <message>
        <source>token budget</source>
        <translation>トークン予算</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>one long run</source>
        <translation>連続領域</translation>
    </message>
    <message>
        <source>next batch</source>
        <translation>次のバッチ</translation>
    </message>
    <message>
        <source>shared prompt</source>
        <translation>共有プロンプト</translation>
    </message>
    <message>
        <source>behind others</source>
        <translation>他の後</translation>
    </message>
    <message>
        <source>blocks go to others</source>
        <translation>ブロックは他へ</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>thrown out</source>
        <translation>追い出し</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>プリフィル</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>デコード</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>再計算</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>パディング</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>ended at its greatest length</source>
        <translation>最大長で終了</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>ended with an error</source>
        <translation>エラーで終了</translation>
    </message>
    <message>
        <source>step kept short</source>
        <translation>短いステップ</translation>
    </message>
    <message>
        <source>the static batch has to end</source>
        <translation>静的バッチの終了待ち</translation>
    </message>
    <message>
        <source>thrown out: %1</source>
        <translation>追い出され待機：%1</translation>
    </message>
    <message>
        <source>the batch of %1 is full</source>
        <translation>バッチ（%1 件）が満員</translation>
    </message>
    <message>
        <source>steps are kept short, so that running answers do not stutter</source>
        <translation>実行中の回答が滞らないよう、ステップを短く保っている</translation>
    </message>
    <message>
        <source>computing again (was thrown out)</source>
        <translation>再計算中（追い出し後）</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>デコード中</translation>
    </message>
    <message>
        <source>waits for the next step</source>
        <translation>次のステップを待機中</translation>
    </message>
    <message>
        <source>waits in the queue</source>
        <translation>順番待ちの列で待機中</translation>
    </message>
    <message>
        <source>thrown out, waits for the next step</source>
        <translation>追い出され、次のステップを待機中</translation>
    </message>
</context>
<context>
    <name>SequencePalette</name>
    <message>
        <source>blue</source>
        <translation>青</translation>
    </message>
    <message>
        <source>rose</source>
        <translation>ローズ</translation>
    </message>
    <message>
        <source>green</source>
        <translation>緑</translation>
    </message>
    <message>
        <source>sand</source>
        <translation>砂色</translation>
    </message>
    <message>
        <source>indigo</source>
        <translation>藍</translation>
    </message>
    <message>
        <source>teal</source>
        <translation>青緑</translation>
    </message>
    <message>
        <source>purple</source>
        <translation>紫</translation>
    </message>
    <message>
        <source>olive</source>
        <translation>オリーブ</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>灰色</translation>
    </message>
    <message>
        <source>%1, striped</source>
        <translation>%1、縞</translation>
    </message>
    <message>
        <source>%1, dotted</source>
        <translation>%1、点</translation>
    </message>
    <message>
        <source>%1, checked</source>
        <translation>%1、格子</translation>
    </message>
</context>
<context>
    <name>StorageCheck</name>
    <message>
        <source>the disk is full</source>
        <translation>ディスクがいっぱいです</translation>
    </message>
    <message>
        <source>make room</source>
        <translation>空きを作ってください</translation>
    </message>
    <message>
        <source>your share of the disk is used up</source>
        <translation>ディスクの割り当てを使い切りました</translation>
    </message>
    <message>
        <source>the file system is read-only</source>
        <translation>ファイルシステムが読み取り専用です</translation>
    </message>
    <message>
        <source>make it writable or choose another folder by XDG_DATA_HOME</source>
        <translation>書き込めるようにするか、XDG_DATA_HOME で別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>the folder cannot be written</source>
        <translation>フォルダーに書き込めません</translation>
    </message>
    <message>
        <source>check its permissions</source>
        <translation>アクセス権を確かめてください</translation>
    </message>
    <message>
        <source>files may not grow so far (ulimit -f)</source>
        <translation>ファイルの大きさの制限に達しました (ulimit -f)</translation>
    </message>
    <message>
        <source>raise the limit</source>
        <translation>制限を上げてください</translation>
    </message>
    <message>
        <source>check the folder</source>
        <translation>フォルダーを確かめてください</translation>
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
        <translation>4つのチャットに同じ質問をする</translation>
    </message>
    <message>
        <source>One batch of four; their prompts share blocks of the cache.</source>
        <translation>4件が1つのバッチに。プロンプトはキャッシュのブロックを共有します。</translation>
    </message>
    <message>
        <source>Send one long prompt</source>
        <translation>長いプロンプトを送る</translation>
    </message>
    <message>
        <source>Watch the prompt being computed in chunks before the first word comes.</source>
        <translation>最初の言葉の前に、プロンプトが少しずつ計算される様子が見えます。</translation>
    </message>
    <message>
        <source>Tell two stories at once</source>
        <translation>2つの物語を同時に書かせる</translation>
    </message>
    <message>
        <source>Two chats grow block by block, side by side in every step.</source>
        <translation>2つのチャットが毎ステップ並んで、ブロックごとに伸びていきます。</translation>
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
    <name>TimelineCanvas</name>
    <message>
        <source>▾ %1 more: %2</source>
        <translation>▾ ほか %1 件：%2</translation>
    </message>
    <message>
        <source>%1 run</source>
        <translation>実行 %1</translation>
    </message>
    <message>
        <source>time, s</source>
        <translation>時刻（秒）</translation>
    </message>
    <message>
        <source>step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (sequence %2)</source>
        <translation>%1（シーケンス %2）</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>ステップ %1：%2</translation>
    </message>
    <message>
        <source>%1 wait</source>
        <translation>待機 %1</translation>
    </message>
    <message>
        <source>%1 ended</source>
        <translation>終了 %1</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>以後に開始 %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Dot: holds a block that is marked in the block map</source>
        <translation>点：ブロックマップで印の付いたブロックを持っています</translation>
    </message>
</context>
<context>
    <name>TimelineStrips</name>
    <message>
        <source>run + wait</source>
        <translation>実行 + 待機</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV キャッシュ</translation>
    </message>
    <message>
        <source>step, tok/s</source>
        <translation>ステップ、tok/s</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>予算</translation>
    </message>
    <message>
        <source>Requests that run (solid) and that wait (hollow, on top).</source>
        <translation>実行中の要求（塗り）と、その上に待機中の要求（枠のみ）。</translation>
    </message>
    <message>
        <source>kv_cache_usage: active blocks of all usable blocks, after the step.</source>
        <translation>kv_cache_usage：ステップ後の、使えるブロックのうち使用中のものの割合。</translation>
    </message>
    <message>
        <source>Tokens that came out of the step, divided by its duration.</source>
        <translation>ステップで生成されたトークン数を、その時間で割ったもの。</translation>
    </message>
    <message>
        <source>Tokens computed in the step, of those it may compute: decode dark, prompts on top.</source>
        <translation>ステップで計算したトークンの、計算してよい数に対する割合。濃い部分がデコード、その上がプロンプト。</translation>
    </message>
    <message>
        <source>%1 + %2</source>
        <translation>%1 + %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>vitrine::Demo</name>
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
    <name>vitrine::MainWindow</name>
    <message>
        <source>&amp;Open model…</source>
        <translation>モデルを開く(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation>削除を取り消す(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>設定(&amp;S)…</translation>
    </message>
    <message>
        <source>Engine, sampling and chat settings (Ctrl+,)</source>
        <translation>エンジン、サンプリング、チャットの設定 (Ctrl+,)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>メイン</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>チャット(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Engine</source>
        <translation>エンジン(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Vitrine</source>
        <translation>Vitrine について(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>配置を元に戻す(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>テーマ(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>システムに合わせる(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>ライト(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>ダーク(&amp;D)</translation>
    </message>
    <message>
        <source>“%1” was deleted.</source>
        <translation>「%1」を削除しました。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>モデルを開く</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf);;All files (*)</source>
        <translation>GGUF モデル (*.gguf);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Vitrine</source>
        <translation>Vitrine</translation>
    </message>
    <message>
        <source>%1 – Vitrine</source>
        <translation>%1 – Vitrine</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>モデルを読み込めませんでした</translation>
    </message>
    <message>
        <source>The settings could not be used</source>
        <translation>この設定は使用できませんでした</translation>
    </message>
    <message>
        <source>The graphics card cannot go on. The processor takes over all answers.</source>
        <translation>グラフィックスカードでは続けられません。すべての回答はプロセッサーが引き継ぎます。</translation>
    </message>
    <message>
        <source>Remarks on the model “%1”</source>
        <translation>モデル「%1」についての注意</translation>
    </message>
    <message>
        <source>Model &amp;details…</source>
        <translation>モデルの詳細(&amp;D)…</translation>
    </message>
    <message>
        <source>What a model file is, and the memory that it takes, before it is loaded (Ctrl+I)</source>
        <translation>読み込む前に、モデルファイルの内容と必要なメモリを見る (Ctrl+I)</translation>
    </message>
    <message>
        <source>Open recordin&amp;g…</source>
        <translation>記録を開く(&amp;G)…</translation>
    </message>
    <message>
        <source>Recorded steps</source>
        <translation>記録されたステップ</translation>
    </message>
    <message>
        <source>“%1” was saved.</source>
        <translation>「%1」を保存しました。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>“%1” was written.</source>
        <translation>「%1」を書き出しました。</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>記録を開く</translation>
    </message>
    <message>
        <source>&amp;Large type (projector)</source>
        <translation>大きな文字（プロジェクター）(&amp;L)</translation>
    </message>
    <message>
        <source>Reduce &amp;motion</source>
        <translation>動きを減らす(&amp;M)</translation>
    </message>
    <message>
        <source>Quit Vitrine</source>
        <translation>Vitrine の終了</translation>
    </message>
    <message>
        <source>Chats are not saved: %1. Quit all the same?</source>
        <translation>チャットが保存されていません：%1。それでも終了しますか？</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>終了しない(&amp;S)</translation>
    </message>
</context>
<context>
    <name>vitrine::SessionStore</name>
    <message>
        <source>chats of this window are not kept: another Vitrine has them open</source>
        <translation>このウィンドウのチャットは保存されません：別の Vitrine が開いています</translation>
    </message>
    <message>
        <source>use the other window, or close it and start again</source>
        <translation>もう一方のウィンドウを使うか、閉じてから起動し直してください</translation>
    </message>
    <message>
        <source>chats of this run are not kept: the file was written by a newer Vitrine</source>
        <translation>今回のチャットは保存されません：ファイルは新しい Vitrine で書かれています</translation>
    </message>
    <message>
        <source>chats of this run are not kept: the file cannot be used</source>
        <translation>今回のチャットは保存されません：ファイルを使用できません</translation>
    </message>
    <message>
        <source>the file of your chats is damaged and cannot be set aside</source>
        <translation>チャットのファイルが壊れており、退避できません</translation>
    </message>
    <message>
        <source>chats of this run are not kept</source>
        <translation>今回のチャットは保存されません</translation>
    </message>
    <message>
        <source>the file of your chats is damaged (%1) and was set aside</source>
        <translation>チャットのファイルが壊れていたため (%1)、退避しました</translation>
    </message>
    <message>
        <source>Vitrine starts without the old chats; the file is kept, and SQLite&apos;s “.recover” may read it</source>
        <translation>以前のチャットなしで起動します。ファイルは残してあり、SQLite の「.recover」で読めることがあります</translation>
    </message>
    <message>
        <source>chats cannot be saved: %1</source>
        <translation>チャットを保存できません：%1</translation>
    </message>
    <message>
        <source>close Vitrine and copy the file before anything else; SQLite&apos;s “.recover” may read it</source>
        <translation>まず Vitrine を閉じてファイルのコピーを取ってください。SQLite の「.recover」で読み取れる場合があります</translation>
    </message>
    <message>
        <source>chats of this run are not kept: this is no file</source>
        <translation>今回のチャットは保存されません：これはファイルではありません</translation>
    </message>
    <message>
        <source>move it away and start again</source>
        <translation>それを移動して、もう一度起動してください</translation>
    </message>
    <message>
        <source>chats of this run are not kept: a file stands where their folder should be</source>
        <translation>今回のチャットは保存されません：保存先フォルダーの場所に同名のファイルがあります</translation>
    </message>
    <message>
        <source>move the file away and start again</source>
        <translation>そのファイルを移動してから、起動し直してください</translation>
    </message>
    <message>
        <source>chats cannot be saved</source>
        <translation>チャットを保存できません</translation>
    </message>
    <message>
        <source>the messages of a chat cannot be read: %1</source>
        <translation>チャットのメッセージを読み取れません：%1</translation>
    </message>
    <message>
        <source>the file of your chats is damaged: %1</source>
        <translation>チャットのファイルが壊れています：%1</translation>
    </message>
    <message>
        <source>their folder cannot be made or locked</source>
        <translation>フォルダーを作成またはロックできません</translation>
    </message>
    <message>
        <source>check the folder</source>
        <translation>フォルダーを確かめてください</translation>
    </message>
    <message>
        <source>chats of this run are not kept: %1</source>
        <translation>今回のチャットは保存されません: %1</translation>
    </message>
    <message>
        <source>%1 and start again</source>
        <translation>%1。そのあと起動し直してください</translation>
    </message>
    <message>
        <source>make room or check permissions</source>
        <translation>空きを作るか、アクセス権を確かめてください</translation>
    </message>
    <message>
        <source>they go on in memory, and saving is tried again; %1</source>
        <translation>チャットはメモリ上で続き、保存は再び試みられます。%1</translation>
    </message>
</context>
<context>
    <name>vitrine::Workspace</name>
    <message>
        <source>New chat</source>
        <translation>新しいチャット</translation>
    </message>
</context>
<context>
    <name>vitrine::main</name>
    <message>
        <source>their file cannot be written</source>
        <translation>ファイルに書き込めません</translation>
    </message>
    <message>
        <source>settings of this run are not kept: %1</source>
        <translation>今回の設定は保存されません: %1</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::AboutDialog</name>
    <message>
        <source>About Vitrine</source>
        <translation>Vitrine について</translation>
    </message>
    <message>
        <source>Vitrine %1</source>
        <translation>Vitrine %1</translation>
    </message>
    <message>
        <source>Local LLM chat with the engine behind glass: several chats at once, and a live view of what the engine does for them.

Free software under the GNU General Public License, version 3 or later, with a permission to link the CUDA libraries. It comes without any warranty.

Made with Qt and QCustomPlot.</source>
        <translation>ガラス越しにエンジンが見えるローカル LLM チャット：複数のチャットを同時に動かし、エンジンの働きをその場で見られます。

GNU General Public License バージョン 3 以降（CUDA ライブラリとのリンク許可付き）による自由ソフトウェアです。無保証です。

Qt と QCustomPlot を使用しています。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::AdaptiveLayout</name>
    <message>
        <source>Chat</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>Glass</source>
        <translation>ガラス</translation>
    </message>
    <message>
        <source>Chat or glass</source>
        <translation>チャットまたはガラス</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelineDock</name>
    <message>
        <source>Batch timeline</source>
        <translation>バッチの時系列</translation>
    </message>
    <message>
        <source>Here you see step by step which chats are computed together, who waits, and why. Send a message to begin.</source>
        <translation>どのチャットが一緒に計算され、誰がなぜ待っているかを、ステップごとに表示します。メッセージを送ると始まります。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelinePanel</name>
    <message>
        <source>Batch</source>
        <translation>バッチ</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>追従</translation>
    </message>
    <message>
        <source>Show the newest step again (F)</source>
        <translation>最新のステップに戻る (F)</translation>
    </message>
    <message>
        <source>Zoom in (+, or the wheel)</source>
        <translation>拡大（+ またはホイール）</translation>
    </message>
    <message>
        <source>Zoom out (−, or the wheel)</source>
        <translation>縮小（− またはホイール）</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>凡例</translation>
    </message>
    <message>
        <source>What the marks of the batch timeline mean</source>
        <translation>バッチの時系列の記号の意味</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>ステップ %1：%2</translation>
    </message>
    <message>
        <source>Legend of the batch timeline</source>
        <translation>バッチの時系列の凡例</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>プリフィル</translation>
    </message>
    <message>
        <source>a chunk of the prompt is computed; higher is more tokens</source>
        <translation>プロンプトの一部を計算。高いほどトークンが多い</translation>
    </message>
    <message>
        <source>cached prefix</source>
        <translation>キャッシュ済みプレフィックス</translation>
    </message>
    <message>
        <source>outlined: found in the prefix cache, not computed</source>
        <translation>枠線：プレフィックスキャッシュにあり、計算しない</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>デコード</translation>
    </message>
    <message>
        <source>one token a step</source>
        <translation>1ステップに1トークン</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>再計算</translation>
    </message>
    <message>
        <source>hatched: computed again, was thrown out</source>
        <translation>斜線：追い出された後の再計算</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>hollow: not in the batch; point at it to see why</source>
        <translation>中空：バッチの外。指すと理由が見えます</translation>
    </message>
    <message>
        <source>thrown out</source>
        <translation>追い出し</translation>
    </message>
    <message>
        <source>striped: preempted, to be computed again</source>
        <translation>縞：プリエンプトされ、再計算待ち</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>パディング</translation>
    </message>
    <message>
        <source>crossed: ended, but its row is still computed (static batching)</source>
        <translation>×印：終了したが行はまだ計算される（固定バッチ）</translation>
    </message>
    <message>
        <source>thrown out (preempted)</source>
        <translation>追い出し（プリエンプト）</translation>
    </message>
    <message>
        <source>its blocks were taken back at this step</source>
        <translation>このステップでブロックを取り上げられた</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>the answer ended by itself</source>
        <translation>応答が自然に終わった</translation>
    </message>
    <message>
        <source>length</source>
        <translation>長さ</translation>
    </message>
    <message>
        <source>the answer reached its greatest length</source>
        <translation>応答が最大長に達した</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>somebody pressed stop</source>
        <translation>停止が押された</translation>
    </message>
    <message>
        <source>and then</source>
        <translation>その後</translation>
    </message>
    <message>
        <source>down or up to who got its blocks, and along to where it is back</source>
        <translation>上下の線はブロックを得た相手へ、横の線は戻ったステップへ</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>The axis is the time, and not the step (T)</source>
        <translation>軸をステップではなく時刻にします (T)</translation>
    </message>
    <message>
        <source>&amp;Rows in view (CSV)…</source>
        <translation>表示中の行 (CSV)…(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Steps in view (CSV)…</source>
        <translation>表示中のステップ (CSV)…(&amp;S)</translation>
    </message>
    <message>
        <source>What happened in the step</source>
        <translation>このステップで起きたこと</translation>
    </message>
    <message>
        <source>%1 run, %2 wait, token budget %3 %</source>
        <translation>実行 %1、待機 %2、トークン予算 %3 %</translation>
    </message>
    <message>
        <source>dot beside a name</source>
        <translation>名前の横の点</translation>
    </message>
    <message>
        <source>holds a block marked in the map</source>
        <translation>ブロックマップで印の付いたブロックを持つ</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BatchTimelineView</name>
    <message>
        <source>Batch timeline</source>
        <translation>バッチの時系列</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapDock</name>
    <message>
        <source>Block map</source>
        <translation>ブロックマップ</translation>
    </message>
    <message>
        <source>Here you see which block of the KV cache belongs to which chat. Open a model to begin.</source>
        <translation>KV キャッシュのどのブロックがどのチャットのものかを表示します。モデルを開くと始まります。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapPanel</name>
    <message>
        <source>Legend of the block map</source>
        <translation>ブロックマップの凡例</translation>
    </message>
    <message>
        <source>active</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>in use by the chat of this colour, filled from below; the rest waits for tokens</source>
        <translation>この色のチャットが使用中。下から埋まり、残りはトークン待ち</translation>
    </message>
    <message>
        <source>hashed</source>
        <translation>ハッシュ済み</translation>
    </message>
    <message>
        <source>a border: full, and a later prompt that begins alike may share it</source>
        <translation>枠線：満杯。同じ始まりのプロンプトと共有できる</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共有</translation>
    </message>
    <message>
        <source>texture</source>
        <translation>模様</translation>
    </message>
    <message>
        <source>from the ninth chat on colours come again, with a texture</source>
        <translation>9番目のチャットからは色に模様が付く</translation>
    </message>
    <message>
        <source>null block</source>
        <translation>null ブロック</translation>
    </message>
    <message>
        <source>block 0, never handed out: it stands where no memory is needed</source>
        <translation>ブロック 0、割り当てられず、メモリが不要な場所を示す</translation>
    </message>
    <message>
        <source>State of the pool</source>
        <translation>プールの状態</translation>
    </message>
    <message>
        <source>Warning about what is shown</source>
        <translation>表示についての警告</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>凡例</translation>
    </message>
    <message>
        <source>What the marks of the block map mean</source>
        <translation>ブロックマップの記号の意味</translation>
    </message>
    <message>
        <source>active %1 %</source>
        <translation>使用中 %1 %</translation>
    </message>
    <message>
        <source>sharing %1</source>
        <translation>共有 %1</translation>
    </message>
    <message>
        <source>clean-free</source>
        <translation>空き（クリーン）</translation>
    </message>
    <message>
        <source>free, and nothing is kept in it; in small cells a point in the middle</source>
        <translation>空きで、何も保持していない。小さなセルでは中央に点</translation>
    </message>
    <message>
        <source>cached-free</source>
        <translation>空き（キャッシュ）</translation>
    </message>
    <message>
        <source>free too, but its prefix is kept; the paler, the sooner it is taken</source>
        <translation>これも空きだがプレフィックスを保持。薄いほど先に取られる</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>予約</translation>
    </message>
    <message>
        <source>contiguous modes, hatched: granted, and will be written</source>
        <translation>連続モード、斜線：割り当て済みで、これから書かれる</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>未使用のまま</translation>
    </message>
    <message>
        <source>contiguous modes, crossed: granted, but the answer cannot get so long</source>
        <translation>連続モード、×印：割り当て済みだが、応答はそこまで長くならない</translation>
    </message>
    <message>
        <source>many blocks</source>
        <translation>多数のブロック</translation>
    </message>
    <message>
        <source>one cell for several: below, wide, the active ones; above, narrow, the cached-free ones; + comes closer</source>
        <translation>1 マスに複数：下の広い部分が使用中、その上の狭い部分が空き（キャッシュ）。+ で拡大</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>印</translation>
    </message>
    <message>
        <source>two lines: holds what is selected in the conversation, or was clicked; one line around blocks: those of the chosen chat. What is taken or gets full has a grey frame for a moment</source>
        <translation>二重線：会話で選択した文を持つか、クリックされたもの。ブロックを囲む線：選んだチャットのもの。取得時や満杯になったときは、少しの間、灰色の枠が付きます</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;active&lt;/b&gt;: blocks that some sequence holds, of all usable blocks (kv_cache_usage).&lt;br&gt;&lt;b&gt;cached-free&lt;/b&gt;: free blocks that keep a prefix.&lt;br&gt;&lt;b&gt;clean-free&lt;/b&gt;: free blocks that keep nothing.&lt;br&gt;&lt;b&gt;sharing&lt;/b&gt;: lengths of all block tables / active blocks; above 1 memory is saved.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;使用中&lt;/b&gt;：いずれかのシーケンスが持つブロック（全使用可能ブロック比、kv_cache_usage）。&lt;br&gt;&lt;b&gt;空き（キャッシュ）&lt;/b&gt;：プレフィックスを保持する空きブロック。&lt;br&gt;&lt;b&gt;空き（クリーン）&lt;/b&gt;：何も保持しない空きブロック。&lt;br&gt;&lt;b&gt;共有&lt;/b&gt;：全ブロックテーブルの長さ / 使用中ブロック。1 を超えるとメモリーの節約。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>by address</source>
        <translation>アドレス順</translation>
    </message>
    <message>
        <source>by sequence</source>
        <translation>シーケンス順</translation>
    </message>
    <message>
        <source>by eviction</source>
        <translation>追い出し順</translation>
    </message>
    <message>
        <source>Order of the blocks</source>
        <translation>ブロックの順序</translation>
    </message>
    <message>
        <source>&lt;p&gt;Keys on the map:&lt;br&gt;&lt;b&gt;A&lt;/b&gt; by address: where each block lies&lt;br&gt;&lt;b&gt;S&lt;/b&gt; by sequence: each block table is a row&lt;br&gt;&lt;b&gt;E&lt;/b&gt; by eviction: the free queue, what is taken next first&lt;/p&gt;</source>
        <translation>&lt;p&gt;マップ上のキー：&lt;br&gt;&lt;b&gt;A&lt;/b&gt; アドレス順：各ブロックの位置&lt;br&gt;&lt;b&gt;S&lt;/b&gt; シーケンス順：ブロックテーブルごとに 1 行&lt;br&gt;&lt;b&gt;E&lt;/b&gt; 追い出し順：空きキュー。次に取られるものが先頭&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Blocks that one cell stands for</source>
        <translation>1 マスが表すブロックの数</translation>
    </message>
    <message>
        <source>Zoom out: more blocks in one cell (−, Ctrl+wheel)</source>
        <translation>縮小：1 マスのブロックを増やす（−、Ctrl+ホイール）</translation>
    </message>
    <message>
        <source>Zoom in: fewer blocks in one cell (+, Ctrl+wheel)</source>
        <translation>拡大：1 マスのブロックを減らす（+、Ctrl+ホイール）</translation>
    </message>
    <message>
        <source>Free runs</source>
        <translation>空き領域</translation>
    </message>
    <message>
        <source>How the free memory lies: free runs and fragmentation</source>
        <translation>空きメモリーの並び：連続領域と断片化</translation>
    </message>
    <message>
        <source>%1 a cell</source>
        <translation>%1 個/マス</translation>
    </message>
    <message>
        <source>cached-free %1 %</source>
        <translation>空き（保持）%1 %</translation>
    </message>
    <message>
        <source>clean-free %1 %</source>
        <translation>空き（未使用）%1 %</translation>
    </message>
    <message>
        <source>the first %1</source>
        <translation>先頭の %1 個</translation>
    </message>
    <message>
        <source>&amp;Blocks (CSV)…</source>
        <translation>ブロック (CSV)…(&amp;B)</translation>
    </message>
    <message>
        <source>a mark in the upper right corner: several sequences read it; click the block, and who holds it has a dot beside the name</source>
        <translation>右上角の印：複数のシーケンスが読んでいます。クリックすると、持ち主の名前の横に点が付きます</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::BlockMapView</name>
    <message>
        <source>Block map</source>
        <translation>ブロックマップ</translation>
    </message>
    <message>
        <source>taken next</source>
        <translation>次に取られます</translation>
    </message>
    <message numerus="yes">
        <source>taken after %Ln other(s)</source>
        <translation>
            <numerusform>ほかの %Ln 個の後に取られます</numerusform>
        </translation>
    </message>
    <message>
        <source>Its text is kept for the newest step only.</source>
        <translation>文章は最新のステップでだけ見られます。</translation>
    </message>
    <message>
        <source>Text: “%1”</source>
        <translation>文章：「%1」</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatController</name>
    <message numerus="yes">
        <source>The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the %n oldest turn(s) are no longer sent to the model; they stay readable here.</source>
        <translation>
            <numerusform>会話がコンテキスト %L1 トークンを超えました。方針：システムプロンプトは残り、最も古い %n 回のやり取りはモデルに送られません。ここでは引き続き読めます。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (branch)</source>
        <translation>%1（分岐）</translation>
    </message>
    <message>
        <source>The context of %L1 tokens is full, so the answer ends here. Policy: with the next message the oldest turns are no longer sent; the system prompt stays.</source>
        <translation>コンテキスト %L1 トークンが満杯のため、応答はここで終わります。方針：次のメッセージから最も古いやり取りは送られません。システムプロンプトは残ります。</translation>
    </message>
    <message>
        <source>The engine says: %1</source>
        <translation>エンジンからの報告：%1</translation>
    </message>
    <message>
        <source>The answer ended while the model was still reasoning.</source>
        <translation>モデルがまだ考えている間に応答が終わりました。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>順番待ち</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>下書き</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>メッセージ %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>%L1 tokens of context</source>
        <translation>コンテキスト %L1 トークン</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Dot: holds a block that is marked in the block map</source>
        <translation>点：ブロックマップで印の付いたブロックを持っています</translation>
    </message>
    <message>
        <source>waits for the next step: the engine is paused</source>
        <translation>次のステップを待機中：エンジンは一時停止中です</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatPage</name>
    <message>
        <source>&amp;Stop answer</source>
        <translation>応答を停止(&amp;S)</translation>
    </message>
    <message>
        <source>Re&amp;generate answer</source>
        <translation>応答を作り直す(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Copy answer</source>
        <translation>応答をコピー(&amp;C)</translation>
    </message>
    <message>
        <source>No model is loaded: open one with Ctrl+O to get answers</source>
        <translation>モデルがありません：Ctrl+O で開くと応答できます</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ChatRail</name>
    <message>
        <source>&amp;New chat</source>
        <translation>新しいチャット(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>名前を変更(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>削除(&amp;D)</translation>
    </message>
    <message>
        <source>Ne&amp;xt chat</source>
        <translation>次のチャット(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Previous chat</source>
        <translation>前のチャット(&amp;P)</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新しいチャット</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::Composer</name>
    <message>
        <source>Ask anything</source>
        <translation>何でも聞いてください</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Stop this answer (Esc)</source>
        <translation>この応答を停止 (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>送信 (Enter)</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter で送信、Shift+Enter で改行</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>読む</translation>
    </message>
    <message>
        <source>Read the pasted text</source>
        <translation>貼り付けたテキストを読む</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>取り除く</translation>
    </message>
    <message>
        <source>Remove the pasted text</source>
        <translation>貼り付けたテキストを取り除く</translation>
    </message>
    <message numerus="yes">
        <source>Pasted text, %Ln character(s), is sent with the message</source>
        <translation>
            <numerusform>貼り付けたテキスト（%Ln 文字）も一緒に送信します</numerusform>
        </translation>
    </message>
    <message>
        <source>May be too long for the model: about %1 tokens, its context has %2</source>
        <translation>モデルには長すぎるかもしれません：約 %1 トークン、コンテキストは %2 トークン</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ConversationDocument</name>
    <message>
        <source>Stopped</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Interrupted: the program ended before the answer did</source>
        <translation>中断：応答の途中でプログラムが終了しました</translation>
    </message>
    <message>
        <source>No answer: </source>
        <translation>応答なし：</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation>この応答をコピー</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>作り直す</translation>
    </message>
    <message>
        <source>Replace this answer by a new one (Ctrl+R)</source>
        <translation>この応答を新しい応答に置き換える (Ctrl+R)</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分岐</translation>
    </message>
    <message>
        <source>Answer again in a new chat that shares everything before this answer</source>
        <translation>この応答より前を共有する新しいチャットで答え直す</translation>
    </message>
    <message>
        <source>TTFT %L1 s</source>
        <translation>TTFT %L1 秒</translation>
    </message>
    <message>
        <source>Time to first token: from sending to the first token of the answer</source>
        <translation>最初のトークンまでの時間：送信から応答の最初のトークンまで</translation>
    </message>
    <message>
        <source>%L1 tok/s</source>
        <translation>%L1 tok/s</translation>
    </message>
    <message>
        <source>Tokens a second after the first token</source>
        <translation>最初のトークン以降の毎秒トークン数</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln トークン</numerusform>
        </translation>
    </message>
    <message>
        <source>Generated; the prompt had %L1, of which %L2 were in the prefix cache</source>
        <translation>生成数。プロンプトは %L1、うち %L2 はプレフィックスキャッシュにありました</translation>
    </message>
    <message>
        <source>Answer in the ChatML format</source>
        <translation>ChatML 形式で回答</translation>
    </message>
    <message>
        <source>The model&apos;s own template refuses this chat; ChatML is the most common format</source>
        <translation>モデル自身のテンプレートがこのチャットを受け付けません。ChatML は最も一般的な形式です</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Hide what the model thought before it answered</source>
        <translation>モデルが応答の前に考えたことを隠す</translation>
    </message>
    <message>
        <source>Show what the model thought before it answered</source>
        <translation>モデルが応答の前に考えたことを表示</translation>
    </message>
    <message>
        <source>Copy reasoning</source>
        <translation>思考をコピー</translation>
    </message>
    <message>
        <source>Copy what the model thought before it answered</source>
        <translation>モデルが応答の前に考えたことをコピー</translation>
    </message>
    <message>
        <source>Show earlier messages</source>
        <translation>以前のメッセージを表示</translation>
    </message>
    <message numerus="yes">
        <source>%Ln earlier message(s) are not shown</source>
        <translation>
            <numerusform>以前のメッセージ %Ln 件は表示していません</numerusform>
        </translation>
    </message>
    <message>
        <source>Show more of the messages between</source>
        <translation>間のメッセージをさらに表示</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) are not shown here</source>
        <translation>
            <numerusform>ここでは %Ln 件のメッセージを表示していません</numerusform>
        </translation>
    </message>
    <message>
        <source>⋯ %1 of %2 characters are not shown here</source>
        <translation>⋯ 全 %2 文字のうち %1 文字は表示していません</translation>
    </message>
    <message>
        <source>Read all</source>
        <translation>すべて読む</translation>
    </message>
    <message>
        <source>The whole text, page by page, to search and to save</source>
        <translation>全文をページごとに表示し、検索や保存ができます</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>すべてコピー</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>全文をコピー</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ConversationView</name>
    <message>
        <source>Conversation</source>
        <translation>会話</translation>
    </message>
    <message>
        <source>The arrow keys move through the text, with Shift they select it; Ctrl+C copies it</source>
        <translation>矢印キーで本文の中を移動し、Shift と一緒に押すと選択します。Ctrl+C でコピーします</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EmptyState</name>
    <message>
        <source>Run ./run.sh in the project&apos;s folder: it brings the starter model, which then loads by itself. Any other GGUF file can be opened here, or dropped onto the window.</source>
        <translation>プロジェクトのフォルダーで ./run.sh を実行すると、スターターモデルが用意され、自動的に読み込まれます。ほかの GGUF ファイルは、ここで開くか、ウィンドウにドロップできます。</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>モデルを開く…</translation>
    </message>
    <message>
        <source>A new chat</source>
        <translation>新しいチャット</translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation>モデルがありません</translation>
    </message>
    <message>
        <source>Write a message below, or begin with something that makes the glass move:</source>
        <translation>下にメッセージを書くか、ガラスが動き出すものから始めましょう：</translation>
    </message>
    <message>
        <source>Vitrine answers with a model that runs on this machine.</source>
        <translation>Vitrine は、このコンピューターで動くモデルで応答します。</translation>
    </message>
    <message>
        <source>The model could not be loaded: %1. Any other GGUF file can be opened here, or dropped onto the window.</source>
        <translation>モデルを読み込めませんでした：%1。ほかの GGUF ファイルをここで開くか、ウィンドウにドロップできます。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineControls</name>
    <message>
        <source>Single &amp;step</source>
        <translation>1ステップ(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;low motion</source>
        <translation>スローモーション(&amp;L)</translation>
    </message>
    <message>
        <source>Compute one step, then pause again (F6)</source>
        <translation>1ステップ計算して、また一時停止 (F6)</translation>
    </message>
    <message>
        <source>Wait after each step</source>
        <translation>ステップごとに待つ</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>再開(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>一時停止(&amp;P)</translation>
    </message>
    <message>
        <source>Let the engine run on (F5)</source>
        <translation>エンジンを再開 (F5)</translation>
    </message>
    <message>
        <source>Pause the engine after this step (F5)</source>
        <translation>このステップの後にエンジンを一時停止 (F5)</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>%L1 ms after each step</source>
        <translation>ステップごとに %L1 ms</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineOptionsPage</name>
    <message>
        <source>Machine</source>
        <translation>マシン</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV キャッシュ</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>スケジューラー</translation>
    </message>
    <message>
        <source>A new pool stops the answers under way; their text stays.</source>
        <translation>プールを作り直すと、進行中の応答は停止します。テキストは残ります。</translation>
    </message>
    <message>
        <source>Now: %L1 blocks of %L2 tokens, %L3 MiB. </source>
        <translation>現在：%L2 トークンのブロック %L1 個、%L3 MiB。</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>スレッド(&amp;T)</translation>
    </message>
    <message>
        <source>physical cores</source>
        <translation>物理コア数</translation>
    </message>
    <message>
        <source>threads: kernel workers, the engine&apos;s own thread included</source>
        <translation>threads：計算スレッド数（エンジン自身を含む）</translation>
    </message>
    <message>
        <source>&amp;Backend</source>
        <translation>バックエンド(&amp;B)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>backend: where the model is computed</source>
        <translation>backend：モデルを計算する場所</translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation>サイズ(&amp;S)</translation>
    </message>
    <message>
        <source>from free memory</source>
        <translation>空きメモリから決める</translation>
    </message>
    <message>
        <source>kv_cache_mib: memory of the pool, where the number of blocks is not given</source>
        <translation>kv_cache_mib：ブロック数を指定しない場合のプールのメモリ</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>&amp;Number of blocks</source>
        <translation>ブロック数(&amp;N)</translation>
    </message>
    <message>
        <source>from the size</source>
        <translation>サイズから決める</translation>
    </message>
    <message>
        <source>num_blocks: blocks of the pool, the null block included</source>
        <translation>num_blocks：プールのブロック数（null ブロックを含む）</translation>
    </message>
    <message>
        <source>Tokens in a bloc&amp;k</source>
        <translation>ブロックのトークン数(&amp;K)</translation>
    </message>
    <message>
        <source>block_size: slots in a block</source>
        <translation>block_size：ブロックのスロット数</translation>
    </message>
    <message>
        <source>Number &amp;format</source>
        <translation>数値形式(&amp;F)</translation>
    </message>
    <message>
        <source>16 bit (f16)</source>
        <translation>16 ビット (f16)</translation>
    </message>
    <message>
        <source>32 bit (f32)</source>
        <translation>32 ビット (f32)</translation>
    </message>
    <message>
        <source>kv_cache_dtype: how keys and values are stored</source>
        <translation>kv_cache_dtype：キーと値の保存形式</translation>
    </message>
    <message>
        <source>&amp;Allocator</source>
        <translation>割り当て方式(&amp;A)</translation>
    </message>
    <message>
        <source>Paged</source>
        <translation>ページ式</translation>
    </message>
    <message>
        <source>Contiguous, greatest length</source>
        <translation>連続、最大長</translation>
    </message>
    <message>
        <source>Contiguous, power of two</source>
        <translation>連続、2の累乗</translation>
    </message>
    <message>
        <source>Contiguous, exact length</source>
        <translation>連続、正確な長さ</translation>
    </message>
    <message>
        <source>allocator: paged is what serving engines use; the others are for comparison</source>
        <translation>allocator：推論サーバーはページ式を使います。ほかは比較用です</translation>
    </message>
    <message>
        <source>&amp;Prefix caching</source>
        <translation>プレフィックスキャッシュ(&amp;P)</translation>
    </message>
    <message>
        <source>enable_prefix_caching: equal beginnings of prompts are computed once</source>
        <translation>enable_prefix_caching：プロンプトの同じ始まりは一度だけ計算します</translation>
    </message>
    <message>
        <source>Keep keys and &amp;values</source>
        <translation>キーと値を保持(&amp;V)</translation>
    </message>
    <message>
        <source>kv_cache: off, every step computes the whole sequence again; for comparison</source>
        <translation>kv_cache：オフでは毎ステップ全体を計算し直します。比較用です</translation>
    </message>
    <message>
        <source>Sequences in a s&amp;tep</source>
        <translation>ステップのシーケンス数(&amp;T)</translation>
    </message>
    <message>
        <source>max_num_seqs: size of the batch</source>
        <translation>max_num_seqs：バッチの大きさ</translation>
    </message>
    <message>
        <source>Token b&amp;udget of a step</source>
        <translation>ステップのトークン予算(&amp;U)</translation>
    </message>
    <message>
        <source>max_num_batched_tokens: prompt chunks and decodes together</source>
        <translation>max_num_batched_tokens：プロンプトの断片とデコードの合計</translation>
    </message>
    <message>
        <source>Tokens in a se&amp;quence</source>
        <translation>シーケンスのトークン数(&amp;Q)</translation>
    </message>
    <message>
        <source>the model&apos;s context</source>
        <translation>モデルのコンテキスト</translation>
    </message>
    <message>
        <source>max_model_len: prompt and answer together</source>
        <translation>max_model_len：プロンプトと応答の合計</translation>
    </message>
    <message>
        <source>Bat&amp;ching</source>
        <translation>バッチ方式(&amp;C)</translation>
    </message>
    <message>
        <source>Continuous</source>
        <translation>連続</translation>
    </message>
    <message>
        <source>Static</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>batching: static keeps a batch until its longest answer ends; for comparison</source>
        <translation>batching：固定では最長の応答が終わるまでバッチを変えません。比較用です</translation>
    </message>
    <message>
        <source>&amp;Order</source>
        <translation>順序(&amp;O)</translation>
    </message>
    <message>
        <source>First come, first served</source>
        <translation>先着順</translation>
    </message>
    <message>
        <source>By priority</source>
        <translation>優先度順</translation>
    </message>
    <message>
        <source>scheduling_policy: who is admitted first</source>
        <translation>scheduling_policy：先に受け入れる順序</translation>
    </message>
    <message>
        <source>Chunked prefi&amp;ll</source>
        <translation>分割プリフィル(&amp;L)</translation>
    </message>
    <message>
        <source>enable_chunked_prefill: long prompts in pieces, so that others go on</source>
        <translation>enable_chunked_prefill：長いプロンプトを分けて計算し、ほかを止めません</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>watermark: share of the pool kept free when a sequence is admitted</source>
        <translation>watermark：受け入れ時に空けておくプールの割合</translation>
    </message>
    <message>
        <source>&amp;Watermark</source>
        <translation>ウォーターマーク(&amp;W)</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::EngineStatusBar</name>
    <message>
        <source>KV 100 % · %L1 of %L1 blocks</source>
        <translation>KV 100 % · %L1 / %L1 ブロック</translation>
    </message>
    <message>
        <source>KV cache in use: blocks that a sequence holds, of all blocks that can be used</source>
        <translation>KV キャッシュの使用率：使えるブロックのうち、シーケンスが持つもの</translation>
    </message>
    <message>
        <source>%L1 running · %L1 waiting</source>
        <translation>実行 %L1 · 待機 %L1</translation>
    </message>
    <message>
        <source>Sequences in the batch, and those that wait for a place or for blocks</source>
        <translation>バッチ内のシーケンスと、席かブロックを待つもの</translation>
    </message>
    <message>
        <source>%L1 tok/s</source>
        <translation>%L1 tok/s</translation>
    </message>
    <message>
        <source>Tokens generated in the last second, all chats together</source>
        <translation>全チャットで直近1秒に生成したトークン</translation>
    </message>
    <message>
        <source>%L1 steps not seen</source>
        <translation>未表示 %L1 ステップ</translation>
    </message>
    <message>
        <source>Whether the views equal the engine: each step carries a checksum of the block pool, and the views compare it with their own</source>
        <translation>表示がエンジンと一致しているか：各ステップはプールのチェックサムを持ち、表示側のものと比べます</translation>
    </message>
    <message>
        <source>Loading a model</source>
        <translation>モデルを読み込み中</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>モデルなし</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 · %n thread(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n スレッド</numerusform>
        </translation>
    </message>
    <message>
        <source>KV %L1 % · %L2 of %L3 blocks</source>
        <translation>KV %L1 % · %L2 / %L3 ブロック</translation>
    </message>
    <message>
        <source>KV –</source>
        <translation>KV –</translation>
    </message>
    <message>
        <source>%L1 running · %L2 waiting</source>
        <translation>実行 %L1 · 待機 %L2</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>differs at step %L1</source>
        <translation>ステップ %L1 で不一致</translation>
    </message>
    <message>
        <source>views exact</source>
        <translation>表示は正確</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ExportButton</name>
    <message>
        <source>Export: save this panel as PNG or SVG, or what it shows as CSV</source>
        <translation>書き出し：このパネルを PNG か SVG で、内容を CSV で保存します</translation>
    </message>
    <message>
        <source>Export this panel</source>
        <translation>このパネルを書き出す</translation>
    </message>
    <message>
        <source>&amp;Picture (PNG)…</source>
        <translation>画像 (PNG)…(&amp;P)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>画像 (*.png)</translation>
    </message>
    <message>
        <source>&amp;Drawing (SVG)…</source>
        <translation>図面 (SVG)…(&amp;D)</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>図面 (*.svg)</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::FigureStrip</name>
    <message>
        <source>Current figures</source>
        <translation>現在の数値</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::FreeRunsView</name>
    <message>
        <source>Free memory</source>
        <translation>空きメモリー</translation>
    </message>
    <message>
        <source>No block is free.</source>
        <translation>空きブロックはありません。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln free run(s), the longest of %1 of %2 free blocks.</source>
        <translation>
            <numerusform>空き領域 %Ln 個、最長は空き %2 ブロック中の %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Fragmentation %1 %: a request needs one run, and what is free beside the longest may be of no use to it.</source>
        <translation>断片化 %1 %：要求には 1 つの連続領域が必要で、最長以外の空きは役に立たないことがあります。</translation>
    </message>
    <message>
        <source>Fragmentation %1 %: harmless in paged mode, where any free block will do.</source>
        <translation>断片化 %1 %：ページ方式ではどの空きブロックでもよいので無害です。</translation>
    </message>
    <message>
        <source>Free runs by length, in blocks</source>
        <translation>空き領域の長さ（ブロック）</translation>
    </message>
    <message>
        <source>Fragmentation, %</source>
        <translation>断片化（%）</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>Runs of %1 blocks: %2</source>
        <translation>%1 ブロックの領域：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::HistogramView</name>
    <message>
        <source>Histogram of %1</source>
        <translation>%1 のヒストグラム</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>まだありません</translation>
    </message>
    <message>
        <source>median %1, p95 %2 ms</source>
        <translation>中央値 %1、p95 %2 ms</translation>
    </message>
    <message>
        <source>%1 ms and more</source>
        <translation>%1 ms 以上</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Solid line: median. Dashed line: 95th percentile. Longest: %1 ms.</source>
        <translation>実線：中央値。破線：95 パーセンタイル。最長：%1 ms。</translation>
    </message>
    <message>
        <source>%1 to %2 ms: %3</source>
        <translation>%1～%2 ms：%3</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ModelBar</name>
    <message>
        <source>%L1 M parameters</source>
        <translation>%L1 M パラメーター</translation>
    </message>
    <message>
        <source>%L1 B parameters</source>
        <translation>%L1 B パラメーター</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近使ったモデル(&amp;R)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>The model that answers; open another one</source>
        <translation>応答するモデル。ほかのモデルを開けます</translation>
    </message>
    <message>
        <source>Model loading</source>
        <translation>モデルの読み込み</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>モデルなし</translation>
    </message>
    <message>
        <source>open a .gguf file, or drop one onto the window</source>
        <translation>.gguf ファイルを開くか、ウィンドウにドロップしてください</translation>
    </message>
    <message>
        <source>context %L1</source>
        <translation>コンテキスト %L1</translation>
    </message>
    <message>
        <source>reading the file</source>
        <translation>ファイルを読み込み中</translation>
    </message>
    <message>
        <source>preparing weights</source>
        <translation>重みを準備中</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ModelPage</name>
    <message>
        <source>%L1 of width %L2</source>
        <translation>%L1 層、幅 %L2</translation>
    </message>
    <message>
        <source>, %L1 of %L2 experts for each token</source>
        <translation>、トークンごとに %L2 個中 %L1 個のエキスパート</translation>
    </message>
    <message>
        <source>%L1 for queries, %L2 for keys and values, of %L3 each</source>
        <translation>クエリ %L1、キーと値 %L2、各 %L3 次元</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>&amp;Load</source>
        <translation>読み込む(&amp;L)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>&amp;Other file…</source>
        <translation>別のファイル(&amp;O)…</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>アーキテクチャ</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>パラメーター</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>層</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>ヘッド</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>コンテキスト</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>トークナイザー</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>チャットテンプレート</translation>
    </message>
    <message>
        <source>%L1 blocks, as set</source>
        <translation>設定どおり %L1 ブロック</translation>
    </message>
    <message>
        <source>from free memory</source>
        <translation>空きメモリから</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>kv_cache_mib: memory of the pool that all chats share</source>
        <translation>kv_cache_mib: すべてのチャットが共有するプールのメモリ</translation>
    </message>
    <message>
        <source>&amp;Size of the KV cache</source>
        <translation>KV キャッシュの大きさ(&amp;S)</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV キャッシュ</translation>
    </message>
    <message>
        <source>Largest step</source>
        <translation>最大のステップ</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合計</translation>
    </message>
    <message>
        <source>Look at a model</source>
        <translation>モデルを見る</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf);;All files (*)</source>
        <translation>GGUF モデル (*.gguf);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>モデルなし</translation>
    </message>
    <message>
        <source>Choose a GGUF file to see what it is.</source>
        <translation>GGUF ファイルを選ぶと内容が表示されます。</translation>
    </message>
    <message>
        <source>It cannot be loaded: %1</source>
        <translation>読み込めません: %1</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>ファイルを読んでいます…</translation>
    </message>
    <message>
        <source>%1, GGUF version %2</source>
        <translation>%1、GGUF バージョン %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln トークン</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %L2 tokens</source>
        <translation>%1: %L2 トークン</translation>
    </message>
    <message>
        <source>%1 of %2 that are available</source>
        <translation>利用できる %2 のうち %1</translation>
    </message>
    <message>
        <source>Loading it now is not possible: %1</source>
        <translation>いまは読み込めません: %1</translation>
    </message>
    <message>
        <source>Longest chat</source>
        <translation>最長のチャット</translation>
    </message>
    <message>
        <source>Loading stops the answers under way; their text stays.</source>
        <translation>読み込むと進行中の回答は止まります。文章は残ります。</translation>
    </message>
    <message>
        <source>%1: %L2 blocks of %L3 tokens</source>
        <translation>%1: %L3 トークンのブロックが %L2 個</translation>
    </message>
    <message>
        <source>%1 of %2 that are free on the graphics card</source>
        <translation>グラフィックスカードの空き %2 のうち %1</translation>
    </message>
    <message>
        <source>The processor would compute.</source>
        <translation>プロセッサーで計算することになります。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::NestedBar</name>
    <message>
        <source>Shares of the KV cache</source>
        <translation>KV キャッシュの内訳</translation>
    </message>
    <message>
        <source>Thin: %1 slots of free blocks keep a prefix (cached-free)
Empty: %2 slots are clean-free
All: %3 slots</source>
        <translation>細線：空きブロックの %1 スロットがプレフィックスを保持（キャッシュ）
空白：%2 スロットはクリーンな空き
全体：%3 スロット</translation>
    </message>
    <message>
        <source>Solid: %1 slots hold tokens (used)
Hatched: %2 slots are reserved and will be written
Crossed: %3 slots are granted and never written (internal)
</source>
        <translation>塗り：%1 スロットにトークン（使用）
斜線：%2 スロットは予約済みで、これから書かれる
×印：%3 スロットは割り当て済みだが書かれない（内部断片化）
</translation>
    </message>
    <message>
        <source>Solid: %1 slots hold tokens (used)
Pale: %2 slots of active blocks are not written yet (internal)
</source>
        <translation>塗り：%1 スロットにトークン（使用）
淡色：使用中ブロックの %2 スロットは未書き込み（内部断片化）
</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::NoticeBanner</name>
    <message>
        <source>Close this message</source>
        <translation>このメッセージを閉じる</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::RecordingActions</name>
    <message>
        <source>&amp;Export</source>
        <translation>書き出し(&amp;E)</translation>
    </message>
    <message>
        <source>Sa&amp;ve recording…</source>
        <translation>記録を保存(&amp;V)…</translation>
    </message>
    <message>
        <source>Save recording</source>
        <translation>記録を保存</translation>
    </message>
    <message>
        <source>&amp;Chrome trace, for Perfetto…</source>
        <translation>Chrome トレース（Perfetto 用）(&amp;C)…</translation>
    </message>
    <message>
        <source>Export as Chrome trace</source>
        <translation>Chrome トレースとして書き出し</translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation>Chrome トレース (*.json)</translation>
    </message>
    <message>
        <source>&amp;Steps as CSV…</source>
        <translation>ステップを CSV で(&amp;S)…</translation>
    </message>
    <message>
        <source>Export steps as CSV</source>
        <translation>ステップを CSV で書き出し</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Events as CSV…</source>
        <translation>イベントを CSV で(&amp;E)…</translation>
    </message>
    <message>
        <source>Export events as CSV</source>
        <translation>イベントを CSV で書き出し</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 を書き込み中</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Recordings of Vitrine (*.%1);;All files (*)</source>
        <translation>Vitrine の記録 (*.%1);;すべてのファイル (*)</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ReplayWindow</name>
    <message>
        <source>%1 blocks of %2</source>
        <translation>%2 スロットのブロック %1 個</translation>
    </message>
    <message>
        <source>from step %1 on, what was before is not in it</source>
        <translation>ステップ %1 から（それより前は含まれません）</translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation>%1 に保存</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>記録</translation>
    </message>
    <message>
        <source>What the recording is of</source>
        <translation>記録の内容</translation>
    </message>
    <message>
        <source>Part of the recording</source>
        <translation>記録の部分</translation>
    </message>
    <message>
        <source>Each time that model or settings change, a new pool begins</source>
        <translation>モデルまたは設定が変わるたびに新しいプールが始まります</translation>
    </message>
    <message>
        <source>Reading the recording</source>
        <translation>記録の読み込み</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>再生</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open recording…</source>
        <translation>記録を開く(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>再生(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>記録を開く</translation>
    </message>
    <message>
        <source>Reading %1: %p %</source>
        <translation>%1 を読み込み中: %p %</translation>
    </message>
    <message>
        <source>The recording could not be opened</source>
        <translation>記録を開けませんでした</translation>
    </message>
    <message>
        <source>%1 – Vitrine</source>
        <translation>%1 – Vitrine</translation>
    </message>
    <message>
        <source>Part %1: %2 blocks, %3 steps</source>
        <translation>部分 %1: ブロック %2 個、%3 ステップ</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SamplingPage</name>
    <message>
        <source>&amp;Temperature</source>
        <translation>温度(&amp;T)</translation>
    </message>
    <message>
        <source>temperature: 0 always takes the likeliest token (greedy); 1 samples as the model says; higher is more surprising</source>
        <translation>temperature：0 は常に最も確率の高いトークン、1 はモデルの確率どおり、高いほど意外になります</translation>
    </message>
    <message>
        <source>all</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>top_k: only this many of the likeliest tokens are considered</source>
        <translation>top_k：確率の高い順にこの数だけを候補にします</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-&amp;k</translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation>Top-&amp;p</translation>
    </message>
    <message>
        <source>top_p: only the likeliest tokens that together reach this share</source>
        <translation>top_p：合計がこの割合に達するまでの上位トークンだけを候補にします</translation>
    </message>
    <message>
        <source>&amp;Min-p</source>
        <translation>&amp;Min-p</translation>
    </message>
    <message>
        <source>min_p: only tokens at least this likely, measured against the likeliest</source>
        <translation>min_p：最も確率の高いトークンに対する比がこれ以上のものだけを候補にします</translation>
    </message>
    <message>
        <source>&amp;Repetition penalty</source>
        <translation>繰り返しペナルティ(&amp;R)</translation>
    </message>
    <message>
        <source>repetition_penalty: above 1, tokens that were used become less likely</source>
        <translation>repetition_penalty：1 を超えると、使われたトークンの確率が下がります</translation>
    </message>
    <message>
        <source>a fresh one for each answer</source>
        <translation>応答ごとに新しい値</translation>
    </message>
    <message>
        <source>seed: the same seed, options and conversation give the same answer</source>
        <translation>seed：同じシード、設定、会話なら同じ応答になります</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>シード(&amp;S)</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SequenceDirectory</name>
    <message>
        <source>sequence %1</source>
        <translation>シーケンス %1</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>エンジン</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>サンプリング</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>チャット</translation>
    </message>
    <message>
        <source>&amp;System prompt of new chats</source>
        <translation>新しいチャットのシステムプロンプト(&amp;S)</translation>
    </message>
    <message>
        <source>The same text in many chats is computed once: their first blocks are shared.</source>
        <translation>同じ文は複数のチャットで一度だけ計算され、最初のブロックが共有されます。</translation>
    </message>
    <message>
        <source>&amp;Large type (projector)</source>
        <translation>大きな文字（プロジェクター）(&amp;L)</translation>
    </message>
    <message>
        <source>Reduce &amp;motion</source>
        <translation>動きを減らす(&amp;M)</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>ウィンドウ</translation>
    </message>
    <message>
        <source>All text half as large again, to be read from the back of a room</source>
        <translation>すべての文字を 1.5 倍にし、部屋の後ろからも読めるようにします</translation>
    </message>
    <message>
        <source>Nothing slides or fades: what changes is there at once. Where the desktop asks for it, it is so anyway.</source>
        <translation>滑らかな移動や明暗の変化をなくし、変化をすぐに表示します。デスクトップの設定で求められている場合は、常にそうなります。</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>設定のページ</translation>
    </message>
    <message>
        <source>What was pasted is too long: a system prompt is part of every chat, and has %1 characters at most.</source>
        <translation>貼り付けたテキストは長すぎます。システムプロンプトはすべてのチャットに含まれ、最大 %1 文字です。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputDetails</name>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Time per output token: (last token − first token) / (tokens − 1) of an answer.
Median of the last 256 answers.</source>
        <translation>出力 1 トークンあたりの時間：1 つの回答の（最後のトークン − 最初のトークン）/（トークン数 − 1）。
直近 256 件の回答の中央値です。</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>前置一致</translation>
    </message>
    <message>
        <source>Hit rate: prompt tokens found in the prefix cache, of all looked up since the pool was made.
Resumptions after a preemption do not count.</source>
        <translation>ヒット率：プールの作成以降に探したプロンプトのトークンのうち、プレフィックスキャッシュにあった割合。
プリエンプト後の再開は数えません。</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>再計算</translation>
    </message>
    <message>
        <source>Recompute tax: tokens computed again after a preemption, of all tokens computed since the pool was made.</source>
        <translation>再計算の割合：プールの作成以降に計算した全トークンのうち、プリエンプト後に計算し直したもの。</translation>
    </message>
    <message>
        <source>Slot utilisation: rows of the batch that computed something, of all rows, since the pool was made.
In static batching an answer that has ended keeps its row until the whole batch has ended; in continuous batching it is 100 %.</source>
        <translation>スロット利用率：プールの作成以降のバッチの全行のうち、何かを計算した行の割合。
静的バッチでは、終わった回答もバッチ全体が終わるまで行を占めます。連続バッチでは 100 % です。</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>tok/s a chat</source>
        <translation>tok/s（1 チャット）</translation>
    </message>
    <message>
        <source>What one chat could have if reading the weights from memory were all there is to do: bytes of weights that a step reads / measured memory bandwidth.
A batch of n chats reads them once for all: n times as much, in all.</source>
        <translation>重みをメモリから読むだけで済むとしたら 1 つのチャットで得られる速さ：測定したメモリ帯域 / 1 ステップで読む重みのバイト数。
n 個のチャットのバッチは重みを一度だけ読むので、全体では n 倍です。</translation>
    </message>
    <message>
        <source>Latency, reuse and waste</source>
        <translation>遅延・再利用・無駄</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>Time to first token: from the submission of a request to its first token.
The last 256 requests.</source>
        <translation>最初のトークンまでの時間：要求の送信から最初のトークンまで。
直近 256 件の要求です。</translation>
    </message>
    <message>
        <source>ITL</source>
        <translation>ITL</translation>
    </message>
    <message>
        <source>Inter-token latency: the gap from one token of a chat to its next.
The last 4096 gaps.</source>
        <translation>トークン間の遅延：あるチャットのトークンから次のトークンまで。
直近 4096 個の間隔です。</translation>
    </message>
    <message>
        <source>Measure limit</source>
        <translation>上限を測る</translation>
    </message>
    <message>
        <source>Measure the limit that memory bandwidth sets</source>
        <translation>メモリ帯域が決める上限を測る</translation>
    </message>
    <message>
        <source>Reads memory with all cores for a moment, to see how fast this machine could read the model&apos;s weights. Possible while nothing runs.</source>
        <translation>すべてのコアで少しの間メモリを読み、このマシンがモデルの重みをどれだけ速く読めるかを調べます。何も実行していない間に使えます。</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>測定中…</translation>
    </message>
    <message>
        <source>rows used</source>
        <translation>使われた行</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputDock</name>
    <message>
        <source>Throughput</source>
        <translation>スループット</translation>
    </message>
    <message>
        <source>Here you see how many tokens per second come out, chat by chat, and where the time goes. Send a message to begin.</source>
        <translation>チャットごとの毎秒トークン数と、時間の使われ方を表示します。メッセージを送ると始まります。</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputPanel</name>
    <message>
        <source>Time span of the charts</source>
        <translation>グラフの期間</translation>
    </message>
    <message>
        <source>last minute</source>
        <translation>直近1分</translation>
    </message>
    <message>
        <source>last 5 minutes</source>
        <translation>直近5分</translation>
    </message>
    <message>
        <source>last 30 minutes</source>
        <translation>直近30分</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>tok/s (1 s)</source>
        <translation>tok/s（1 秒）</translation>
    </message>
    <message>
        <source>Tokens generated per second by all chats together, over the last second of work.</source>
        <translation>全チャットの毎秒生成トークン数（直近1秒の動作）。</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Prompt tokens computed per second, over the last second of work.
Tokens found in the prefix cache are not computed and do not count.</source>
        <translation>毎秒計算したプロンプトのトークン数（直近1秒の動作）。
プレフィックスキャッシュにあったものは計算せず、数えません。</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>バッチ</translation>
    </message>
    <message>
        <source>Sequences in the step shown.</source>
        <translation>表示中のステップのシーケンス数。</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV キャッシュ</translation>
    </message>
    <message>
        <source>kv_cache_usage: active blocks of all usable blocks.</source>
        <translation>kv_cache_usage：使えるブロックのうち使用中のもの。</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Time to first token: from the submission of a request to its first token.
Median of the last 256 requests.</source>
        <translation>最初のトークンまでの時間：送信から最初のトークンまで。
直近256件の中央値。</translation>
    </message>
    <message>
        <source>Inter-token latency: the gap from one token of a chat to its next.
Median of the last 4096 gaps.</source>
        <translation>トークン間の遅延：あるトークンから次のトークンまで。
直近4096回の中央値。</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>ITL</source>
        <translation>ITL</translation>
    </message>
    <message>
        <source>last 30 seconds</source>
        <translation>直近30秒</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>How latencies are spread; prefix hits, recomputed tokens, slot use</source>
        <translation>遅延の分布、前置一致、再計算したトークン、行の利用</translation>
    </message>
    <message>
        <source>Details of throughput and latency</source>
        <translation>スループットと遅延の詳細</translation>
    </message>
    <message>
        <source>&amp;Charts (CSV)…</source>
        <translation>グラフ (CSV)…(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Latencies (CSV)…</source>
        <translation>遅延 (CSV)…(&amp;L)</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Why fewer tokens were generated</source>
        <translation>生成トークンが減った理由</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::ThroughputPlot</name>
    <message>
        <source>Throughput charts</source>
        <translation>スループットのグラフ</translation>
    </message>
    <message>
        <source>generated, tok/s</source>
        <translation>生成、tok/s</translation>
    </message>
    <message>
        <source>prompt, tok/s</source>
        <translation>プロンプト、tok/s</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>バッチの大きさ</translation>
    </message>
    <message>
        <source>step, ms:  ■ plan  ▒ forward  □ sample</source>
        <translation>ステップ、ms：  ■ 計画  ▒ 順伝播  □ サンプル</translation>
    </message>
    <message>
        <source>  │ longest</source>
        <translation>  │ 最長</translation>
    </message>
    <message>
        <source>step, ms</source>
        <translation>ステップ、ms</translation>
    </message>
    <message>
        <source>now</source>
        <translation>今</translation>
    </message>
    <message>
        <source>generated: %1 tok/s</source>
        <translation>生成：%1 tok/s</translation>
    </message>
    <message>
        <source>   %1: %2 tok/s</source>
        <translation>   %1：%2 tok/s</translation>
    </message>
    <message>
        <source>prompt: %1 tok/s</source>
        <translation>プロンプト：%1 tok/s</translation>
    </message>
    <message>
        <source>batch: %1</source>
        <translation>バッチ：%1</translation>
    </message>
    <message>
        <source>step: plan %1, forward %2, sample %3 ms; the longest %4 ms</source>
        <translation>ステップ：計画 %1、順伝播 %2、サンプル %3 ms、最長 %4 ms</translation>
    </message>
    <message>
        <source>  ▲ up to %L1</source>
        <translation>  ▲ 最大 %L1</translation>
    </message>
    <message>
        <source>  ╌ limit of memory</source>
        <translation>  ╌ メモリの上限</translation>
    </message>
    <message>
        <source>  limit of memory %L1</source>
        <translation>  メモリの上限 %L1</translation>
    </message>
    <message>
        <source>  ▼ thrown out</source>
        <translation>  ▼ プリエンプト</translation>
    </message>
    <message>
        <source>limit of memory: %1 tok/s</source>
        <translation>メモリの上限：%1 tok/s</translation>
    </message>
    <message>
        <source>preemptions: %1</source>
        <translation>プリエンプト：%1</translation>
    </message>
    <message>
        <source>generated, tok/s, mean of %L1 s</source>
        <translation>生成、tok/s、%L1 秒の平均</translation>
    </message>
    <message>
        <source>Each point is the mean of %L1 s.</source>
        <translation>各点は %L1 秒の平均です。</translation>
    </message>
    <message>
        <source>○ last fall, −%L1 s, %2</source>
        <translation>○ 直前の低下、−%L1 秒、%2</translation>
    </message>
    <message>
        <source>Each point is the mean of %L1 s; the timeline shows the single steps.</source>
        <translation>各点は %L1 秒の平均です。個々のステップはタイムラインにあります。</translation>
    </message>
    <message>
        <source>○ −%L1 s, %2</source>
        <translation>○ −%L1 秒、%2</translation>
    </message>
    <message>
        <source>%1 s before the newest step, mean of %2 s</source>
        <translation>最新ステップの %1 秒前、%2 秒の平均</translation>
    </message>
    <message>
        <source>○ just now, %1</source>
        <translation>○ 現在、%1</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::TransportBar</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>To the star&amp;t</source>
        <translation>最初へ(&amp;T)</translation>
    </message>
    <message>
        <source>Show the oldest step that is recorded</source>
        <translation>記録されている最も古いステップを表示</translation>
    </message>
    <message>
        <source>One step &amp;back</source>
        <translation>1 ステップ戻る(&amp;B)</translation>
    </message>
    <message>
        <source>Show the step before</source>
        <translation>前のステップを表示</translation>
    </message>
    <message>
        <source>Pla&amp;y</source>
        <translation>再生(&amp;Y)</translation>
    </message>
    <message>
        <source>Show what is recorded as time passes, or pause that</source>
        <translation>記録を時間の流れに沿って表示、または一時停止</translation>
    </message>
    <message>
        <source>One step &amp;forward</source>
        <translation>1 ステップ進む(&amp;F)</translation>
    </message>
    <message>
        <source>Show the step after</source>
        <translation>次のステップを表示</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>最後へ(&amp;E)</translation>
    </message>
    <message>
        <source>Follow the &amp;newest step</source>
        <translation>最新のステップを追う(&amp;N)</translation>
    </message>
    <message>
        <source>Show the last step</source>
        <translation>最後のステップを表示</translation>
    </message>
    <message>
        <source>Show what the engine does now</source>
        <translation>エンジンの今の動作を表示</translation>
    </message>
    <message>
        <source>Speed of playing</source>
        <translation>再生速度</translation>
    </message>
    <message>
        <source>How fast the recorded steps are shown</source>
        <translation>記録されたステップを表示する速さ</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>1 ステップずつ</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>Step shown</source>
        <translation>表示中のステップ</translation>
    </message>
    <message>
        <source>The step that all panels show</source>
        <translation>すべてのパネルが表示するステップ</translation>
    </message>
    <message>
        <source>Which step is shown</source>
        <translation>どのステップを表示しているか</translation>
    </message>
    <message>
        <source>Nothing is recorded yet</source>
        <translation>まだ何も記録されていません</translation>
    </message>
    <message>
        <source>Following the newest step, %1</source>
        <translation>最新のステップ %1 を追跡中</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>ステップ %1 / %2</translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3 of %4</source>
        <translation>ステップ %1 / %2 · %3 / %4</translation>
    </message>
    <message>
        <source>Showing step %1 of %2, %3 before the newest</source>
        <translation>ステップ %1 / %2 を表示中（最新の %3 前）</translation>
    </message>
    <message>
        <source>Pa&amp;use</source>
        <translation>一時停止(&amp;U)</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::FoldingDocks</name>
    <message>
        <source>Panels</source>
        <translation>パネル</translation>
    </message>
</context>
<context>
    <name>StepSentence</name>
    <message numerus="yes">
        <source>%Ln thrown out</source>
        <translation>
            <numerusform>%Ln 件追い出し</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>プロンプト %Ln トークン</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) computed again</source>
        <translation>
            <numerusform>%Ln トークンを再計算</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ended</source>
        <translation>
            <numerusform>%Ln 件終了</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of padding</source>
        <translation>
            <numerusform>パディング %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 was thrown out (preempted), which freed %n block(s)</source>
        <translation>
            <numerusform>%1 が追い出され（プリエンプト）、%n ブロックが空きました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s) were computed (%1).</source>
        <translation>
            <numerusform>プロンプト %Ln トークンを計算しました（%1）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) of what was thrown out were computed again (%1).</source>
        <translation>
            <numerusform>追い出された分の再計算が %Ln トークンありました（%1）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of the batch were padding.</source>
        <translation>
            <numerusform>バッチの %Ln 行はパディングでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1（%2 のため）</translation>
    </message>
    <message>
        <source>Nobody came, ended or was thrown out.</source>
        <translation>開始、終了、追い出しはありませんでした。</translation>
    </message>
    <message>
        <source>the step took %1 ms, the one before %2 ms</source>
        <translation>このステップは %1 ms、前のステップは %2 ms でした</translation>
    </message>
    <message>
        <source>%1 got a token in the step, %2 in the one before</source>
        <translation>このステップでトークンを得たのは %1 件、前のステップは %2 件でした</translation>
    </message>
    <message>
        <source>Tokens/s fell from %1 to %2: %3.</source>
        <translation>トークン/秒が %1 から %2 に下がりました：%3。</translation>
    </message>
    <message>
        <source>Tokens/s rose from %1 to %2: %3.</source>
        <translation>トークン/秒が %1 から %2 に上がりました：%3。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a title, and how it ended</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>BlockSharing</name>
    <message>
        <source>by %1</source>
        <translation>%1 の間で</translation>
    </message>
    <message>
        <source>in groups, among %1 of %2 requests</source>
        <translation>%2 件中 %1 件がいくつかの組で</translation>
    </message>
    <message>
        <source>by all %1 requests</source>
        <translation>%1 件すべてで</translation>
    </message>
    <message>
        <source>by %1 of %2 requests</source>
        <translation>%2 件中 %1 件で</translation>
    </message>
    <message>
        <source>%1, not by %2</source>
        <translation>%1（%2 を除く）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln block(s), marked in the corner, are shared: %1 saved.</source>
        <translation>
            <numerusform>角に印のある %Ln ブロックを共有し、%1 ブロックを節約しています。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln block(s), marked in the corner, are shared %1: %2 saved.</source>
        <translation>
            <numerusform>角に印のある %Ln ブロックを%1共有し、%2 ブロックを節約しています。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>holds %Ln block(s)</source>
        <translation>
            <numerusform>%Ln ブロックを保持</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 of them shared with %3</source>
        <translation>%1、うち %2 ブロックを %3 と共有</translation>
    </message>
    <message>
        <source>in groups, among all %1 requests</source>
        <translation>%1 件すべてがいくつかの組で</translation>
    </message>
</context>
<context>
    <name>TitleList</name>
    <message>
        <source>“%1”</source>
        <translation>「%1」</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 ほか %Ln 件</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 と %2</translation>
    </message>
</context>
<context>
    <name>FallWords</name>
    <message>
        <source>No step ran.</source>
        <translation>ステップは実行されませんでした。</translation>
    </message>
    <message>
        <source>The step took %1 ms, those before %2 ms.</source>
        <translation>このステップは %1 ms、その前は %2 ms でした。</translation>
    </message>
    <message>
        <source>Steps took %1 ms, before %2 ms.</source>
        <translation>1 ステップに %1 ms、その前は %2 ms でした。</translation>
    </message>
    <message>
        <source>%1 requests got a token in each step, before %2.</source>
        <translation>1 ステップでトークンを得たのは %1 件、その前は %2 件でした。</translation>
    </message>
    <message>
        <source>For a part of the time no step ran.</source>
        <translation>一部の時間はステップが実行されませんでした。</translation>
    </message>
    <message>
        <source>step %1: </source>
        <translation>ステップ %1：</translation>
    </message>
    <message>
        <source>from step %1: </source>
        <translation>ステップ %1 から：</translation>
    </message>
    <message>
        <source>%1 → %2 tok/s</source>
        <translation>%1 → %2 tok/s</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what fell, and why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>no step ran</source>
        <translation>ステップなし</translation>
    </message>
    <message>
        <source>a step of %1 ms, was %2</source>
        <translation>1 ステップが %1 ms、以前は %2</translation>
    </message>
    <message>
        <source>%1 ms a step, was %2</source>
        <translation>1 ステップ %1 ms、以前は %2</translation>
    </message>
    <message>
        <source>%1 tokens a step, was %2</source>
        <translation>1 ステップ %1 トークン、以前は %2</translation>
    </message>
    <message>
        <source>pauses between steps</source>
        <translation>ステップの間に休止</translation>
    </message>
</context>
<context>
    <name>vitrine::ui::TextReader</name>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source>Find in the whole text</source>
        <translation>全文から検索</translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln 文字</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Find next</source>
        <translation>次を検索(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>すべてコピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>名前を付けて保存(&amp;S)…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>見つかりません</translation>
    </message>
    <message>
        <source>Save text</source>
        <translation>テキストの保存</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存しました</translation>
    </message>
</context>
</TS>
