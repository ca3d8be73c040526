// The conversation so far. It follows the end while the user is there, and stays in place when they have scrolled up.
import { type Entry, Markdown, type SessionModel, Spinner } from '@codelab/web';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { CallRow } from './call-row.tsx';
import { postToExtension, useStore } from './store.ts';
import { useWords } from './words.ts';

export function ChatTranscript() {
  const { model, version } = useStore();
  const isStreaming = useStore(({ state }) => state.isStreaming);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place, and its version tells when.
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [version]);
  return (
    <div
      ref={box}
      role="log"
      onScroll={({ currentTarget: at }) => {
        isAtEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 40;
      }}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-3 py-3"
    >
      {model.entries.length === 0 ? <Greeting /> : rowsOf(model)}
      {isStreaming && model.live !== undefined && model.live.text !== '' && (
        <Markdown text={model.live.text} />
      )}
      <Working model={model} />
    </div>
  );
}

function Greeting() {
  const words = useWords();
  return (
    <div className="m-auto flex max-w-72 flex-col gap-2 text-center">
      <h2 className="text-title font-semibold">{words.greeting}</h2>
      <p className="text-muted">{words.hint}</p>
    </div>
  );
}

function rowsOf(model: SessionModel): ReactNode[] {
  const lastTurn = model.turns.latest?.turn;
  return model.entries.map((entry) => (
    <Row key={entry.key} entry={entry} model={model} lastTurn={lastTurn} />
  ));
}

type RowProps = { entry: Entry; model: SessionModel; lastTurn: number | undefined };

function Row({ entry, model, lastTurn }: RowProps) {
  switch (entry.kind) {
    case 'user':
      return <UserMessage text={entry.text} />;
    case 'said':
      return entry.text === '' ? null : <Markdown text={entry.text} />;
    case 'call': {
      const call = model.calls.get(entry.callId);
      return call === undefined ? null : <CallRow call={call} />;
    }
    case 'ended':
      return <TurnEnd entry={entry} model={model} isLast={entry.turn === lastTurn} />;
    case 'notice':
      return <p className="text-small text-muted wrap-anywhere">{entry.text}</p>;
    default:
      return null;
  }
}

/** The context that the editor attached follows the message and is collapsed. */
function UserMessage({ text }: { text: string }) {
  const words = useWords();
  const at = text.indexOf('\n\n<file path=');
  const message = at === -1 ? text : text.slice(0, at);
  return (
    <div className="ml-6 flex flex-col gap-1 self-end rounded-large bg-selected/60 px-3 py-2">
      <p className="max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{message}</p>
      {at !== -1 && (
        <details className="text-small text-muted">
          <summary>{words.attach}</summary>
          <pre className="max-h-48 overflow-auto font-mono text-small whitespace-pre-wrap wrap-anywhere">
            {text.slice(at + 2)}
          </pre>
        </details>
      )}
    </div>
  );
}

type EndProps = { entry: Extract<Entry, { kind: 'ended' }>; model: SessionModel; isLast: boolean };

function TurnEnd({ entry, model, isLast }: EndProps) {
  const words = useWords();
  const hasChanges = [...model.calls.values()].some(
    ({ call, outcome }) =>
      call.turn === entry.turn && outcome?.status === 'completed' && changes(outcome.tool),
  );
  return (
    <div className="flex flex-wrap items-center gap-2 text-small">
      {entry.end !== 'completed' && (
        <p role="alert" className="rounded-base bg-bad-soft px-2 py-1 text-bad wrap-anywhere">
          {entry.message || entry.end}
        </p>
      )}
      {isLast && hasChanges && (
        <button
          type="button"
          className="text-accent underline-offset-2 hover:underline"
          onClick={() => postToExtension({ type: 'run', command: 'undoLastTurn' })}
        >
          {words.undo}
        </button>
      )}
    </div>
  );
}

function changes(tool: string): boolean {
  return tool === 'write_file' || tool === 'execute_command';
}

function Working({ model }: { model: SessionModel }) {
  const words = useWords();
  const isWaiting = useStore((state) => state.approvals.length > 0);
  const turn = model.turns.latest;
  if (turn === undefined || turn.endedAt !== undefined) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-muted">
      {isWaiting ? words.waiting : words.thinking} {!isWaiting && <Spinner className="size-3.5" />}
    </p>
  );
}
