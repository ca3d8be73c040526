// Emphasis: runs of stars, underscores and tildes that open and close each other, as CommonMark pairs them.

/** A part of a paragraph. */
export type MarkdownInline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'em' | 'strike'; inner: MarkdownInline[] }
  | { type: 'link'; href: string; inner: MarkdownInline[] }
  | { type: 'image'; source: string; label: string }
  | { type: 'math'; source: string; isBlock: boolean }
  | { type: 'break' };

export type DelimiterRun = { mark: '*' | '_' | '~'; count: number; opens: boolean; closes: boolean };
export type Piece = MarkdownInline | DelimiterRun;

const word = /[\p{L}\p{N}]/u;
const opening = /[([{<"'“‘«]/;
const closing = /[\p{P}\p{S}]/u;
// More open marks than these would cost more time than they are worth; the oldest stay text.
const mostOpen = 100;
const deepest = 6;

/** The run of marks that stands at this place of a text. */
export function runAt(text: string, at: number): DelimiterRun {
  const mark = text[at] as DelimiterRun['mark'];
  let end = at;
  while (text[end] === mark) end++;
  const [before, after] = [text[at - 1] ?? ' ', text[end] ?? ' '];
  const isLeft = !(/\s/.test(after) || (closing.test(after) && !opening.test(after) && word.test(before)));
  const isRight = !(/\s/.test(before) || (opening.test(before) && word.test(after)));
  // Underscores inside a name are part of the name.
  const isInside = mark === '_' && word.test(before) && word.test(after);
  return { mark, count: end - at, opens: isLeft && !isInside, closes: isRight && !isInside };
}

export function pairRuns(pieces: readonly Piece[]): MarkdownInline[] {
  const out: Piece[] = [];
  /** Places in `out` of runs that may open something. */
  let open: number[] = [];
  for (const piece of pieces) {
    if (!('mark' in piece)) {
      out.push(piece);
      continue;
    }
    const run = { ...piece };
    for (let at = openerOf(run, out, open); at !== undefined; at = openerOf(run, out, open)) {
      open = open.filter((place) => place <= at);
      wrap(run, out, at);
      if ((out[at] as DelimiterRun | undefined)?.count === 0) {
        out.splice(at, 1);
        open.pop();
      }
    }
    if (run.count === 0) continue;
    if (run.opens) open = [...open.slice(1 - mostOpen), out.length];
    out.push(run);
  }
  return asText(out);
}

function openerOf(run: DelimiterRun, out: readonly Piece[], open: readonly number[]): number | undefined {
  const least = run.mark === '~' ? 2 : 1;
  if (!run.closes || run.count < least) return undefined;
  return open.findLast((place) => {
    const opener = out[place] as DelimiterRun;
    if (opener.mark !== run.mark || opener.count < least) return false;
    const mayBoth = opener.closes || run.opens;
    return !mayBoth || (opener.count + run.count) % 3 !== 0 || run.count % 3 === 0;
  });
}

/** Puts what stands behind an opening run into one element, at the cost of as many marks as both have. */
function wrap(run: DelimiterRun, out: Piece[], at: number): void {
  const opener = out[at] as DelimiterRun;
  const used = run.mark === '~' || (opener.count > 1 && run.count > 1) ? 2 : 1;
  const inner = asText(out.splice(at + 1));
  opener.count -= used;
  run.count -= used;
  const type = run.mark === '~' ? 'strike' : used === 2 ? 'strong' : 'em';
  const isTooDeep = depthOf(inner) >= deepest;
  const marks: MarkdownInline = { type: 'text', text: run.mark.repeat(used) };
  out.push(...(isTooDeep ? [marks, ...inner, marks] : [{ type, inner } as const]));
}

function depthOf(parts: readonly MarkdownInline[]): number {
  return Math.max(0, ...parts.map((part) => ('inner' in part ? 1 + depthOf(part.inner) : 0)));
}

/** Runs without a partner are text, and texts that meet are one. */
function asText(pieces: readonly Piece[]): MarkdownInline[] {
  const found: MarkdownInline[] = [];
  for (const piece of pieces) {
    const part: MarkdownInline =
      'mark' in piece ? { type: 'text', text: piece.mark.repeat(piece.count) } : piece;
    const last = found.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      found[found.length - 1] = { type: 'text', text: last.text + part.text };
    else found.push(part);
  }
  return found;
}
