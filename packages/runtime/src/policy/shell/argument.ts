// One word of a command, with what its text says about the value that the program will get.
import type { CommandExpansionPart, DoubleQuotedChild, Word, WordPart } from 'unbash';

export type Argument = {
  /** The word as it is written in the line. */
  text: string;
  /** The value that the program gets; for a glob the pattern, and the source text where the value is known only at run time. */
  value: string;
  /**
   * `exact`: this value, as one word; `glob`: the matching names; `variable`: a variable or a home folder decides; `unknown`: another
   * command decides, or shells differ.
   */
  kind: 'exact' | 'glob' | 'variable' | 'unknown';
  /** The expansion is one word, whatever its value is. */
  isOneWord: boolean;
  /** For a word known only at run time: its value is the name of something in the workspace, as listed by a program. */
  isListed?: boolean;
  /** The value that the program gets when the glob matches no name. */
  plain?: string;
};

export function exactly(value: string): Argument {
  return { text: value, value, kind: 'exact', isOneWord: true };
}

type Piece = { kind: Argument['kind']; value: string; isSplit?: boolean };

export function readWord(word: Word): Argument {
  const { text } = word;
  const pieces = (word.parts ?? []).map(readPart);
  const kinds = new Set(pieces.map(({ kind }) => kind));
  // Names in a folder known only at run time.
  if (kinds.has('glob') && (hasTilde(text) || kinds.has('variable')))
    return { text, value: text, kind: 'unknown', isOneWord: false };
  if (hasTilde(text)) return { text, value: text, kind: 'variable', isOneWord: true };
  if (word.parts === undefined) return { text, value: word.value, kind: 'exact', isOneWord: true };
  const isOneWord = !pieces.some(({ isSplit }) => isSplit === true);
  if (kinds.has('unknown')) return { text, value: text, kind: 'unknown', isOneWord };
  if (kinds.has('variable')) return { text, value: text, kind: 'variable', isOneWord };
  const hasPrinted = (word.parts ?? []).some(
    (part) => part.type === 'DoubleQuoted' && part.parts.some(isPlainText),
  );
  if (hasPrinted && kinds.has('glob')) return { text, value: text, kind: 'unknown', isOneWord: false };
  const exact = hasPrinted ? pieces.map(({ value }) => value).join('') : word.value;
  if (!kinds.has('glob')) return { text, value: exact, kind: 'exact', isOneWord: true };
  const pattern = pieces.map(({ kind, value }) => (kind === 'glob' ? value : literal(value))).join('');
  return { text, value: pattern, kind: 'glob', isOneWord: false, plain: word.value };
}

// Some shells expand a tilde after `=` and `:` as well.
function hasTilde(text: string): boolean {
  return /(^|[=:])~/.test(text);
}

function readPart(part: WordPart): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return { kind: 'exact', value: part.value };
    case 'DoubleQuoted':
      return readQuoted(part.parts);
    case 'Glob':
      // Without bash's globstar, two stars act as one.
      return isPlainGlob(part.text)
        ? { kind: 'glob', value: part.text.replace(/^\*+$/, '*') }
        : { kind: 'unknown', value: part.text };
    case 'SimpleExpansion':
      return { kind: 'variable', value: part.text, isSplit: true };
    case 'ParameterExpansion':
      return { ...readParameter(part), isSplit: true };
    default:
      return { kind: 'unknown', value: part.text, isSplit: true };
  }
}

function readQuoted(parts: readonly DoubleQuotedChild[]): Piece {
  const pieces = parts.map(readQuotedPart);
  if (pieces.every(({ kind }) => kind === 'exact'))
    return { kind: 'exact', value: pieces.map(({ value }) => value).join('') };
  const isKnown = pieces.every(({ kind }) => kind !== 'unknown');
  // `"$@"` expands to as many words as there are arguments.
  const isSplit = pieces.some(({ value }) => /^\$\{?[@*]/.test(value));
  return { kind: isKnown ? 'variable' : 'unknown', value: '', isSplit };
}

function readQuotedPart(part: DoubleQuotedChild): Piece {
  const printed = part.type === 'CommandExpansion' ? printedText(part) : undefined;
  if (printed === undefined) return readPart(part);
  plainTexts.add(part);
  return { kind: 'exact', value: printed };
}

const plainTexts = new WeakSet<object>();

/** Quoted, and printing only text of the line itself: just another spelling of that text. */
export function isPlainText(node: object): boolean {
  return plainTexts.has(node);
}

/** `$(cat <<'EOF' … EOF)`: a common way to write a text of several lines. */
function printedText({ script }: CommandExpansionPart): string | undefined {
  const [statement, ...otherStatements] = script?.commands ?? [];
  const command = statement?.command;
  if (otherStatements.length > 0 || command?.type !== 'Command' || statement?.background === true)
    return undefined;
  const [doc, ...others] = command.suffix;
  const isCat = command.name?.text === 'cat' && command.prefix.length === 0 && others.length === 0;
  if (!isCat || doc?.type !== 'HereDoc' || doc.operator !== '<<' || doc.descriptor !== undefined)
    return undefined;
  return doc.delimiter?.quoted === true && doc.closing !== undefined
    ? doc.body.text.replace(/\n+$/, '')
    : undefined;
}

// `${x}` is `$x`; any further operation on the value differs between shells, or runs something.
function readParameter(part: Extract<WordPart, { type: 'ParameterExpansion' }>): Piece {
  const isPlain =
    part.operation === undefined &&
    part.index === undefined &&
    part.prefix !== '!' &&
    /^\w+$/.test(part.parameter);
  return { kind: isPlain ? 'variable' : 'unknown', value: part.text };
}

// The letters in a range depend on the locale.
function isPlainGlob(text: string): boolean {
  return /^\*+$/.test(text) || text === '?' || /^\[[!^]?(?:[\w.]+|0-9)\]$/.test(text);
}

function literal(text: string): string {
  return text.replace(/[\\*?[\]{}(),!]/g, '\\$&');
}
