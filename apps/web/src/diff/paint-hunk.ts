// The colours of a hunk's code: each side is parsed by the grammar of the file, in slices, so that the page stays responsive.
import type { DiffHunk } from '@codelab/protocol';
import { highlightTree, tagHighlighter } from '@lezer/highlight';
import { highlightLanguageOf } from '../code/language-of.ts';
import { syntaxTags } from '../code/syntax-tags.ts';
import { type DiffLine, hunkRows } from './hunk-rows.ts';

/** From and to, in characters of the line. */
export type Stroke = { from: number; to: number; className: string };
export type Painted = ReadonlyMap<DiffLine, readonly Stroke[]>;
type Grammar = Awaited<
  ReturnType<NonNullable<ReturnType<typeof highlightLanguageOf>>['load']>
>['language']['parser'];

const mostLines = 2_000;
const mostText = 200_000;
// Colours in a line that nobody reads to its end would cost more than they help.
const longestLine = 2_000;
const sliceMs = 5;

// Punctuation has the colour of the text: a span for each bracket would be half of the elements of a line.
const highlighter = tagHighlighter(
  syntaxTags
    .filter(({ color }) => color !== 'punctuation')
    .map(({ tag, className }) => ({ tag, class: className })),
);

/** `pause` is awaited between slices. Empty where the file has no grammar here, or the hunk is too long for it. */
export async function paintHunk(hunk: DiffHunk, path: string, pause: () => Promise<void>): Promise<Painted> {
  const painted = new Map<DiffLine, Stroke[]>();
  const language = highlightLanguageOf(path);
  const size = hunk.lines.reduce((sum, line) => sum + line.length, 0);
  if (language === undefined || hunk.lines.length > mostLines || size > mostText) return painted;
  const { parser } = (await language.load()).language;
  const lines = hunkRows(hunk).unified.map(({ line }) => line);
  // Lines of both sides are painted as they will be.
  for (const sign of ['-', '+'] as const) {
    const side = lines.filter((line) => line.sign === ' ' || line.sign === sign);
    for (const [line, strokes] of await paintLines(side, parser, pause)) painted.set(line, strokes);
  }
  return painted;
}

async function paintLines(
  lines: readonly DiffLine[],
  parser: Grammar,
  pause: () => Promise<void>,
): Promise<Map<DiffLine, Stroke[]>> {
  const parse = parser.startParse(lines.map(({ text }) => text).join('\n'));
  let tree = parse.advance();
  let until = performance.now() + sliceMs;
  while (tree === null) {
    if (performance.now() > until) {
      await pause();
      until = performance.now() + sliceMs;
    }
    tree = parse.advance();
  }
  const painted = new Map<DiffLine, Stroke[]>();
  let at = 0;
  let start = 0;
  highlightTree(tree, highlighter, (from, to, className) => {
    // Tokens come in order; one that covers several lines is split by line.
    for (; at < lines.length; at++) {
      const line = lines[at];
      if (line === undefined || start >= to) return;
      const end = start + line.text.length;
      if (from < end && line.text.length <= longestLine)
        addStroke(painted, line, {
          from: Math.max(0, from - start),
          to: Math.min(end, to) - start,
          className,
        });
      if (end >= to) return;
      start = end + 1;
    }
  });
  return painted;
}

function addStroke(painted: Map<DiffLine, Stroke[]>, line: DiffLine, stroke: Stroke): void {
  const strokes = painted.get(line);
  if (strokes === undefined) painted.set(line, [stroke]);
  else strokes.push(stroke);
}
