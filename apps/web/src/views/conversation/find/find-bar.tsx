// Finds in the conversation, also in rows that are not on the page: leads to them and marks what it found.
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { CallModel, Entry } from '../../../session/session-model.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { ConversationRow } from '../conversation-rows.ts';
import { useWholeSession } from '../load-sections.ts';
import { closeFind, goToMatch, useFind } from './find-store.ts';

type Props = {
  rows: readonly ConversationRow[];
  scroller: RefObject<HTMLElement | null>;
  /** Brings a row onto the page. */
  onShow(row: number): void;
};

export function FindResults({ rows, scroller, onShow }: Props) {
  const words = useText().conversation.find;
  const query = useFind((find) => find.query);
  const found = useFound(rows, query);
  const current = useCurrentMatch(query, found.rows, onShow);
  useMarks(scroller, found.words);
  useWholeSession();
  const matches = found.rows.length;
  return (
    <>
      <span role="status" className="min-w-14 px-1 text-center text-small text-muted">
        {query.trim() === '' ? '' : words.standing(matches === 0 ? 0 : current + 1, matches)}
      </span>
      <IconButton size="small" icon={ChevronUp} label={words.previous} onClick={() => goToMatch(-1)} />
      <IconButton size="small" icon={ChevronDown} label={words.next} onClick={() => goToMatch(1)} />
      <IconButton size="small" icon={X} label={words.close} onClick={closeFind} />
    </>
  );
}

// The latest match is nearest to where one reads.
const latest = Number.MAX_SAFE_INTEGER;

/** Which match is on the page; `onShow` brings its row there. */
function useCurrentMatch(query: string, rows: readonly number[], onShow: Props['onShow']): number {
  const [at, setAt] = useState(latest);
  const current = Math.min(at, Math.max(0, rows.length - 1));
  const show = useRef(onShow);
  show.current = onShow;
  const row = rows[current];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at its own last place.
  useEffect(() => setAt(latest), [query]);
  useSteps((by) => {
    const count = rows.length;
    if (count > 0) setAt((((current + by) % count) + count) % count);
  });
  useEffect(() => {
    if (row !== undefined) show.current(row);
  }, [row]);
  return current;
}

/** Keys and buttons; keys that were pressed before this was loaded count as well. */
function useSteps(onStep: (by: number) => void): void {
  const offset = useFind((find) => find.offset);
  const done = useRef(0);
  useEffect(() => {
    if (offset !== done.current) onStep(offset - done.current);
    done.current = offset;
  });
}

function useFound(rows: readonly ConversationRow[], query: string) {
  // Calls end and print while they are looked through.
  const version = useSessionStore((state) => state.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: containers grow in place; the version tells it.
  return useMemo(() => findRows(rows, useSessionStore.getState().model, query), [rows, query, version]);
}

/** Marks the words in whatever is on the page; rows come and go with scrolling. */
function useMarks(scroller: RefObject<HTMLElement | null>, words: readonly string[]): void {
  const key = words.join('\n');
  useEffect(() => {
    const box = scroller.current;
    if (box === null || key === '' || !('highlights' in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        CSS.highlights.set('found', new Highlight(...rangesIn(box, key.split('\n')))),
      );
    };
    mark();
    const watcher = new MutationObserver(mark);
    watcher.observe(box, { childList: true, characterData: true, subtree: true });
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete('found');
    };
  }, [scroller, key]);
}

const mostRanges = 1000;

function rangesIn(box: HTMLElement, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null && ranges.length < mostRanges; node = nodes.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (const word of words)
      for (
        let at = text.indexOf(word);
        at !== -1 && ranges.length < mostRanges;
        at = text.indexOf(word, at + 1)
      ) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + word.length, node.nodeValue?.length ?? 0));
        ranges.push(range);
      }
  }
  return ranges;
}

// Which rows of a conversation hold what somebody looks for: what was said, and what calls were given and answered.
type Known = { entries: readonly Entry[]; calls: ReadonlyMap<string, CallModel> };
export type FindResult = {
  /** Indexes of rows, in their order. */
  rows: readonly number[];
  /** The words to highlight in them, in lower case. */
  words: readonly string[];
};

const longest = 200_000;

/** All of it in one piece; where nothing holds that, every word of it. */
export function findRows(rows: readonly ConversationRow[], known: Known, query: string): FindResult {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return { rows: [], words: [] };
  const texts = rows.map(({ start, end }) =>
    known.entries
      .slice(start, end)
      .map((entry) => textOf(entry, known.calls))
      .join('\n')
      .toLowerCase(),
  );
  const holding = (words: readonly string[]): number[] =>
    texts.flatMap((text, at) => (words.every((word) => text.includes(word)) ? [at] : []));
  const whole = holding([wanted]);
  const words = wanted.split(/\s+/);
  return whole.length > 0 ? { rows: whole, words: [wanted] } : { rows: holding(words), words };
}

function textOf(entry: Entry, calls: ReadonlyMap<string, CallModel>): string {
  switch (entry.kind) {
    case 'user':
      return `${entry.text}\n${entry.files.join('\n')}`;
    case 'said':
      return `${entry.text}\n${entry.reasoning}`;
    case 'call':
      return callText(calls.get(entry.callId), calls);
    case 'ended':
      return entry.message;
    case 'compacted':
      return entry.summary;
    case 'notice':
      return entry.text;
    case 'context':
      return entry.path;
    default:
      return '';
  }
}

function callText(call: CallModel | undefined, calls: ReadonlyMap<string, CallModel>): string {
  if (call === undefined) return '';
  const { outcome, inner } = call;
  const ended =
    outcome === undefined
      ? ''
      : outcome.status === 'completed'
        ? valuesOf(outcome.data)
        : outcome.error.message;
  const below = inner.map((part) =>
    part.kind === 'said' ? part.text : callText(calls.get(part.callId), calls),
  );
  return [call.call.tool, valuesOf(call.call.args), ended, call.output ?? '', ...below]
    .join('\n')
    .slice(0, longest);
}

/** The texts in a value; names of fields say nothing to a reader. */
function valuesOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value).map(valuesOf).join('\n');
}
