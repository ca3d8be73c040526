// The inside of a paragraph as a tree: code, emphasis, links.

/** The address that a link leads to; undefined leaves the link as text. */
export type ResolveLink = (address: string) => string | undefined;
type Inside = { resolveLink: ResolveLink; depth: number };

// The search for a closing mark is bounded, so that a text full of openings costs no more than its length.
const reach = 2000;
const deepest = 6;
const longest = 100_000;

/** Only web addresses become links, unless the caller resolves others. */
export function parseMarkdownInline(text: string, resolveLink: ResolveLink = webAddress): MarkdownInline[] {
  return parseInside(text, { resolveLink, depth: 0 });
}

function parseInside(text: string, inside: Inside): MarkdownInline[] {
  if (inside.depth > deepest || text.length > longest) return [{ type: 'text', text }];
  const pieces: Piece[] = [];
  let plainText = '';
  const flush = (): void => {
    if (plainText !== '') pieces.push({ type: 'text', text: plainText });
    plainText = '';
  };
  for (let at = 0; at < text.length; ) {
    const parsed = take(text, at, inside);
    if (parsed === undefined) {
      plainText += text[at] ?? '';
      at++;
      continue;
    }
    if (typeof parsed.inline === 'string') plainText += parsed.inline;
    else {
      flush();
      pieces.push(parsed.inline);
    }
    at = parsed.end;
  }
  flush();
  return pairRuns(pieces);
}

type Taken = { inline: Piece | string; end: number };

function take(text: string, at: number, inside: Inside): Taken | undefined {
  switch (text[at]) {
    case '\\': {
      const next = text[at + 1] ?? '';
      if (next === '(')
        return takeMath(text, at, /^\\\(([^\n]{1,1000}?)\\\)/) ?? { inline: next, end: at + 2 };
      return /^[!-/:-@[-`{-~]$/.test(next) ? { inline: next, end: at + 2 } : undefined;
    }
    case '`':
      return takeCode(text, at);
    case '$':
      return takeMath(text, at, /^\$\$([^$]{1,1900})\$\$/, true) ?? takeMath(text, at, inlineMath);
    case '*':
    case '_':
    case '~': {
      const run = runAt(text, at);
      return { inline: run, end: at + run.count };
    }
    case '[':
      return takeLink(text, at, inside);
    case '!':
      return takeImage(text, at, inside);
    case '<':
    case 'h':
      return takeAddress(text, at, inside);
    case '\n':
      return /(?: {2}|\\)$/.test(text.slice(Math.max(0, at - 2), at))
        ? { inline: { type: 'break' }, end: at + 1 }
        : { inline: '\n', end: at + 1 };
    default:
      return undefined;
  }
}

function takeCode(text: string, at: number): Taken | undefined {
  const run = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? '`';
  const window = text.slice(at + run.length, at + run.length + reach);
  const end = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(window)?.index;
  // An opening run without an end is text as a whole.
  if (end === undefined) return { inline: run, end: at + run.length };
  const code = window.slice(0, end).replaceAll('\n', ' ');
  const inner = /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
  return { inline: { type: 'code', text: inner }, end: at + run.length * 2 + end };
}

// A dollar sign that opens a formula has no space after it; one that closes it has none before it and no letter or digit after it, so that
// prices and variable names stay text.
const inlineMath = /^\$(?![\s$])((?:[^$\n\\]|\\[^\n]){1,1000}?)(?<![\s])\$(?![\w$])/;

function takeMath(text: string, at: number, shape: RegExp, isBlock = false): Taken | undefined {
  const match = shape.exec(text.slice(at, at + reach));
  const source = match?.[1]?.trim() ?? '';
  if (match === null || source === '') return undefined;
  return { inline: { type: 'math', source, isBlock }, end: at + match[0].length };
}

function takeLink(text: string, at: number, { resolveLink, depth }: Inside): Taken | undefined {
  const found =
    /^\[((?:!\[[^\][\n]{0,300}\]\([^\s()]{1,1000}\)|[^\][\n]){1,500})\]\(\s*<?([^\s()<>]{1,1500}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)>?(?:\s+"[^"\n]{0,300}")?\s*\)/.exec(
      text.slice(at, at + reach),
    );
  if (found === null) return undefined;
  const [whole, label = '', address = ''] = found;
  const href = resolveLink(address);
  if (href === undefined) return undefined;
  // A linked picture, such as a badge, becomes its label: a link cannot hold another link.
  const words = label.replaceAll(/!\[([^\][\n]*)\]\([^\s()]*\)/g, '$1');
  const inner = parseInside(words, { resolveLink, depth: depth + 1 });
  return { inline: { type: 'link', href, inner }, end: at + whole.length };
}

const longestImage = 2_000_000;

function takeImage(text: string, at: number, { resolveLink }: Inside): Taken | undefined {
  if (text[at + 1] !== '[') return undefined;
  const found =
    /^!\[([^\][\n]{0,300})\]\(\s*(?:<([^<>\n]{1,1000})>|([^\s()<>]+))(?:\s+"[^"\n]{0,300}")?\s*\)/.exec(
      text.slice(at, at + longestImage),
    );
  if (found === null) return undefined;
  const [whole, label = '', spaced, source = spaced ?? ''] = found;
  const end = at + whole.length;
  const href = resolveLink(source);
  if (href === undefined) return { inline: { type: 'image', source, label }, end };
  // Loading the picture would tell another host who reads this, so it becomes a link.
  return { inline: { type: 'link', href, inner: [{ type: 'text', text: label || source }] }, end };
}

function takeAddress(text: string, at: number, { resolveLink }: Inside): Taken | undefined {
  if (/\w/.test(text[at - 1] ?? '')) return undefined;
  const match = /^<?(https?:\/\/[^\s<>"'`\])]+|(?<=<)mailto:[^\s<>]+)>?/.exec(text.slice(at, at + reach));
  if (match === null) return undefined;
  const [whole, raw = ''] = match;
  const address = raw.replace(/[.,;:!?*_~]+$/, '');
  const href = resolveLink(address);
  if (href === undefined) return undefined;
  const end = whole.startsWith('<') ? whole.length : address.length;
  return { inline: { type: 'link', href, inner: [{ type: 'text', text: address }] }, end: at + end };
}

function webAddress(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href;
}

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

type DelimiterRun = { mark: '*' | '_' | '~'; count: number; opens: boolean; closes: boolean };
type Piece = MarkdownInline | DelimiterRun;

const word = /[\p{L}\p{N}]/u;
const opening = /[([{<"'“‘«]/;
const closing = /[\p{P}\p{S}]/u;
// More open marks would cost too much time; the oldest stay text.
const mostOpen = 100;

/** The run of marks at this position of a text. */
function runAt(text: string, at: number): DelimiterRun {
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

function pairRuns(pieces: readonly Piece[]): MarkdownInline[] {
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

/** Wraps everything after an opening run into one element, consuming as many marks as both runs have. */
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
