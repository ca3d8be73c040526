// Goes through a text that a shell would run, such as a script or the body of `npm test`, and follows each program in it.
import type { CommandArgument, parse, SyntaxNode } from 'unbash';
import { readWord } from '../policy/shell/argument.ts';
import { below, deeper, isNew, quiet, type Step, type Word } from './step.ts';

/** The grammar, loaded only when there is a text to read. */
export type Grammar = {
  parse: typeof parse;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
};

const maxChars = 256 * 1024;
const maxPrograms = 500;

type Walk = {
  grammar: Grammar;
  step: Step;
  /** Where the text stands at this moment. */
  cwd: string | undefined;
  programs: number;
  /** In a script only what it sources has to be known; the rest is followed as far as it is plain. */
  isScript: boolean;
  /** Turns `$(dirname "$0")/lib.sh` into a path, when the text is a file. */
  expand(text: string): string | undefined;
};

export function followText(grammar: Grammar, text: string, step: Step, script?: string): void {
  if (!isNew(step, script ?? `text ${text}`)) return;
  if (text.length > maxChars) {
    step.recorder.giveUp(`${script ?? 'A script'} is too long to be read.`);
    return;
  }
  const tree = grammar.parse(text);
  if (tree.errors !== undefined && tree.errors.length > 0)
    step.recorder.giveUp(`${script ?? 'A script'} can't be read as a shell would.`);
  const expand = script === undefined ? () => undefined : expander(text, script, step);
  visit(tree, {
    grammar,
    step: deeper(step),
    cwd: step.cwd,
    programs: 0,
    isScript: script !== undefined,
    expand,
  });
}

// What happens in there does not move the text itself.
const apart = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Coproc']);
// Whether a move in there happens at all, only running would tell.
const branches = new Set(['If', 'For', 'While', 'Case', 'Function', 'Select', 'ArithmeticFor']);

function visit(node: SyntaxNode, walk: Walk): void {
  const { cwd } = walk;
  if (node.type === 'Assignment') walk.step.recorder.mention(cwd ?? '', [node.text]);
  if (node.type === 'Redirect' && node.operator === '<')
    walk.step.recorder.mention(cwd ?? '', [node.target?.text]);
  if (node.type === 'Assignment' && loadsCode(node.text))
    walk.step.recorder.giveUp(`It sets ${node.name}, by which programs are found or load code.`);
  if (node.type === 'Command' && node.name !== undefined)
    followCommand(
      [node.name, ...node.args].map((word) => plainWord(word, walk)),
      walk,
    );
  walk.grammar.forEachChild(node, (child) => visit(child, walk));
  if (walk.cwd === cwd) return;
  const isPiped = node.type === 'Pipeline' && node.commands.length > 1;
  if (isPiped || apart.has(node.type)) walk.cwd = cwd;
  else if (branches.has(node.type)) walk.cwd = undefined;
}

/** `PATH=./bin:$PATH`; but not options of node that only tune it. */
export function loadsCode(assignment: string): boolean {
  const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(assignment) ?? [];
  if (name === 'NODE_OPTIONS') return /\/|--(?:require|import|loader)|-r\b|\$/.test(value);
  return /^(?:PATH|MAKEFILES|MAKEFLAGS|npm_config_\w+|NPM_CONFIG_\w+|NODE_PATH|BASH_ENV|ENV|LD_\w+|PYTHONPATH|PYTHONSTARTUP|PERL5\w+|RUBY(?:OPT|LIB)|GIT_\w+|SHELL)$/.test(
    name,
  );
}

function plainWord(word: CommandArgument, { expand }: Walk): Word {
  if (word.type !== 'Word') return word.text;
  const { kind, value } = readWord(word);
  return kind === 'exact' ? value : expand(word.text);
}

function followCommand(words: readonly Word[], walk: Walk): void {
  const { step } = walk;
  if (++walk.programs > maxPrograms) {
    step.recorder.giveUp('It starts too many programs to be followed.');
    return;
  }
  const [name, target] = words;
  if (name === 'cd' || name === 'pushd' || name === 'popd') {
    const isPlain = name !== 'popd' && target !== undefined && !target.startsWith('-');
    walk.cwd = isPlain && walk.cwd !== undefined ? step.recorder.resolve(walk.cwd, target) : undefined;
    return;
  }
  const isSource = name === '.' || name === 'source';
  step.follow(words, { ...(walk.isScript && !isSource ? quiet(step) : step), cwd: walk.cwd });
}

const own = String.raw`\$\(\s*dirname\s+(?:--\s+)?"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?\s*\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}`;
const ownFolder = new RegExp(`^"?(?:${own})"?((?:/[\\w.-]+)*)/?"?$`);
const kept = new RegExp(
  String.raw`^[ \t]*(?:readonly |export |local )?(\w+)="?(?:\$\(\s*(?:CDPATH= )?cd (?:-P |-- )*"?(?:${own})"?((?:/[\w.-]+)*)"?[^)\n]{0,30}&&\s*pwd(?: -P)?\s*\)|(?:${own}))"?[ \t]*$`,
  'gm',
);

/** Reads the usual spellings of "the folder of this script". */
function expander(text: string, script: string, { recorder }: Step): (word: string) => string | undefined {
  const folder = script.includes('/') ? script.slice(0, script.lastIndexOf('/')) : '';
  const at = (rest: string): string | undefined => {
    const path = recorder.resolve(folder, `.${rest}`);
    return path === undefined ? undefined : `${recorder.workspace.root.real}/${path}`;
  };
  // One that is set again elsewhere may be another folder by then.
  const isSetOnce = (name: string): boolean => text.split(new RegExp(`\\b${name}\\+?=`)).length === 2;
  const variables = new Map(
    [...text.matchAll(kept)]
      .map(([, name = '', rest = '']): [string, string] => [name, rest])
      .filter(([name]) => isSetOnce(name)),
  );
  return (word) => {
    const direct = ownFolder.exec(word);
    if (direct) return at(direct[1] ?? '');
    const [, name = '', rest = ''] = /^"?\$\{?(\w+)\}?"?((?:\/[\w.-]+)+)"?$/.exec(word) ?? [];
    const base = variables.get(name);
    return base === undefined ? undefined : at(below(base, rest.slice(1)).replace(/^(?!\/)/, '/'));
  };
}
