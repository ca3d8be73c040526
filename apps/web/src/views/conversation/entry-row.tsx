// One entry of a conversation: what was said, what was called, how a turn ended.

import { CircleAlert, CircleCheck, CircleSlash, Paperclip } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { honestText } from '../../markdown/honest-text.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { openSession } from '../../session/current-session.ts';
import type { Entry } from '../../session/session-model.ts';
import { useEntry, useSession } from '../../session/session-store.ts';
import { clockTime, compactNumber, duration } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { CallCard } from './call-card.tsx';

/** One line of the conversation, by its kind. */
export function EntryRow({ index }: { index: number }) {
  const entry = useEntry(index);
  return entry === undefined ? null : <Row entry={entry} />;
}

const Row = memo(function Row({ entry }: { entry: Entry }) {
  const words = useText().conversation;
  switch (entry.kind) {
    case 'user':
      return <UserMessage text={entry.text} files={entry.files} time={entry.time} />;
    case 'said':
      return (
        <article aria-label={words.agent} className="flex flex-col gap-2 py-1">
          {entry.reasoning !== '' && <Reasoning text={entry.reasoning} />}
          {entry.text !== '' && <Markdown text={entry.text} />}
        </article>
      );
    case 'call':
      return <CallCard callId={entry.callId} />;
    case 'ended':
      return <TurnEndLine entry={entry} />;
    case 'compacted':
      return <NoteLine>{words.compacted}</NoteLine>;
    case 'rule':
      return <NoteLine>{words.ruleKept(entry.rule.reason)}</NoteLine>;
    case 'context':
      return <NoteLine>{contextWords(entry, words)}</NoteLine>;
    case 'switched':
      return <NoteLine>{words.switched(entry.to)}</NoteLine>;
    case 'forked':
      return <ForkedLine from={entry.from} />;
    case 'notice':
      return <NoteLine>{entry.text}</NoteLine>;
  }
});

function contextWords(
  { op, path }: Extract<Entry, { kind: 'context' }>,
  words: ReturnType<typeof useText>['conversation'],
): string {
  switch (op) {
    case 'add_file':
      return words.contextAdded(path);
    case 'remove_file':
      return words.contextRemoved(path);
    case 'clear':
      return words.cleared;
  }
}

/** What the person said, as it was typed. */
function UserMessage({ text, files, time }: { text: string; files: readonly string[]; time: number }) {
  const words = useText().conversation;
  return (
    <article aria-label={words.you} className="flex flex-col items-end gap-1 pt-3">
      <div className="max-w-[85%] rounded-large rounded-br-small bg-accent-soft px-3.5 py-2 text-read whitespace-pre-wrap wrap-anywhere">
        {honestText(text)}
      </div>
      <div className="flex flex-wrap justify-end gap-1.5 text-tiny text-muted">
        {files.map((path) => (
          <Badge key={path} icon={<Paperclip aria-hidden className="size-3" />}>
            {honestText(path)}
          </Badge>
        ))}
        <time dateTime={new Date(time).toISOString()}>{clockTime(time)}</time>
      </div>
    </article>
  );
}

/** Something that happened beside the talk, in one quiet line. */
function NoteLine({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-small text-muted before:h-px before:w-4 before:bg-line">
      <span className="min-w-0 wrap-anywhere">{honestText(children)}</span>
    </p>
  );
}

/** Where a session goes on from: what was said before stands there. */
function ForkedLine({ from }: { from: string }) {
  const words = useText().sessions;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-small text-muted before:h-px before:w-4 before:bg-line">
      {words.goesOn}
      <Button size="small" tone="quiet" onClick={() => openSession(from)}>
        {words.original}
      </Button>
    </p>
  );
}

/** How a turn ended: how long it took and what it used; with the reason, where it did not end well. */
const icons = {
  completed: CircleCheck,
  cancelled: CircleSlash,
  failed: CircleAlert,
  step_limit: CircleAlert,
  cost_limit: CircleAlert,
  cut_off: CircleAlert,
  refused: CircleAlert,
  empty: CircleAlert,
  loop_detected: CircleAlert,
};

function TurnEndLine({ entry }: { entry: Extract<Entry, { kind: 'ended' }> }) {
  const words = useText().conversation;
  const { end, message, durationMs, tokens } = entry;
  const Icon = icons[end];
  const isBad = end !== 'completed' && end !== 'cancelled';
  return (
    <div
      className={cx(
        'flex flex-col gap-1 pb-1',
        isBad && 'rounded-base border border-bad/30 bg-bad-soft p-2.5',
      )}
    >
      <p className={cx('flex items-center gap-1.5 text-small', isBad ? 'text-bad' : 'text-muted')}>
        <Icon aria-hidden className="size-3.5" />
        {words.turn[end]} · {duration(durationMs)}
        {tokens > 0 && ` · ${words.tokens(compactNumber(tokens))}`}
      </p>
      {message !== '' && <p className="wrap-anywhere">{honestText(message)}</p>}
    </div>
  );
}

/** What the model is saying at this moment, and that it is at work when it says nothing. */
export function LiveReply() {
  const words = useText().conversation;
  const live = useSession((model) => model.live);
  const retry = useSession((model) => model.retry);
  const isThinking = useSession(({ status }) => status === 'thinking');
  // Typing goes before: a moment's delay of the stream is not seen.
  const text = useDeferredValue(live?.text ?? '');
  const reasoning = useDeferredValue(live?.reasoning ?? '');
  if (live === undefined && !isThinking) return null;
  return (
    <div className="flex flex-col gap-2 py-1">
      {reasoning !== '' && live !== undefined && <Reasoning text={reasoning} isLive={text === ''} />}
      {text !== '' && live !== undefined && <Markdown text={text} />}
      {retry !== undefined && (
        <p className="text-small text-warn">{words.retry(retry.attempt, retry.reason)}</p>
      )}
      {isThinking && <Dots />}
    </div>
  );
}

function Dots() {
  return (
    <span aria-hidden className="flex h-5 items-center gap-1">
      {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map((delay) => (
        <span key={delay} className={`size-1.5 animate-pulse rounded-full bg-accent ${delay}`} />
      ))}
    </span>
  );
}

/** What a model thought on the way, folded away. */
function Reasoning({ text, isLive = false }: { text: string; isLive?: boolean }) {
  const words = useText().conversation;
  return (
    <details className="text-muted" open={isLive}>
      <summary className="inline-block rounded-small text-small font-medium select-none hover:text-text">
        {words.reasoning}
      </summary>
      <div className="mt-1 border-l-2 border-line pl-3">
        <Markdown text={text} />
      </div>
    </details>
  );
}
