// What the shell does itself, without starting a program.
import { phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import {
  allows,
  asks,
  asksUnlessHeld,
  insists,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import { resolvePlace } from '../places/resolve-place.ts';
import type { Scene } from '../scene.ts';
import { judgeVariable } from '../variables.ts';

type Judge = (args: readonly Argument[], name: string) => Judgement;

export function judgeBuiltin(name: string, args: readonly Argument[]): Judgement | undefined {
  return builtins.get(name)?.(args, name);
}

const steers: Judge = (args, name) =>
  args.every(({ kind, value }) => kind === 'exact' && /^\d+$/.test(value))
    ? allows(phrase('builtin.steers'))
    : insists(phrase('builtin.notNumber', { name }));

const setsOptions: Judge = (args) => {
  const isPlain = args.every(
    ({ kind, value }) =>
      kind === 'exact' && /^([-+][euxvfnoC]+|pipefail|errexit|nounset|xtrace|noglob)$/.test(value),
  );
  return args.length > 0 && isPlain
    ? allows(phrase('builtin.setsOptions'))
    : asksUnlessHeld(phrase('builtin.changesShell'));
};

// Without them programs load less than with them. What keeps git from starting programs, and finds programs at all, is none of these.
const cleared =
  /^(?:LD_\w+|DYLD_\w+|PYTHON\w+|VIRTUAL_ENV|NODE_(?:OPTIONS|PATH)|RUBY(?:OPT|LIB)|PERL5?\w*LIB|(?:https?|all|no)_proxy)$/i;

const unsets: Judge = (args, name) =>
  namesVariables(
    args.filter(({ kind, value }) => kind !== 'exact' || !cleared.test(value)),
    name,
  );

const namesVariables: Judge = (args, name) => {
  const findings = args.map(({ kind, value }) => {
    if (name === 'read' && value === '-r') return allows();
    const [variable = ''] = value.split('=');
    const given = value.slice(variable.length + 1);
    const isPlain = kind === 'exact' && /^[A-Za-z_]\w*$/.test(variable);
    return isPlain ? judgeVariable(variable, given) : insists(phrase('builtin.notVariable', { name }));
  });
  return strictest([allows(phrase('variable.harmless')), ...findings]);
};

// `[ -v 'a[$(x)]' ]` and `printf -v` run what stands in the brackets.
const tests: Judge = (args) => {
  const odd = args.find(
    ({ kind, value }) => kind === 'exact' && (/\[.*[$`]/s.test(value) || /^-[vRo]$/.test(value)),
  );
  if (odd) return insists(phrase('builtin.testRuns', { word: odd.text }));
  const made = args.find(({ kind }) => kind === 'unknown');
  return made
    ? readsUnclear(phrase('builtin.testRuns', { word: made.text }))
    : allows(phrase('builtin.tests'));
};

const prints: Judge = (args) => {
  const [first] = args;
  if (first === undefined || first.kind === 'unknown' || first.value.startsWith('-') || !first.isOneWord)
    return insists(phrase('builtin.printf'));
  const made = args.filter(({ kind }) => kind === 'unknown');
  if (made.length === 0) return allows(phrase('builtin.prints'));
  const ask = made.some(({ text }) => /^["']?([~/]|\$HOME\b|\$\{HOME\})|\.\.\//.test(text))
    ? insists
    : readsUnclear;
  return ask(phrase('builtin.unclearWords'));
};

const moves: Judge = () => asks(phrase('builtin.changesFolder'));

const builtins: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...['exit', 'return', 'break', 'continue', 'shift', 'wait'].map((name): [string, Judge] => [name, steers]),
  ['set', setsOptions],
  ['unset', unsets],
  ...['export', 'read'].map((name): [string, Judge] => [name, namesVariables]),
  ['test', tests],
  ['[', tests],
  ['printf', prints],
  ...['cd', 'chdir', 'pushd', 'popd'].map((name): [string, Judge] => [name, moves]),
]);

// `cd`: from here on the line may stand somewhere else.
const maxFolders = 8;

/** Whether the move succeeds, only running would tell: it may stand in the old folder or in the new one; `moved` is the new one alone. */
export function moveTo(args: readonly Argument[], scene: Scene): Judgement {
  const before = scene.cwds;
  const moved = targets(args, scene);
  scene.moved = moved;
  const both = before && moved && [...new Set([...before, ...moved])];
  scene.cwds = both && both.length <= maxFolders ? both : undefined;
  if (moved) return allows(phrase('builtin.onlyChangesFolder'));
  const ask = isOutside(args, { ...scene, cwds: before }) ? insists : asksUnlessHeld;
  return ask(phrase('builtin.unknownFolder'), 'high');
}

/** Whether the line says that it leads out, to a place that the sandbox does not have. */
function isOutside(args: readonly Argument[], { workspace, cwds }: Scene): boolean {
  const last = args.at(-1);
  // Without a word it is the home.
  if (last === undefined || last.text.startsWith('~') || last.value === '-') return true;
  if (last.kind !== 'exact') return false;
  return (cwds ?? ['']).some((cwd) => {
    const place = resolvePlace(workspace, cwd, last.value, 'read');
    return place.kind === 'guarded' || (place.kind === 'outside' && place.where === undefined);
  });
}

function targets(args: readonly Argument[], { workspace, cwds }: Scene): string[] | undefined {
  const [first] = args[0]?.value === '--' ? args.slice(1) : args;
  if (cwds === undefined || first?.kind !== 'exact' || args.length > 2 || /^-|^$/.test(first.value))
    return undefined;
  const found = cwds.map((cwd) => resolvePlace(workspace, cwd, first.value, 'read'));
  const folders = found.flatMap((place) =>
    // Through a link the shell and the system disagree about what `..` is.
    place.kind === 'inside' && !place.isLinked ? [place.path === '.' ? '' : place.path] : [],
  );
  return folders.length === found.length ? folders : undefined;
}
