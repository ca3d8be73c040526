// The inside of a paragraph as a tree: code, emphasis, links.
import { type MarkdownInline, type Piece, pairRuns, runAt } from './emphasis.ts';

/** The address that a link leads to; undefined leaves the link as text. */
export type ResolveLink = (address: string) => string | undefined;
type Inside = { resolveLink: ResolveLink; depth: number };

// A mark is looked for no further than this, so that a text full of openings costs no more than its length.
const reach = 2000;
const deepest = 6;
const longest = 100_000;

/** Only web addresses become links, unless the caller resolves others. */
export function parseMarkdownInline(text: string, resolveLink: ResolveLink = webAddress): MarkdownInline[] {
  return parseInside(text, { resolveLink, depth: 0 });
}

function parseInside(text: string, inside: Inside): MarkdownInline[] {
  if (inside.depth > deepest || text.length > longest) return [{ type: 'text', text }];
  const found: Piece[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push({ type: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const taken = take(text, at, inside);
    if (taken === undefined) {
      plain += text[at] ?? '';
      at++;
      continue;
    }
    if (typeof taken.inline === 'string') plain += taken.inline;
    else {
      flush();
      found.push(taken.inline);
    }
    at = taken.end;
  }
  flush();
  return pairRuns(found);
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
  // An opening mark without an end is text, the whole run at once.
  if (end === undefined) return { inline: run, end: at + run.length };
  const code = window.slice(0, end).replaceAll('\n', ' ');
  const inner = /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
  return { inline: { type: 'code', text: inner }, end: at + run.length * 2 + end };
}

// A dollar sign that begins a formula has no space after it; the one that ends it has none before it and no letter or digit after it,
// so that prices and names of variables stay text.
const inlineMath = /^\$(?![\s$])((?:[^$\n\\]|\\[^\n]){1,1000}?)(?<![\s])\$(?![\w$])/;

function takeMath(text: string, at: number, shape: RegExp, isBlock = false): Taken | undefined {
  const found = shape.exec(text.slice(at, at + reach));
  const source = found?.[1]?.trim() ?? '';
  if (found === null || source === '') return undefined;
  return { inline: { type: 'math', source, isBlock }, end: at + found[0].length };
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
  const found = /^<?(https?:\/\/[^\s<>"'`\])]+|(?<=<)mailto:[^\s<>]+)>?/.exec(text.slice(at, at + reach));
  if (found === null) return undefined;
  const [whole, raw = ''] = found;
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
