// Shells and interpreters: with a script of the workspace they are asked about, with code in an argument or on a pipe always.
import type { Argument } from './argument.ts';
import { asks, type Finding, insists, strictest } from './finding.ts';
import type { Scene } from './scene.ts';
import { touchPlaces } from './touch-places.ts';

const shells = new Set('sh bash dash zsh ksh mksh ash fish csh tcsh rbash pwsh'.split(' '));
const interpreters =
  /^(python|pypy|ipython)[\d.]*$|^(perl|ruby|php|lua|node)[\d.]*$|^(nodejs|luajit|tclsh|wish|Rscript|R|julia|guile|racket|sbcl|clisp|groovy|jshell|elixir|iex|erl|escript|irb|gjs|qjs|deno|bun|ghci|runghc|ocaml|swipl|gst|octave)$/;

// Asked for its version, none of these looks into the workspace; others take a toolchain or a plugin from there.
const versioned = new Set(
  'node python python3 perl ruby bash dash zsh git npm gcc g++ clang make rg grep jq java'.split(' '),
);

export function isInterpreter(name: string): boolean {
  return shells.has(name) || interpreters.test(name);
}

export function isVersionProbe(name: string, args: readonly Argument[]): boolean {
  const [only, ...more] = args;
  return (
    versioned.has(name) &&
    more.length === 0 &&
    only?.kind === 'exact' &&
    (only.value === '--version' ||
      (only.value === '-v' && (name === 'node' || name === 'npm')) ||
      (only.value === '-V' && name.startsWith('python')))
  );
}

/** `readScript` judges the text of a shell's `-c`. */
export function judgeInterpreter(
  name: string,
  args: readonly Argument[],
  scene: Scene,
  readScript: (script: string) => void,
): Finding {
  const at = args.findIndex(({ kind, value }) => kind !== 'exact' || !/^[-+]./.test(value));
  const options = at < 0 ? args : args.slice(0, at);
  const isInline = options.some(({ value }) =>
    /^-[a-zA-Z]*[cerEsp]|^--(eval|print|exec|run|require|import|init-file|rcfile)\b/.test(value),
  );
  const first = at < 0 ? undefined : args[at];
  if (isInline && first?.kind === 'exact' && shells.has(name)) readScript(first.value);
  if (isInline) return insists('Runs the text it is given as code.', 'critical');
  if (options.some(({ value }) => value === '-m' || value === '--test'))
    return asks('Runs code from this repository.', 'high');
  if (first === undefined || first.value === '-')
    return insists('Runs whatever it is fed as code.', 'critical');
  const against = touchPlaces([first], 'read', scene).map(({ reason }) => insists(reason, 'critical'));
  return strictest([asks('Runs a script.', 'high'), ...against]);
}
