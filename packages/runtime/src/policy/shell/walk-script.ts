// Walks the syntax tree of a line in execution order and judges every program, redirection and variable. Unknown nodes are walked as well,
// so that nothing that could start a program is skipped.
import { phrase } from '@codelab/protocol';
import type { AssignmentPrefix, Command, CommandArgument, Redirect, Script, SyntaxNode } from 'unbash';
import { type Argument, exactly, readWord } from './argument.ts';
import { checkCoverage, checkReadable, judgeSyntax } from './check-text.ts';
import { judgeWords } from './judge-words.ts';
import { allows, alwaysAsks, deniedLine, type Judgement, readsUnclear } from './judgement.ts';
import type { LineState } from './line-state.ts';
import { isListedWord, listedVariables, listNames } from './listed-names.ts';
import { expandGlobs } from './places/expand-globs.ts';
import { partLocation, toolPath } from './places/resolve-place.ts';
import { isFarGlob, judgeVariable, moveTo } from './programs/judge-builtin.ts';
import { judgeRedirect } from './programs/judge-writing.ts';
import { shellRuleWords } from './rule-words/program-rule-words.ts';

type Walk = {
  state: LineState;
  /** Positions in the tree are positions in this text. */
  source: string;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
  counted: { nesting: number; words: number };
  /** Variables that hold names in the workspace. */
  listed: ReadonlySet<string>;
};

const maxNesting = 100;
const maxWords = 2000;

export function walkScript(script: Script, walk: Omit<Walk, 'counted' | 'listed'>): void {
  const listedNames = listedVariables(script, walk.forEachChild);
  visit(script, { ...walk, counted: { nesting: 0, words: 0 }, listed: listedNames });
}

function visit(node: SyntaxNode, walk: Walk): void {
  if (++walk.counted.nesting > maxNesting) throw deniedLine(phrase('line.nestedTooDeep'));
  checkReadable(node);
  const syntaxJudgement = judgeSyntax(node);
  if (syntaxJudgement) addPart(node, [], true, syntaxJudgement, walk);
  step(node, walk);
  walk.counted.nesting--;
}

function step(node: SyntaxNode, walk: Walk): void {
  switch (node.type) {
    case 'Script':
      visitScript(node, node.source === undefined ? walk : { ...walk, source: node.source });
      return;
    case 'Command':
      visitCommand(node, walk);
      return;
    case 'AndOr':
      visitList(node, walk);
      return;
    case 'Pipeline':
      visitPrefixes(node, walk);
      visitPipeline(node, walk);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'Coproc':
      inSubshell(walk, () => below(node, walk));
      return;
    case 'Subshell':
      inSubshell(walk, () => visitInner(node, walk));
      return;
    case 'For':
      judgeList(node, walk);
      visitLoop(node, walk);
      return;
    case 'While':
    case 'Select':
    case 'ArithmeticFor':
      visitLoop(node, walk);
      return;
    case 'Function':
      // A function may be called from any folder.
      walk.state.cwds = undefined;
      below(node, walk);
      return;
    case 'Redirect':
      visitRedirect(node, walk);
      return;
    case 'Redirected':
      // A redirected command may read from elsewhere than the pipe.
      fed(false, walk, () => visitInner(node, walk));
      return;
    default:
      visitInner(node, walk);
      return;
  }
}

function visitScript(node: Script, walk: Walk): void {
  checkCoverage(node, walk.source, walk.forEachChild);
  visitInner(node, walk);
}

function visitInner(node: SyntaxNode, walk: Walk): void {
  walk.forEachChild(node, (child) => visit(child, walk));
}

function visitPipeline({ commands }: Extract<SyntaxNode, { type: 'Pipeline' }>, walk: Walk): void {
  const [first] = commands;
  // `! cd x` changes the folder of the line itself.
  if (commands.length === 1 && first !== undefined) visit(first, walk);
  else
    for (const [i, command] of commands.entries())
      fed(i === 0 ? walk.state.isFedNames : listNames(commands.slice(0, i)), walk, () =>
        inSubshell(walk, () => visit(command, walk)),
      );
}

// A keyword in some shells, a program in others.
function visitPrefixes({ prefixes }: Extract<SyntaxNode, { type: 'Pipeline' }>, walk: Walk): void {
  for (const prefix of prefixes)
    if (prefix.type === 'Time') addPart(prefix, ['time'], false, allows(phrase('program.startsNext')), walk);
}

function fed(isFedNames: boolean, { state }: Walk, work: () => void): void {
  const before = state.isFedNames;
  state.isFedNames = isFedNames;
  work();
  state.isFedNames = before;
}

/** Folder changes in a subshell do not affect the line itself. */
function inSubshell({ state }: Walk, work: () => void): void {
  const { cwds } = state;
  work();
  state.cwds = cwds;
  state.moved = undefined;
}

// A later iteration of a loop may run in another folder.
function visitLoop(node: SyntaxNode, walk: Walk): void {
  if (/cd|chdir|pushd|popd/.test(walk.source.slice(node.pos, node.end))) walk.state.cwds = undefined;
  visitInner(node, walk);
}

