// The inside of a paragraph as a tree: code, emphasis, links. Only web addresses become links; everything else stays text.
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'em' | 'strike'; inner: Inline[] }
  | { type: 'link'; href: string; inner: Inline[] }
  | { type: 'break' };

// A mark is looked for no further than this, so that a text full of openings costs no more than its length.
const reach = 2000;
const deepest = 6;
const longest = 100_000;

export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > deepest || text.length > longest) return [{ type: 'text', text }];
  const found: Inline[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push({ type: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const taken = take(text, at, depth);
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
  return found;
}

type Taken = { inline: Inline | string; end: number };

function take(text: string, at: number, depth: number): Taken | undefined {
  switch (text[at]) {
    case '\\': {
      const next = text[at + 1] ?? '';
      return /^[!-/:-@[-`{-~]$/.test(next) ? { inline: next, end: at + 2 } : undefined;
    }
    case '`':
      return takeCode(text, at);
    case '*':
      return takeMarked(text, at, '**', 'strong', depth) ?? takeMarked(text, at, '*', 'em', depth);
    case '_':
      return takeMarked(text, at, '__', 'strong', depth) ?? takeMarked(text, at, '_', 'em', depth);
    case '~':
      return takeMarked(text, at, '~~', 'strike', depth);
    case '[':
      return takeLink(text, at, depth);
    case '<':
    case 'h':
      return takeAddress(text, at);
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
  // An opening without an end is text, all of it at once.
  if (end === undefined) return { inline: run, end: at + run.length };
  const code = window.slice(0, end).replaceAll('\n', ' ');
  const inner = /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
  return { inline: { type: 'code', text: inner }, end: at + run.length * 2 + end };
}

function takeMarked(
  text: string,
  at: number,
  mark: string,
  type: 'strong' | 'em' | 'strike',
  depth: number,
): Taken | undefined {
  if (!text.startsWith(mark, at)) return undefined;
  const isWordMark = mark.startsWith('_');
  if (isWordMark && /\w/.test(text[at - 1] ?? '')) return undefined;
  const from = at + mark.length;
  if (/^[\s]?$/.test(text[from] ?? '')) return undefined;
  const window = text.slice(from, from + reach);
  for (let end = window.indexOf(mark, 1); end > 0; end = window.indexOf(mark, end + 1)) {
    const after = window[end + mark.length] ?? '';
    if (/\s/.test(window[end - 1] ?? '')) continue;
    if (isWordMark && /\w/.test(after)) continue;
    if (mark.length === 1 && (after === mark || window[end - 1] === mark)) continue;
    const inner = parseInline(window.slice(0, end), depth + 1);
    return { inline: { type, inner }, end: from + end + mark.length };
  }
  return undefined;
}

function takeLink(text: string, at: number, depth: number): Taken | undefined {
  const found =
    /^\[([^\][\n]{1,500})\]\(\s*<?([^\s()<>]{1,1500}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)>?(?:\s+"[^"\n]{0,300}")?\s*\)/.exec(
      text.slice(at, at + reach),
    );
  if (found === null) return undefined;
  const [whole, label = '', address = ''] = found;
  const href = webAddress(address);
  const inner = parseInline(label, depth + 1);
  if (href === undefined) return undefined;
  return { inline: { type: 'link', href, inner }, end: at + whole.length };
}

function takeAddress(text: string, at: number): Taken | undefined {
  if (/\w/.test(text[at - 1] ?? '')) return undefined;
  const found = /^<?(https?:\/\/[^\s<>"'`\])]+)>?/.exec(text.slice(at, at + reach));
  if (found === null) return undefined;
  const [whole, raw = ''] = found;
  const address = raw.replace(/[.,;:!?*_~]+$/, '');
  const href = webAddress(address);
  if (href === undefined) return undefined;
  const end = whole.startsWith('<') ? whole.length : address.length;
  return { inline: { type: 'link', href, inner: [{ type: 'text', text: address }] }, end: at + end };
}

function webAddress(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href;
}
