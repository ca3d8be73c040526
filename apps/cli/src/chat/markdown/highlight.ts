// Colours for code, line by line: comments, strings, numbers and keywords, by families of languages. The highlighter does not parse: it leaves
// unknown text as it is and never changes a character.
import type { TextSpan } from './span.ts';

export type Highlighter = (line: string) => TextSpan[];

type Family = {
  comment: RegExp | undefined;
  /** The delimiters of comments and strings that span lines. */
  blocks: readonly { open: string; close: string; isComment: boolean }[];
  quotes: string;
  keywords: ReadonlySet<string>;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const slashes = /\/\/.*/y;
const hash = /#.*/y;
const starBlock = { open: '/*', close: '*/', isComment: true };

const script = words(
  'abstract as async await break case catch class const constructor continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined using var void while with yield',
);
const compiled = words(
  'abstract auto bool boolean break byte case catch chan char class const continue crate default defer delete do double else enum explicit export extends extern false final finally float fn for foreach friend fun func fallthrough go goto if impl implements import in inline int interface internal is let long loop map match mod module mut namespace native new nil null nullptr operator out override package private protected pub public range ref register return sealed select self short signed sizeof static string struct super switch synchronized template this throw throws trait transient true try type typedef typename union unsafe unsigned use using val var virtual void volatile when where while yield',
);
const python = words(
  'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield begin end do module require then unless until',
);
const shell = words(
  'if then else elif fi for while until do done case esac in function return export local readonly set unset source alias cd echo exit trap eval exec shift',
);
const data = words('true false null yes no on off');
const sql = words(
  'select from where and or not insert into values update set delete create table index view drop alter join left right inner outer on group by order having limit offset as distinct union all null is in exists between like primary key references default begin commit rollback with case when then else end',
);

const cLike = { comment: slashes, blocks: [starBlock], quotes: '"\'' };
const families: Record<string, Family> = {
  script: { ...cLike, blocks: [starBlock, { open: '`', close: '`', isComment: false }], keywords: script },
  compiled: { ...cLike, keywords: compiled },
  python: {
    comment: hash,
    blocks: ['"""', "'''"].map((mark) => ({ open: mark, close: mark, isComment: false })),
    quotes: '"\'',
    keywords: python,
  },
  shell: { comment: /(?<![\w$"'\\])#.*/y, blocks: [], quotes: '"\'', keywords: shell },
  data: { comment: hash, blocks: [], quotes: '"\'', keywords: data },
  json: { comment: slashes, blocks: [starBlock], quotes: '"', keywords: data },
  style: { comment: undefined, blocks: [starBlock], quotes: '"\'', keywords: words('') },
  markup: {
    comment: undefined,
    blocks: [{ open: '<!--', close: '-->', isComment: true }],
    quotes: '"',
    keywords: words(''),
  },
  sql: { comment: /--.*/y, blocks: [starBlock], quotes: "'", keywords: sql },
};

const languages: Record<string, string> = Object.fromEntries(
  Object.entries({
    script: 'js jsx ts tsx javascript typescript mjs cjs mts cts vue svelte',
    compiled:
      'c h cpp cc cxx c++ hpp cs csharp java go golang rust rs kotlin kt swift scala php dart zig objc groovy',
    python: 'py python rb ruby elixir ex',
    shell: 'sh bash zsh fish shell console shellsession dockerfile make makefile',
    data: 'yaml yml toml ini conf properties env',
    json: 'json jsonc json5',
    style: 'css scss less',
    markup: 'html xml svg',
    sql: 'sql sqlite postgres mysql',
  }).flatMap(([family, names]) => names.split(' ').map((name) => [name, family])),
);

/** Undefined for an unknown language. */
export function highlighterFor(language: string): Highlighter | undefined {
  const name = language.toLowerCase();
  const family = Object.hasOwn(languages, name) ? families[languages[name] ?? ''] : undefined;
  return family && createHighlighter(family);
}

const number = /(?<![\w$])\d[\d_.]*(?:[eE][+-]?\d+)?[\w]*/y;
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;

function createHighlighter(family: Family): Highlighter {
  let block: Family['blocks'][number] | undefined;
  return (line) => {
    const spans: TextSpan[] = [];
    const add = (text: string, ...formats: TextSpan['formats']): void => {
      const last = spans.at(-1);
      if (last !== undefined && last.formats.join() === formats.join()) last.text += text;
      else if (text !== '') spans.push({ text, formats });
    };
    for (let at = 0; at < line.length; ) {
      if (block === undefined) {
        block = family.blocks.find(({ open }) => line.startsWith(open, at));
        if (block === undefined) {
          const [text, ...formats] = pieceAt(line, at, family);
          add(text, ...formats);
          at += text.length;
          continue;
        }
        add(block.open, block.isComment ? 'dim' : 'green');
        at += block.open.length;
      }
      const end = line.indexOf(block.close, at);
      const until = end < 0 ? line.length : end + block.close.length;
      add(line.slice(at, until), block.isComment ? 'dim' : 'green');
      at = until;
      if (end >= 0) block = undefined;
    }
    return spans;
  };
}

/** The token at this position: its text and its formats. */
function pieceAt(
  line: string,
  at: number,
  { comment, quotes, keywords }: Family,
): [string, ...TextSpan['formats']] {
  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(line)?.[0];
  };
  const remark = comment && matched(comment);
  if (remark) return [remark, 'dim'];
  const sign = line.charAt(at);
  if (quotes.includes(sign)) return [quotedAt(line, at, sign), 'green'];
  const digits = matched(number);
  if (digits) return [digits, 'yellow'];
  const name = matched(word);
  if (name) return keywords.has(name) || keywords.has(name.toLowerCase()) ? [name, 'magenta'] : [name];
  return [sign];
}

/** The text up to the closing quote. Without a closing quote, only the quote itself: it may be an apostrophe. */
function quotedAt(line: string, at: number, sign: string): string {
  for (let end = at + 1; end < line.length; end++) {
    if (line.charAt(end) === '\\') end++;
    else if (line.charAt(end) === sign) return line.slice(at, end + 1);
  }
  return sign;
}
