// Words known only at run time that are certainly names in the workspace: the output of `find` and similar programs, and variables that
// hold nothing else anywhere in the line. A reading program with such a word reads inside the workspace.

import type { Command, Script, SyntaxNode, Word, WordPart } from 'unbash';
import { isProtected } from '../built-in-rules.ts';

export type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

/** Programs that print only names, with the words that make them do so. */
const listers: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  [
    'find',
    (words: readonly string[]) => !words.some((word) => /^-(exec|ok|printf|fprint|ls|fls)/.test(word)),
  ],
  ['ls', (words: readonly string[]) => !words.some((word) => /^-[^-]*[lisZgon]|^--/.test(word))],
  ['rg', listsFiles],
  ['grep', listsFiles],
  [
    'git',
    ([command = '', ...words]: readonly string[]) =>
      command === 'ls-files'
        ? words.every((word) => !/^-[^-]*[stvf]|^--(stage|debug|eol|format)/.test(word))
        : (command === 'grep' && listsFiles(words)) || (command === 'diff' && words.includes('--name-only')),
  ],
]);

function listsFiles(words: readonly string[]): boolean {
  return words.some((word) =>
    /^-[a-zA-Z]*[lL]|^--(files|files-with-matches|files-without-match|name-only)$/.test(word),
  );
}

// Filters that drop or reorder lines without changing them.
const filters = /^(sort|head|tail|tac|uniq)$/;
const counting = /^-[a-z]*c|^--count/;

/** Whether the output of the last command is a list of names. */
export function listNames(commands: readonly SyntaxNode[]): boolean {
  return commands.length > 0 && commands.every((node, i) => (i === 0 ? isLister(node) : isFilter(node)));
}

function isLister(node: SyntaxNode): boolean {
  const [name = '', ...words] = wordsOf(node) ?? [];
  return listers.get(name)?.(words) === true;
}

function isFilter(node: SyntaxNode): boolean {
  const [name = '', ...words] = wordsOf(node) ?? [];
  if (name === 'tr') return words.join(' ') === '\\n \\0';
  if (name === 'grep') return !words.some((word) => /^-[a-zA-Z]*[ocnbH]|^--/.test(word));
  return filters.test(name) && !words.some((word) => counting.test(word));
}

function wordsOf(node: SyntaxNode): string[] | undefined {
  if (node.type !== 'Command' || node.prefix.length > 0) return undefined;
  const { name, suffix } = node as Command;
  const words = [name, ...suffix].filter((word) => word?.type === 'Word');
  return words.map((word) => word?.value ?? '');
}

type Names = { listed: Set<string>; other: Set<string> };

const declaring = /^(read|export|local|declare|typeset|readonly|getopts|mapfile|readarray|printf|unset|let)$/;
const executing = /^(eval|source|\.|trap|alias)$/;

/** The variables that hold only listed names at every use, also in later iterations of a loop. */
export function listedVariables(script: Script, forEachChild: ForEachChild): ReadonlySet<string> {
  const names: Names = { listed: new Set(), other: new Set() };
  let isOpen = false;
  const fedReads = new Set<SyntaxNode>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'For')
      sort(
        node.name.value,
        node.wordlist?.every((word) => isName(word, names)),
        names,
      );
    if (node.type === 'Assignment')
      sort(node.name ?? '', isPlainAssignment(node) && isName(node.value, names), names);
    if (node.type === 'Pipeline') noteFed(node, fedReads);
    if (node.type === 'Command') {
      const [name = '', ...words] = [node.name, ...node.suffix].map((word) =>
        word?.type === 'Word' ? word.value : '',
      );
      isOpen ||= executing.test(name);
      if (declaring.test(name))
        for (const word of words)
          sort(word.replace(/=.*/s, ''), name === 'read' && fedReads.has(node), names);
    }
    forEachChild(node, visit);
  };
  visit(script);
  return new Set(isOpen ? [] : [...names.listed].filter((name) => !names.other.has(name)));
}

function sort(name: string, isListed: boolean | undefined, { listed, other }: Names): void {
  (isListed === true ? listed : other).add(name);
}

function isPlainAssignment({ index, append }: Extract<SyntaxNode, { type: 'Assignment' }>): boolean {
  return index === undefined && append !== true;
}

/** `find … | while read -r f`: the read values are the names. */
function noteFed({ commands }: Extract<SyntaxNode, { type: 'Pipeline' }>, fed: Set<SyntaxNode>): void {
  const last = commands.at(-1);
  const [first] = last?.type === 'While' ? last.clause.commands : [];
  const isPiped =
    first?.command.type === 'Command' && first.command.suffix.every(({ type }) => type === 'Word');
  if (isPiped && listNames(commands.slice(0, -1))) fed.add(first.command);
}

function isName(word: Word | undefined | { type: string }, { listed }: Names): boolean {
  return word?.type === 'Word' && isListedWord(word as Word, listed);
}

/** Whether a word is certainly such a name: made of plain text, listed variables, and output of listing programs. */
export function isListedWord({ text, value, parts }: Word, variables: ReadonlySet<string>): boolean {
  const unquoted = text.replace(/["'\\]/g, '');
  if (/^[-/~]|(^|\/)\.\.(\/|$)|=~/.test(unquoted)) return false;
  if (parts === undefined) return isPlainName(value);
  return parts.every((part) => isListedPart(part, variables));
}

/** A word that is written in the line is judged by its own name. */
function isPlainName(text: string): boolean {
  return !/[\s*?[\]]/.test(text) && !isProtected(text);
}

function isListedPart(part: WordPart, variables: ReadonlySet<string>): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return isPlainName(part.value);
    case 'Glob':
      return true;
    case 'DoubleQuoted':
      return part.parts.every((inner) => isListedPart(inner, variables));
    case 'SimpleExpansion':
      return variables.has(part.text.slice(1));
    case 'ParameterExpansion':
      return part.operation === undefined && part.index === undefined && variables.has(part.parameter);
    case 'CommandExpansion': {
      const [only, ...otherStatements] = part.script?.commands ?? [];
      const inner = only?.command;
      if (inner === undefined || otherStatements.length > 0) return false;
      return listNames(inner.type === 'Pipeline' ? inner.commands : [inner]);
    }
    default:
      return false;
  }
}
