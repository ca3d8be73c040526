// Looks at the bare text of a line before any grammar does: what shells, screens and parsers disagree about is not run at all.

import type { Script, SyntaxNode } from 'unbash';
import { nameCodePoint } from '../misleading-text.ts';
import { isPlainText } from './argument.ts';
import {
  asks,
  asksUnlessHeld,
  deniedLine,
  insists,
  invalidLine,
  type Judgement,
  readsUnclear,
} from './judgement.ts';
import { isKnownName } from './programs/known-programs.ts';
import { judgeVariable } from './variables.ts';

const maxBytes = 64 * 1024;
const maxQuotes = 4000;
const maxHereDocs = 2000;
const maxOpen = 200;

// Everything a terminal or a shell may take for a separator or an instruction, except tab and newline.
const control = /[^\P{Cc}\t\n]|[\u2028\u2029]/u;

/** Why this line is never run; undefined when it can be read. */
export function checkText(line: string): string | undefined {
  if (line.length > maxBytes || Buffer.byteLength(line) > maxBytes)
    return 'The line is longer than 64 KiB. Put it into a file.';
  if (!line.isWellFormed()) return 'The line is not valid Unicode.';
  const found = control.exec(line);
  if (found)
    return `The line holds ${nameCodePoint(found[0])}, which shells and screens read in different ways.`;
  if (/(^|[^\\])(\\\\)*\\$/.test(line))
    return 'The line ends in the middle: nothing follows the last backslash.';
  if (count(line, /['"`]/g) > maxQuotes || count(line, /<</g) > maxHereDocs || deepest(line) > maxOpen)
    return 'The line is too intricate to be judged. Put it into a file.';
  return undefined;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

/** How many brackets are open at once, at most, quoted or not. */
function deepest(line: string): number {
  let open = 0;
  let most = 0;
  for (const char of line) {
    if (char === '(' || char === '{' || char === '[') most = Math.max(most, ++open);
    else if (char === ')' || char === '}' || char === ']') open = Math.max(0, open - 1);
  }
  return most;
}

/** Pieces of grammar that are not what they seem: read differently by different shells, or running what a variable holds. */
const differing = asksUnlessHeld('Shells read this in different ways.');
// Which words come of it differs, not which programs are started.
const differingText = readsUnclear('Shells read this in different ways.');

/** What speaks against the piece itself; what stands inside it is judged apart. */
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
        return insists('Runs what a variable holds, or reads one that is not named.', 'critical');
      return node.operation === undefined && node.index === undefined ? undefined : differingText;
    }
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      if (isPlainText(node)) return undefined;
      return readsUnclear('What a command prints becomes part of the line.');
    case 'ArithmeticExpansion':
      return readsUnclear('Calculating may run what a variable holds.');
    case 'For':
      return judgeVariable(node.name.value).verdict === 'allow' ? undefined : judgeVariable(node.name.value);
    case 'Function': {
      const name = node.name.value;
      if (isKnownName(name)) return insists(`Gives ${name} another meaning.`, 'critical');
      return asks('Defines a command of its own.', 'high');
    }
    default:
      return undefined;
  }
}

/** Stops where the grammar itself is not sure. */
export function checkReadable(node: SyntaxNode): void {
  if (node.type === 'Script' && 'errors' in node && node.errors !== undefined && node.errors.length > 0)
    throw invalidLine(faultOf(node.errors[0]));
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined)
    throw invalidLine('A command in the line could not be read. Close every quote and bracket in it.');
  if (node.type === 'ArithmeticExpansion' && node.expression === undefined && /[$`]/.test(node.text.slice(1)))
    throw deniedLine('A calculation in the line could not be read.');
  // Some shells take the end of the text for the end, others read on from somewhere else.
  if (node.type === 'HereDoc' && node.closing === undefined)
    throw invalidLine(
      `The text after <<${node.delimiter?.text ?? ''} has no end. End it with a line that holds only ${node.delimiter?.value || 'the word after <<'}.`,
    );
}

const openings: readonly [RegExp, string, string][] = [
  [/double quote/, 'The "', 'Add the closing ", and write \\" for one inside the text.'],
  [/single quote/, "The '", "Add the closing ', and put text with a ' in it between double quotes."],
  [/command substitution/, 'The $(', 'Add the closing ).'],
  [/parameter expansion/, 'The variable in braces', 'Add the closing }.'],
  [/backtick/, 'The `', 'Add the closing `, or write $(…) instead.'],
];

function faultOf(error: { message: string; pos: number } | undefined): string {
  const { message = 'it ends in the middle', pos = 0 } = error ?? {};
  const [, opened, advice] = openings.find(([pattern]) => pattern.test(message)) ?? [];
  if (opened !== undefined) return `${opened} at character ${pos + 1} is not closed. ${advice}`;
  return `The line can't be read as a shell would: ${message} (character ${pos + 1}). Close every quote and bracket; put text with a ' between double quotes.`;
}

/** Proves that the tree holds every word of the text: what a grammar silently dropped, a shell might run. */
type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

const keywords = new Set(
  '! if then elif else fi for while until do done case esac in select function time -p -- coproc'.split(' '),
);

export function checkCoverage(script: Script, source: string, forEachChild: ForEachChild): void {
  const left = source.slice(script.pos, script.end).split('');
  const blank = ({ pos, end }: { pos: number; end: number }): void => {
    left.fill(' ', Math.max(0, pos - script.pos), Math.max(0, end - script.pos));
  };
  const visit = (node: SyntaxNode): void => {
    const ranges = rangesOf(node);
    if (ranges === undefined) forEachChild(node, visit);
    else ranges.forEach(blank);
  };
  forEachChild(script, visit);
  const rest = left
    .join('')
    .replaceAll('\\\n', '  ')
    .replace(/#[^\n]*/g, '');
  const words = rest.split(/[\s;&|(){}]+/).filter((word) => word !== '' && !keywords.has(word));
  const [first] = words;
  if (first !== undefined)
    throw invalidLine(
      `The line can't be read as a shell would, near ${first.slice(0, 40)}. Write it more plainly, or put it into a file.`,
    );
  const opened = rest.split('(').length - rest.split(')').length;
  if (opened > 0) throw invalidLine('The line can’t be read as a shell would: a bracket is left open.');
}

/** The text that a leaf of the tree stands for; undefined when its children have to be asked. */
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
