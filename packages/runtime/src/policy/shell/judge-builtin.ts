// What the shell does itself, without starting a program.
import type { Argument } from './argument.ts';
import { allows, asks, asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import { judgeVariable } from './variables.ts';

type Judge = (args: readonly Argument[], name: string) => Finding;

export function judgeBuiltin(name: string, args: readonly Argument[]): Finding | undefined {
  return builtins.get(name)?.(args, name);
}

const steers: Judge = (args, name) =>
  args.every(({ kind, value }) => kind === 'exact' && /^\d+$/.test(value))
    ? allows('Only steers the line.')
    : insists(`${name} is given something else than a number.`);

const setsOptions: Judge = (args) => {
  const isPlain = args.every(
    ({ kind, value }) =>
      kind === 'exact' && /^([-+][euxvfnoC]+|pipefail|errexit|nounset|xtrace|noglob)$/.test(value),
  );
  return args.length > 0 && isPlain
    ? allows('Only sets how the shell behaves.')
    : asksUnlessHeld('Changes what the shell does.');
};

const namesVariables: Judge = (args, name) => {
  const findings = args.map(({ kind, value }) => {
    if (name === 'read' && value === '-r') return allows();
    const [variable = ''] = value.split('=');
    const given = value.slice(variable.length + 1);
    const isPlain = kind === 'exact' && /^[A-Za-z_]\w*$/.test(variable);
    return isPlain
      ? judgeVariable(variable, given)
      : insists(`${name} is given more than the name of a variable.`);
  });
  return strictest([allows('Sets a variable that starts nothing.'), ...findings]);
};

// `[ -v 'a[$(x)]' ]` and `printf -v` run what stands in the brackets.
const tests: Judge = (args) => {
  const odd = args.find(
    ({ kind, value }) => kind === 'exact' && (/\[.*[$`]/s.test(value) || /^-[vRo]$/.test(value)),
  );
  if (odd) return insists(`${odd.text} may be run as code by a test.`);
  const made = args.find(({ kind }) => kind === 'unknown');
  return made ? asksUnlessHeld(`${made.text} may be run as code by a test.`) : allows('Only tests.');
};

const prints: Judge = (args) => {
  const [first] = args;
  if (first === undefined || first.kind === 'unknown' || first.value.startsWith('-') || !first.isOneWord)
    return insists('printf may set a variable, and run code to find it.');
  const made = args.filter(({ kind }) => kind === 'unknown');
  if (made.length === 0) return allows('Only prints.');
  const ask = made.some(({ text }) => /^["']?([~/]|\$HOME\b|\$\{HOME\})|\.\.\//.test(text))
    ? insists
    : asksUnlessHeld;
  return ask('What its words are, only running would tell.');
};

const moves: Judge = () => asks('Changes the folder for what follows.');

const builtins: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...['exit', 'return', 'break', 'continue', 'shift', 'wait'].map((name): [string, Judge] => [name, steers]),
  ['set', setsOptions],
  ...['export', 'unset', 'read'].map((name): [string, Judge] => [name, namesVariables]),
  ['test', tests],
  ['[', tests],
  ['printf', prints],
  ...['cd', 'chdir', 'pushd', 'popd'].map((name): [string, Judge] => [name, moves]),
]);
