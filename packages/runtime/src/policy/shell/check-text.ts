// Checks the bare text of a line before it is parsed: text that shells, screens and parsers read differently is never run.

import { type Phrase, phrase } from '@codelab/protocol';
import type { Script, SyntaxNode } from 'unbash';
import { nameCodePoint } from '../misleading-text.ts';
import { isPlainText } from './argument.ts';
import {
  alwaysAsks,
  asks,
  asksUnlessHeld,
  deniedLine,
  invalidLine,
  type Judgement,
  readsUnclear,
} from './judgement.ts';
import { judgeVariable } from './programs/judge-builtin.ts';
import { isKnownName } from './programs/known-programs.ts';

const maxBytes = 64 * 1024;
const maxQuotes = 4000;
const maxHereDocs = 2000;
const maxOpen = 200;

// All characters that a terminal or a shell may take as a separator or an instruction, except tab and newline.
const control = /[^\P{Cc}\t\n]|[\u2028\u2029]/u;

/** Why the line is never run; undefined when it can be parsed. */
export function checkText(line: string): Phrase | undefined {
  if (line.length > maxBytes || Buffer.byteLength(line) > maxBytes) return phrase('line.tooLong');
  if (!line.isWellFormed()) return phrase('line.notUnicode');
  const match = control.exec(line);
  if (match) return phrase('line.control', { character: nameCodePoint(match[0]) });
  if (/(^|[^\\])(\\\\)*\\$/.test(line)) return phrase('line.backslash');
  if (count(line, /['"`]/g) > maxQuotes || count(line, /<</g) > maxHereDocs || deepest(line) > maxOpen)
    return phrase('line.intricate');
  return undefined;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

/** The deepest nesting of brackets, quoted or not. */
function deepest(line: string): number {
  let open = 0;
  let deepest = 0;
  for (const char of line) {
    if (char === '(' || char === '{' || char === '[') deepest = Math.max(deepest, ++open);
    else if (char === ')' || char === '}' || char === ']') open = Math.max(0, open - 1);
  }
  return deepest;
}

/** Syntax that shells read differently, or that runs the content of a variable. */
const differing = asksUnlessHeld(phrase('line.differing'));
// Shells differ in the resulting words, not in the started programs.
const differingText = readsUnclear(phrase('line.differing'));

/** The judgement on a syntax element itself; its content is judged separately. */
export function judgeSyntax(node: SyntaxNode): Judgement | undefined {
  switch (node.type) {
    case 'Coproc':
    case 'Select':
    case 'ArithmeticFor':
    case 'ArithmeticCommand':
    case 'ArrayValue':
      return differing;
    case 'TestCommand':
    case 'AnsiCQuoted':
    case 'LocaleString':
      return differingText;
    case 'Assignment':
      return node.index !== undefined || node.append === true ? differing : undefined;
    case 'ParameterExpansion': {
      const isIndirect = node.prefix === '!' || node.operation?.type === 'Transform';
      if (isIndirect || node.operation?.type === 'Unknown')
        return alwaysAsks(phrase('line.indirect'), 'critical');
      return node.operation === undefined && node.index === undefined ? undefined : differingText;
    }
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      if (isPlainText(node)) return undefined;
      return readsUnclear(phrase('line.substitution'));
    case 'ArithmeticExpansion':
      return readsUnclear(phrase('line.calculation'));
    case 'For':
      return judgeVariable(node.name.value).verdict === 'allow' ? undefined : judgeVariable(node.name.value);
    case 'Function': {
      const name = node.name.value;
      if (isKnownName(name)) return alwaysAsks(phrase('line.redefines', { name }), 'critical');
      return asks(phrase('line.defines'), 'high');
    }
    default:
      return undefined;
  }
}

/** Stops where the parser itself is unsure. */
export function checkReadable(node: SyntaxNode): void {
  if (node.type === 'Script' && 'errors' in node && node.errors !== undefined && node.errors.length > 0)
    throw invalidLine(faultOf(node.errors[0]));
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined)
    throw invalidLine(phrase('line.unreadCommand'));
  if (node.type === 'ArithmeticExpansion' && node.expression === undefined && /[$`]/.test(node.text.slice(1)))
    throw deniedLine(phrase('line.unreadCalculation'));
  // Shells differ on an unclosed here-document: some end it at the end of the text, others continue elsewhere.
  if (node.type === 'HereDoc' && node.closing === undefined)
    throw invalidLine(unclosedHereDocument(node.delimiter?.text ?? '', node.delimiter?.value ?? ''));
}

function unclosedHereDocument(delimiter: string, word: string): Phrase {
  return word === ''
    ? phrase('line.hereDocumentUnnamed', { delimiter })
    : phrase('line.hereDocument', { delimiter, word });
}

const openings = [
  [/double quote/, 'line.openDoubleQuote'],
  [/single quote/, 'line.openSingleQuote'],
  [/command substitution/, 'line.openSubstitution'],
  [/parameter expansion/, 'line.openVariable'],
  [/backtick/, 'line.openBacktick'],
] as const;

function faultOf(error: { message: string; pos: number } | undefined): Phrase {
  const { message: problem = 'it ends in the middle', pos = 0 } = error ?? {};
  const [, opening] = openings.find(([pattern]) => pattern.test(problem)) ?? [];
  const at = pos + 1;
  return opening === undefined ? phrase('line.unreadable', { why: problem, at }) : phrase(opening, { at });
}

/** Proves that the tree has every word of the text: a shell might run what the parser silently dropped. */
type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

const keywords = new Set(
  '! if then elif else fi for while until do done case esac in select function time -p -- coproc'.split(' '),
);

export function checkCoverage(script: Script, source: string, forEachChild: ForEachChild): void {
  const uncovered = source.slice(script.pos, script.end).split('');
  const blank = ({ pos, end }: { pos: number; end: number }): void => {
    uncovered.fill(' ', Math.max(0, pos - script.pos), Math.max(0, end - script.pos));
  };
  const visit = (node: SyntaxNode): void => {
    const ranges = rangesOf(node);
    if (ranges === undefined) forEachChild(node, visit);
    else ranges.forEach(blank);
  };
  forEachChild(script, visit);
  const rest = uncovered
    .join('')
    .replaceAll('\\\n', '  ')
    .replace(/#[^\n]*/g, '');
  const words = rest.split(/[\s;&|(){}]+/).filter((word) => word !== '' && !keywords.has(word));
  const [first] = words;
  if (first !== undefined) throw invalidLine(phrase('line.unreadableNear', { word: first.slice(0, 40) }));
  const opened = rest.split('(').length - rest.split(')').length;
  if (opened > 0) throw invalidLine(phrase('line.openBracket'));
}

/** The text ranges of a leaf of the tree; undefined for nodes whose children have the text. */
function rangesOf(node: SyntaxNode): { pos: number; end: number }[] | undefined {
  switch (node.type) {
    case 'Word':
    case 'Assignment':
    case 'Redirect':
    case 'HereString':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return [node];
    case 'HereDoc':
      return [node, node.body, ...(node.closing ? [node.closing] : [])];
    default:
      return undefined;
  }
}
