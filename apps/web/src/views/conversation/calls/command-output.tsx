// The output of a command with its colours: as a block once it has ended, the last lines while it runs.

import { visible } from '@codelab/protocol';
import { useMemo, useState } from 'react';
import { TextWithPaths } from '../../../markdown/file-link.tsx';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';

type BlockProps = { label: string; text: string; hasFailed?: boolean };

/** A text from a tool, bounded: the beginning at first, or the end where it failed; more on demand, never more than the page can bear. */
export function OutputBlock({ label, text, hasFailed = false }: BlockProps) {
  const words = useText().conversation;
  const [isLong, setIsLong] = useState(false);
  const short = useMemo(
    () => cutOutput(text, { lines: 16, characters: 4000, isEnd: hasFailed }),
    [text, hasFailed],
  );
  const long = useMemo(
    () => cutOutput(text, { lines: 2000, characters: 200_000, isEnd: hasFailed }),
    [text, hasFailed],
  );
  const shown = isLong ? long : short;
  return (
    <div className="flex flex-col gap-1">
      <h4 className="text-small font-medium text-muted">{label}</h4>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className={cx(
          'max-h-96 overflow-auto rounded-base px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere',
          hasFailed ? 'border-l-2 border-bad/60 bg-bad-soft' : 'bg-sunken',
        )}
      >
        <AnsiText text={shown.text} />
      </pre>
      {short.isCut && (
        <Button size="small" tone="quiet" className="self-start" onClick={() => setIsLong(!isLong)}>
          {isLong ? words.showLess : words.showMore}
        </Button>
      )}
      {isLong && long.isCut && <p className="text-small text-muted">{words.cut}</p>}
    </div>
  );
}

/** The last lines of what a running command prints. */
const shownLines = 8;
const shownCharacters = 2000;

export function LiveOutput({ text, hasFailed = false }: { text: string; hasFailed?: boolean }) {
  const tail = text.slice(-shownCharacters).trimEnd().split('\n').slice(-shownLines).join('\n');
  return (
    <pre
      className={cx(
        'overflow-hidden border-t border-line px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere',
        hasFailed ? 'bg-bad-soft' : 'bg-sunken text-muted',
      )}
    >
      <AnsiText text={tail} />
    </pre>
  );
}

/** Output of programs with its colours, as far as they are names. */
const looks: Record<AnsiColor, string> = {
  red: 'text-bad',
  green: 'text-good',
  yellow: 'text-warn',
  blue: 'text-accent',
  magenta: 'text-[var(--syntax-keyword)]',
  cyan: 'text-[var(--syntax-type)]',
  faint: 'text-faint',
};

function AnsiText({ text }: { text: string }) {
  const spans = useMemo(() => parseAnsi(text), [text]);
  return spans.map(({ text: part, color, isBold }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a span's name is its place.
    <span key={at} className={cx(color && looks[color], isBold && 'font-semibold')}>
      <TextWithPaths text={part} />
    </span>
  ));
}

// The beginning or the end of a text: so many lines, so many characters at most.
type Cut = { text: string; isCut: boolean };
type Most = { lines: number; characters: number; isEnd: boolean };

function cutOutput(whole: string, most: Most): Cut {
  if (most.isEnd) {
    const end = whole.trimEnd().slice(-most.characters).split('\n').slice(-most.lines).join('\n');
    return { text: end, isCut: end.length < whole.trimEnd().length };
  }
  const text = whole.slice(0, most.characters);
  const lines = text.split('\n', most.lines);
  const beginning = lines.join('\n').trimEnd();
  return { text: beginning, isCut: beginning.length < whole.trimEnd().length };
}

// Output of programs made safe for the page: colours are kept as names, every other escape sequence is gone, what hides is shown.
export type AnsiSpan = { text: string; color: AnsiColor | undefined; isBold: boolean };
type AnsiColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'faint';

const colors: readonly (AnsiColor | undefined)[] = [
  'faint',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  undefined,
];

// CSI, OSC (ended by BEL or ST), and the short ones. An unfinished one at the end goes too.
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
  /\x1b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~]?)/g;

export function parseAnsi(text: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let look: Omit<AnsiSpan, 'text'> = { color: undefined, isBold: false };
  let at = 0;
  const put = (part: string): void => {
    if (part !== '') spans.push({ text: visible(overwritten(part)), ...look });
  };
  for (const found of text.matchAll(escapes)) {
    put(text.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[2] === 'm') look = restyled(look, found[1] ?? '');
  }
  put(text.slice(at));
  return spans;
}

// A lone carriage return begins the line anew, as a terminal would show it.
function overwritten(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\n\r]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '');
}

function restyled(look: Omit<AnsiSpan, 'text'>, codes: string): Omit<AnsiSpan, 'text'> {
  let { color, isBold } = look;
  for (const code of codes.split(/[;:]/).map(Number)) {
    if (code === 0) [color, isBold] = [undefined, false];
    if (code === 1) isBold = true;
    if (code === 22) isBold = false;
    if (code === 39) color = undefined;
    if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) color = colors[code % 10];
    // The codes that follow pick from a palette or a colour space.
    if (code === 38 || code === 48) break;
  }
  return { color, isBold };
}
