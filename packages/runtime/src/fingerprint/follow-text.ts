// Follows each program in a text that a shell would run, such as a script or the body of `npm test`.
import type { CommandArgument, parse, SyntaxNode } from 'unbash';
import { readWord } from '../policy/shell/argument.ts';
import { expandWord, readVariables, type Variables } from './shell-variables.ts';
import { deeperStep, type FollowStep, isNew, joinPath, quietStep, type Word } from './step.ts';

/** The shell grammar, loaded only when there is a text to parse. */
export type Grammar = {
  parse: typeof parse;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
};

const maxChars = 256 * 1024;
const maxPrograms = 500;

type Walk = {
  grammar: Grammar;
  step: FollowStep;
  /** Folders the text may be in at this point; undefined when that is known only at run time. */
  cwds: readonly string[] | undefined;
  variables: Variables;
  /** Functions of the text that start their arguments. */
  starters: ReadonlySet<string>;
  isInFunction: boolean;
  programs: number;
  /** In a script only the sourced files must be known; the rest is followed as far as its words are plain. */
  isScript: boolean;
  /** Turns `$(dirname "$0")/lib.sh` into a path, when the text is a file. */
  expand(text: string): string | undefined;
};

export function followText(grammar: Grammar, text: string, step: FollowStep, script?: string): void {
  const scriptArgs = text.includes('$@') ? ` ${step.scriptArgs?.join(' ')}` : '';
  if (!isNew(step, `${script ?? `text ${text}`}${scriptArgs}`)) return;
  if (text.length > maxChars) {
    step.recorder.giveUp(`${script ?? 'A script'} is too long to be read.`);
    return;
  }
  const tree = grammar.parse(text);
  if (tree.errors !== undefined && tree.errors.length > 0)
    step.recorder.giveUp(`${script ?? 'A script'} can't be parsed as a shell command.`);
  const expand = script === undefined ? () => undefined : expander(text, script, step);
  visit(tree, {
    grammar,
    step: deeperStep(step),
    cwds: step.cwd === undefined ? undefined : [step.cwd],
    variables: readVariables(tree, grammar.forEachChild),
    starters: findStarters(tree, grammar),
    isInFunction: false,
    programs: 0,
    isScript: script !== undefined,
    expand,
  });
}

// A `cd` inside these does not change the folder of the text.
const inSubshell = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Coproc']);
// Whether a `cd` inside these is executed is known only at run time.
const branches = new Set(['If', 'Case', 'Function']);
// How often a `cd` inside these is executed is known only at run time.
const loops = new Set(['For', 'While', 'Select', 'ArithmeticFor']);
const maxFolders = 8;

function visit(node: SyntaxNode, walk: Walk): void {
  const { cwds, isInFunction } = walk;
  const { recorder } = walk.step;
  for (const cwd of cwds ?? ['']) {
    if (node.type === 'Assignment') recorder.mention(cwd, [node.text]);
    if (node.type === 'Redirect' && node.operator === '<') recorder.mention(cwd, [node.target?.text]);
  }
  if (node.type === 'Assignment' && loadsCode(node.text))
    recorder.giveUp(`It sets ${node.name}, by which programs are found or load code.`);
  if (node.type === 'Command' && node.name !== undefined) followCommand([node.name, ...node.args], walk);
  if (node.type === 'Function') walk.isInFunction = true;
  if (node.type === 'AndOr') visitList(node.commands, walk);
  else walk.grammar.forEachChild(node, (child) => visit(child, walk));
  walk.isInFunction = isInFunction;
  if (walk.cwds === cwds) return;
  const isPiped = node.type === 'Pipeline' && node.commands.length > 1;
  if (isPiped || inSubshell.has(node.type)) walk.cwds = cwds;
  else if (branches.has(node.type)) walk.cwds = either(cwds, walk.cwds);
  else if (loops.has(node.type)) walk.cwds = undefined;
}

/** `a && cd d`: what follows the list may run in the folder before, or in `d`. */
function visitList(commands: readonly SyntaxNode[], walk: Walk): void {
  let first = walk.cwds;
  for (const [at, command] of commands.entries()) {
    visit(command, walk);
    if (at === 0) first = walk.cwds;
  }
  if (walk.cwds !== first) walk.cwds = either(first, walk.cwds);
}

function either(a: Walk['cwds'], b: Walk['cwds']): Walk['cwds'] {
  if (a === undefined || b === undefined) return undefined;
  const merged = [...new Set([...a, ...b])];
  return merged.length > maxFolders ? undefined : merged;
}

const givenWords = /^"?\$[@*1]"?$/;

/** `run() { "$@"; }`: the program it starts is named where the function is called. */
function findStarters(tree: SyntaxNode, { forEachChild }: Grammar): Set<string> {
  const found = new Set<string>();
  const visitIn = (node: SyntaxNode, name: string | undefined): void => {
    const isStart = node.type === 'Command' && givenWords.test(node.name?.text ?? '');
    if (name !== undefined && isStart) found.add(name);
    const inner = node.type === 'Function' ? node.name.text : name;
    forEachChild(node, (child) => visitIn(child, inner));
  };
  visitIn(tree, undefined);
  return found;
}

