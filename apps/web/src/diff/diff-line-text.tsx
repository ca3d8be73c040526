// The text of one line of a diff: changed words, hidden characters and whitespace made visible. Nothing of it is ever HTML.
import { misleading } from '@codelab/protocol';
import { cx } from '../ui/cx.ts';
import { changedWords } from './changed-words.ts';
import type { DiffLine } from './hunk-rows.ts';
import type { Stroke } from './paint-hunk.ts';
import { type Span, spellLine, type Whitespace } from './spell-line.ts';

type Props = {
  line: DiffLine;
  /** The line that stood in its place, or stands there now. */
  partner: DiffLine | undefined;
  whitespace: Whitespace;
  /** Whether the lines around it end with CR LF. */
  isCrlf: boolean;
  /** The colours of its code, where there are any. */
  strokes: readonly Stroke[] | undefined;
};

export function DiffLineText(props: Props) {
  const { line } = props;
  const spans = spansOf(props);
  return (
    <>
      {spans.map((span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span's name is its place.
        <SpanText key={at} span={span} sign={line.sign} />
      ))}
      {line.isOpen && <span className="text-faint"> ⊘</span>}
    </>
  );
}

function SpanText({ span: { text, look, isChanged, color }, sign }: { span: Span; sign: DiffLine['sign'] }) {
  if (look === 'plain' && !isChanged && color === '') return text;
  return (
    <span
      className={cx(
        color,
        look === 'blank' && (isChanged ? 'text-muted' : 'text-faint'),
        look === 'warning' && 'rounded-small bg-bad-soft text-bad outline outline-bad/60',
        isChanged && (sign === '-' ? 'rounded-small bg-bad/20' : 'rounded-small bg-good/20'),
      )}
    >
      {text}
    </span>
  );
}

function spansOf({ line, partner, whitespace, isCrlf, strokes = [] }: Props): Span[] {
  const words =
    partner === undefined
      ? undefined
      : line.sign === '-'
        ? changedWords(line.text, partner.text)
        : changedWords(partner.text, line.text);
  const changed = (line.sign === '-' ? words?.before : words?.after) ?? [];
  const hasCr = line.text.endsWith('\r');
  const expected = partner === undefined ? isCrlf : partner.text.endsWith('\r');
  return spellLine(line.text, {
    changed,
    warnings: misleading(line.text),
    strokes,
    whitespace,
    isChange: line.sign !== ' ',
    hasOddEnd: hasCr && !expected,
  });
}
