// One line of the conversation, by its kind.
import { memo } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Entry } from '../../session/session-model.ts';
import { useEntry } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { CallCard } from './call-card.tsx';
import { ForkedLine } from './forked-line.tsx';
import { NoteLine } from './note-line.tsx';
import { Reasoning } from './reasoning.tsx';
import { TurnEndLine } from './turn-end-line.tsx';
import { UserMessage } from './user-message.tsx';

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