// A loop over a glob prints names even when nothing is read.
function judgeList(node: Extract<SyntaxNode, { type: 'For' }>, walk: Walk): void {
  for (const word of node.wordlist ?? []) {
    const words = expandGlobs([readWord(word)], walk.state);
    const isFar = words.some(({ value }) => isFarGlob(value));
    if (!isFar && !words.some(({ kind }) => kind === 'unknown')) continue;
    const judgement = isFar ? alwaysAsks : readsUnclear;
    addPart(word, [word.text], true, judgement(phrase('line.listsOutside', { word: word.text })), walk);
  }
}

function visitList(node: Extract<SyntaxNode, { type: 'AndOr' }>, walk: Walk): void {
  const { state } = walk;
  const isPlain = node.operators.every((operator) => operator === '&&');
  const folders = new Set(state.cwds);
  let isKnown = state.cwds !== undefined;
  for (const command of node.commands) {
    state.moved = undefined;
    visit(command, walk);
    for (const cwd of state.cwds ?? []) folders.add(cwd);
    isKnown &&= state.cwds !== undefined;
    // The part after `&&` runs only if the move succeeded.
    const isMove = command.type === 'Command' && state.moved !== undefined;
    if (isPlain && isMove && state.cwds !== undefined) state.cwds = state.moved;
  }
  state.cwds = isKnown ? [...folders] : undefined;
}

function visitCommand(node: Command, walk: Walk): void {
  const { state, counted } = walk;
  for (const assignment of node.prefix) if (assignment.type === 'Assignment') addVariable(assignment, walk);
  if (node.name !== undefined) {
    const words = [node.name, ...node.args].map((argument) => readArgument(argument, walk));
    counted.words += words.length;
    if (counted.words > maxWords) throw deniedLine(phrase('line.tooManyWords', { most: maxWords }));
    const isPiped = node.suffix.every(({ type }) => type === 'Word');
    fed(state.isFedNames && isPiped, walk, () =>
      judgeCommand(words, walk.source.slice(node.name?.pos, node.end), state),
    );
  }
  below(node, walk);
}

/** Commands inside the words of a command are parts of it. */
function below(node: SyntaxNode, walk: Walk): void {
  walk.state.depth++;
  visitInner(node, walk);
  walk.state.depth--;
}

// Builtins that may change the working directory without naming it.
const movers = new Set(['pushd', 'popd', 'eval', 'source', '.', 'command', 'builtin', 'trap', 'alias']);

function judgeCommand(words: readonly Argument[], text: string, state: LineState): void {
  const [program, ...args] = words;
  const name = program?.kind === 'exact' ? program.value : undefined;
  if (name === 'cd' || name === 'chdir') {
    const values = words.map(({ value }) => value);
    const isDynamic = words.some(({ kind }) => kind !== 'exact');
    state.programs++;
    const location = partLocation(state);
    state.parts.push({ text, words: values, isDynamic, ...moveTo(args, state), ...location });
    return;
  }
  judgeWords(words, text, state);
  if (name === undefined || (movers.has(name) && args.some(({ value }) => !value.startsWith('-'))))
    state.cwds = undefined;
}

function readArgument(argument: CommandArgument, { listed }: Walk): Argument {
  if (argument.type === 'Word') {
    const word = readWord(argument);
    const path = word.kind === 'variable' ? toolPath(word.text) : undefined;
    if (path !== undefined) return { ...exactly(path), text: word.text };
    return word.kind !== 'exact' && isListedWord(argument, listed) ? { ...word, isListed: true } : word;
  }
  const isPlain = /^[A-Za-z_]\w*=[\w./:@%+,-]*$/.test(argument.text);
  return { text: argument.text, value: argument.text, kind: isPlain ? 'exact' : 'unknown', isOneWord: true };
}

function addVariable(node: AssignmentPrefix, walk: Walk): void {
  addPart(node, [node.text], false, judgeVariable(node.name, node.text.slice(node.name.length + 1)), walk);
}

function visitRedirect(node: Redirect, walk: Walk): void {
  const target = node.target && readWord(node.target);
  const isNamed = node.descriptor?.type === 'FileDescriptorVariable';
  const judgement = judgeRedirect(node.operator, target, isNamed, walk.state);
  if (judgement)
    addPart(node, [node.operator, target?.value ?? ''], target?.kind !== 'exact', judgement, walk);
  visitInner(node, walk);
}

function addPart(
  node: SyntaxNode,
  words: string[],
  isDynamic: boolean,
  finding: Judgement,
  walk: Walk,
): void {
  const text = walk.source.slice(node.pos, node.end);
  const program = isDynamic || finding.mustAsk ? undefined : shellRuleWords(words);
  const part = { text, words, isDynamic, ...finding, ...partLocation(walk.state) };
  walk.state.parts.push({ ...part, ...(program && { program }) });
}
