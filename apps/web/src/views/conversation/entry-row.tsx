// An entry of a conversation: a message, a call, the end of a turn, or a note.

import { Paperclip } from 'lucide-react';
import { memo, useDeferredValue, useState } from 'react';
import { honestText } from '../../markdown/honest-text.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { openSession } from '../../session/current-session.ts';
import type { CallModel, Entry, UnloadedEntry, UserEntry } from '../../session/session-model.ts';
import { useEntry, useSession } from '../../session/session-store.ts';
import { shortTime } from '../../text/format.ts';
import { currentText, takenBackWords, useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { CallCard } from './calls/call-card.tsx';
import { readEdit } from './composer/drafts.ts';
import { EditMessage } from './edit-message.tsx';
import { AnswerActions, UserActions } from './message-actions.tsx';
import { RetryLine, TurnEndLine } from './turn-end-line.tsx';

/** One line of the conversation, by its kind. */
export function EntryRow({ index, height = 0 }: { index: number; height?: number | undefined }) {
  const entry = useEntry(index);
  if (entry?.kind === 'unloaded') return <UnloadedSection height={height} />;
  return entry === undefined ? null : <Row entry={entry} />;
}

/** The room of entries that are read from the log as soon as they come near. */
function UnloadedSection({ height }: { height: number }) {
  const { loading } = useText().frame;
  return (
    // Without the padding of a row.
    <div style={{ height: height - 8 }}>
      <Spinner label={loading} className="sticky top-2 size-4" />
    </div>
  );
}

const Row = memo(function Row({ entry }: { entry: Exclude<Entry, UnloadedEntry> }) {
  const text = useText();
  const words = text.conversation;
  switch (entry.kind) {
    case 'user':
      return <UserMessage entry={entry} />;
    case 'said':
      return (
        <article aria-label={words.agent} className="group/message relative flex flex-col gap-1 py-1">
          {entry.reasoning !== '' && <Reasoning text={entry.reasoning} />}
          {entry.text !== '' && <Markdown text={entry.text} />}
          {entry.isPartial && (
            <Badge tone="warn" className="self-start">
              {words.partial}
            </Badge>
          )}
          {entry.text !== '' && <AnswerActions text={entry.text} question={entry.question} />}
        </article>
      );
    case 'call':
      return <CallRow callId={entry.callId} />;
    case 'continued':
      return <NoteLine>{words.continued}</NoteLine>;
    case 'ended':
      return <TurnEndLine entry={entry} />;
    case 'compacted':
      return <NoteLine>{words.compacted}</NoteLine>;
    case 'rule':
      return <NoteLine>{words.ruleKept(entry.rule.reason)}</NoteLine>;
    case 'mode':
      return <NoteLine>{words.modeChanged(text.settings.modes[entry.mode])}</NoteLine>;
    case 'terminal':
      return <NoteLine>{terminalWords(entry, text.terminals)}</NoteLine>;
    case 'context':
      return <NoteLine>{contextWords(entry, words)}</NoteLine>;
    case 'worktree':
      return <NoteLine>{text.sessions.worktree.ended(entry.branch, entry.into)}</NoteLine>;
    case 'switched':
      return <NoteLine>{words.switched(entry.to)}</NoteLine>;
    case 'forked':
      return <ForkedLine entry={entry} />;
    case 'notice':
      return <NoteLine>{entry.text}</NoteLine>;
  }
});

function terminalWords(
  { who, code }: Extract<Entry, { kind: 'terminal' }>,
  words: ReturnType<typeof useText>['terminals'],
): string {
  if (code === undefined) return words.opened(who);
  return code === null ? words.stopped : words.closed(code);
}

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

/** The person's message, as it was typed. */
function UserMessage({ entry }: { entry: UserEntry }) {
  const words = useText().conversation;
  const { text, files, images = [], time, isSteering } = entry;
  // A row that scrolls out of sight is gone; what is typed in it is not.
  const [isEditing, setIsEditing] = useState(() => readEdit(entry.at.session, entry.key) !== undefined);
  return (
    <article aria-label={words.you} className="group/message flex flex-col items-end gap-1 pt-3">
      {isEditing ? (
        <EditMessage entry={entry} onEnd={() => setIsEditing(false)} />
      ) : (
        <div className="max-w-[85%] rounded-large rounded-br-small bg-accent-soft px-3.5 py-2 text-read whitespace-pre-wrap wrap-anywhere">
          {honestText(text)}
        </div>
      )}
      {images.map(({ mediaType, data, name = words.image }) => (
        <img
          key={data}
          src={`data:${mediaType};base64,${data}`}
          alt={name}
          title={name}
          className="max-h-60 max-w-[85%] rounded-large border border-line"
        />
      ))}
      <div className="flex flex-wrap items-center justify-end gap-1.5 text-tiny text-muted">
        {!isEditing && <UserActions entry={entry} onEdit={() => setIsEditing(true)} />}
        {isSteering && <Badge>{words.steering}</Badge>}
        {files.map((path) => (
          <Badge key={path} icon={<Paperclip aria-hidden className="size-3" />}>
            {honestText(path)}
          </Badge>
        ))}
        <time dateTime={new Date(time).toISOString()}>{shortTime(time)}</time>
        {/* Last, so that nothing beside it moves it from one branch to the next. */}
        <BranchSwitch entry={entry} />
      </div>
    </article>
  );
}

/** An undo, redo or discard by the person is shown as an event, not as a step of the agent. */
function CallRow({ callId }: { callId: string }) {
  const words = useText().conversation;
  const paths = useSession(({ calls }) => takenBack(calls.get(callId)));
  const tool = useSession(({ calls }) => calls.get(callId)?.call.tool);
  if (paths === undefined) return <CallCard callId={callId} />;
  const describe = takenBackWords(words)[tool ?? ''] ?? words.discarded;
  return <NoteLine>{describe(paths)}</NoteLine>;
}

function takenBack(view: CallModel | undefined): string | undefined {
  if (view?.call.turn !== undefined || view?.outcome?.status !== 'completed') return undefined;
  if (takenBackWords(currentText().conversation)[view.call.tool] === undefined) return undefined;
  return [...new Set(view.outcome.effects.map(({ path }) => path))].join(', ');
}

/** An event in one muted line. */
function NoteLine({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-small text-muted before:h-px before:w-4 before:bg-line">
      <span className="min-w-0 wrap-anywhere">{honestText(children)}</span>
    </p>
  );
}

/** The link to the session that this one continues. */
/** Shown until the branch has a message of its own, whose arrows lead to the original as well, and only where something was said before. */
function ForkedLine({ entry: { from, after } }: { entry: Extract<Entry, { kind: 'forked' }> }) {
  const words = useText().sessions;
  const isShown = useSession(({ latestMessage }) => after !== undefined && latestMessage === after);
  if (!isShown) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-small text-muted before:h-px before:w-4 before:bg-line max-two:before:hidden">
      {words.goesOn}
      <Button size="small" tone="quiet" onClick={() => openSession(from.session)}>
        {words.original}
      </Button>
    </p>
  );
}

/** The reply as far as it has been streamed, and dots while the model has not begun. */
export function LiveReply() {
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
      {retry !== undefined && <RetryLine retry={retry} />}
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

/** The model's reasoning, folded. */
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