/** `PATH=./bin:$PATH` loads code; options that only tune node do not. */
export function loadsCode(assignment: string): boolean {
  const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(assignment) ?? [];
  if (name === 'NODE_OPTIONS') return /\/|--(?:require|import|loader)|-r\b|\$/.test(value);
  return /^(?:PATH|MAKEFILES|MAKEFLAGS|npm_config_\w+|NPM_CONFIG_\w+|NODE_PATH|BASH_ENV|ENV|LD_\w+|PYTHONPATH|PYTHONSTARTUP|PERL5\w+|RUBY(?:OPT|LIB)|GIT_\w+|SHELL)$/.test(
    name,
  );
}

const maxWays = 8;

/** The possible expansions of a command's words; a word that is known only at run time is undefined. */
function waysOf(words: readonly CommandArgument[], walk: Walk): Word[][] {
  let wordLists: Word[][] = [[]];
  for (const word of words) {
    const values = valuesOf(word, walk);
    const next = wordLists.flatMap((wordList) => values.map((value) => [...wordList, ...value]));
    wordLists = next.length > maxWays ? wordLists.map((wordList) => [...wordList, undefined]) : next;
  }
  return wordLists;
}

/** Each value is a list of words, because an unquoted variable may expand to several. */
function valuesOf(word: CommandArgument, { expand, variables, step, isInFunction }: Walk): Word[][] {
  if (word.type !== 'Word') return [[word.text]];
  const { kind, value } = readWord(word);
  if (kind === 'exact') return [[value]];
  const expanded = expand(word.text);
  if (expanded !== undefined) return [[expanded]];
  if (/^"?\$@"?$/.test(word.text) && !isInFunction && step.scriptArgs !== undefined)
    return [[...step.scriptArgs]];
  const values = kind === 'variable' ? expandWord(word.text, variables) : undefined;
  if (values === undefined) return [[undefined]];
  return values.map((value) => (word.text.startsWith('"') ? [value] : value.split(/\s+/).filter(Boolean)));
}

function followCommand(words: readonly CommandArgument[], walk: Walk): void {
  const { step, starters } = walk;
  // The arguments of a function are followed where the function is called.
  if (walk.isInFunction && givenWords.test(words[0]?.text ?? '')) return;
  for (const wordList of waysOf(words, walk)) {
    if (++walk.programs > maxPrograms) {
      step.recorder.giveUp('It starts too many programs to be followed.');
      return;
    }
    followWay(wordList[0] !== undefined && starters.has(wordList[0]) ? wordList.slice(1) : wordList, walk);
  }
}

function followWay(words: readonly Word[], walk: Walk): void {
  const { step, cwds } = walk;
  const [name, target] = words;
  if (words.length === 0) return;
  if (name === 'cd' || name === 'pushd' || name === 'popd') {
    const isPlain = name !== 'popd' && target !== undefined && !target.startsWith('-');
    walk.cwds = isPlain ? move(cwds, target, step.recorder) : undefined;
    return;
  }
  const isSource = name === '.' || name === 'source';
  const isQuiet = (walk.isScript && !isSource) || (cwds !== undefined && cwds.length > 1);
  for (const cwd of cwds ?? [undefined]) step.follow(words, { ...(isQuiet ? quietStep(step) : step), cwd });
}

/** A folder that does not exist may be created by then, or the text stays in its folder. */
function move(cwds: Walk['cwds'], target: string, recorder: FollowStep['recorder']): Walk['cwds'] {
  const moved = cwds?.map((cwd) => recorder.resolve(cwd, target));
  const knownFolders = moved?.filter((path) => path !== undefined);
  if (knownFolders === undefined || knownFolders.length !== moved?.length) return undefined;
  return knownFolders.every((path) => recorder.names(path).size > 0)
    ? knownFolders
    : either(knownFolders, cwds);
}

const scriptFolder = String.raw`\$\(\s*dirname\s+(?:--\s+)?"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?\s*\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}`;
const ownFolder = new RegExp(`^"?(?:${scriptFolder})"?((?:/[\\w.-]+)*)/?"?$`);
const folderAssignment = new RegExp(
  String.raw`^[ \t]*(?:readonly |export |local )?(\w+)="?(?:\$\(\s*(?:CDPATH= )?cd (?:-P |-- )*"?(?:${scriptFolder})"?((?:/[\w.-]+)*)"?[^)\n]{0,30}&&\s*pwd(?: -P)?\s*\)|(?:${scriptFolder}))"?[ \t]*$`,
  'gm',
);

/** Expands the usual spellings of "the folder of this script". */
function expander(
  text: string,
  script: string,
  { recorder }: FollowStep,
): (word: string) => string | undefined {
  const folder = script.includes('/') ? script.slice(0, script.lastIndexOf('/')) : '';
  const at = (rest: string): string | undefined => {
    const path = recorder.resolve(folder, `.${rest}`);
    return path === undefined ? undefined : `${recorder.workspace.root.real}/${path}`;
  };
  // A variable that is assigned a second time may hold another folder by then.
  const isSetOnce = (name: string): boolean => text.split(new RegExp(`\\b${name}\\+?=`)).length === 2;
  const variables = new Map(
    [...text.matchAll(folderAssignment)]
      .map(([, name = '', rest = '']): [string, string] => [name, rest])
      .filter(([name]) => isSetOnce(name)),
  );
  return (word) => {
    const direct = ownFolder.exec(word);
    if (direct) return at(direct[1] ?? '');
    const [, name = '', rest = ''] = /^"?\$\{?(\w+)\}?"?((?:\/[\w.-]+)+)"?$/.exec(word) ?? [];
    const base = variables.get(name);
    return base === undefined ? undefined : at(joinPath(base, rest.slice(1)).replace(/^(?!\/)/, '/'));
  };
}
