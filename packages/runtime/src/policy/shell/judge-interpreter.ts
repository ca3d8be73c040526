// Shells and interpreters: with a script of the workspace they are asked about, with code in an argument or on a pipe always.
import type { Argument } from './argument.ts';
import { allows, asks, asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import { readOptions } from './options.ts';
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
  // Nothing of its text can be read here, whatever it is.
  const ask = name === 'pwsh' ? insists : asksUnlessHeld;
  if (isInline) return ask('Runs the text it is given as code.', 'critical');
  if (options.at(-1)?.value === '-m' && /^(pip|pipx|uv|poetry|conda)$/.test(first?.value ?? ''))
    return judgePackages(first?.value ?? '', args.slice(at + 1));
  if (options.some(({ value }) => value === '-m' || value === '--test'))
    return asks('Runs code from this repository.', 'high');
  if (first === undefined || first.value === '-')
    return (shells.has(name) ? insists : asksUnlessHeld)('Runs whatever it is fed as code.', 'critical');
  const against = touchPlaces([first], 'read', scene).map((one) => ({ ...one, risk: 'critical' as const }));
  return strictest([asks('Runs a script.', 'high'), ...against]);
}

/** Package managers: what they download and which scripts they run is never seen in the line. */
const managers = new Set(
  'npm pnpm yarn bun pip pip3 pipx poetry uv conda gem bundle composer cargo go corepack'.split(' '),
);

const runs =
  /^(run|run-script|test|t|tst|start|stop|restart|build|check|clippy|fmt|vet|bench|doc|tree|metadata|lint|version|clean|list|show|freeze)$/;
const outgoing =
  /^(install|i|ci|add|update|upgrade|up|get|mod|download|sync|exec|x|dlx|create|init|link|rebuild|publish|login|logout|adduser|whoami|ping|view|v|info|search|outdated|audit|fund|owner|token|team|access|dist-tag|deprecate|config|set|c|cache|prefix-set|remove|rm|uninstall|un|dedupe|prune|pack|import|global|tool|self|env|remote|require|generate)$/;

export function isPackageManager(name: string): boolean {
  return managers.has(name);
}

export function judgePackages(name: string, args: readonly Argument[]): Finding {
  const words = args.filter(({ kind, value }) => kind === 'exact' && !value.startsWith('-'));
  const [first] = words;
  const steered = args.find(
    ({ kind, value }) =>
      kind !== 'exact' ||
      /^(-C|-c|--prefix|--cwd|--dir|--script-shell|--node-options|--call|--manifest-path|--config|--userconfig|--globalconfig|--exec|-exec|-toolexec)\b/.test(
        value,
      ),
  );
  const isOutgoing = (steered ? words : words.slice(0, 1)).some(({ value }) => outgoing.test(value));
  if (steered && !isOutgoing)
    return asksUnlessHeld(`${steered.text} lets it work elsewhere or start something else.`, 'critical');
  const command = first?.value ?? '';
  if (name === 'npm' && /^(ls|list|ll|root|prefix)$/.test(command)) return judgeListing(args);
  if (isOutgoing || command === '')
    return insists('Reaches the network, or runs scripts of packages and of this repository.', 'high');
  const reason = `Runs scripts from this repository.`;
  return runs.test(command) || name === 'cargo' || name === 'go' || name === 'yarn' || name === 'pnpm'
    ? asks(reason, 'high')
    : asksUnlessHeld(reason, 'high');
}

function judgeListing(args: readonly Argument[]): Finding {
  const { fault } = readOptions(args, {
    flags: 'alp',
    long: 'all json long parseable production',
    longValues: 'depth omit include',
  });
  return fault ? asks(fault.reason) : allows('Only lists packages.');
}

// `ps`: behind a dash `e` stands for all processes, without one for their environments, which hold keys. Letters that make no sense
// behind a dash, as in `ps -auxe`, are read as if there were none.
const unix = /^-[AaedfFlHjTyLw]*(?:[opCt].*)?$/;
const takesNext = /^-[AaedfFlHjTyLw]*[opCt]$/;

/** What speaks against it. */
export function judgePs(args: readonly Argument[]): Finding | undefined {
  const words = args.map(({ value }) => value);
  const options = words.filter((_, i) => i === 0 || !takesNext.test(words[i - 1] ?? ''));
  if (words.some((word) => /env/i.test(word)) || options.some(mayShowEnvironment))
    return insists('It may show the environment of other processes, which holds keys.');
  const isOdd = options.some((word) => /^[a-zA-Z]/.test(word) && !/^[auxfwlj]+$/.test(word));
  return isOdd ? asks('ps may show what other programs were told.') : undefined;
}

function mayShowEnvironment(word: string): boolean {
  if (word.startsWith('--')) return false;
  if (!word.startsWith('-')) return /e/i.test(word);
  return /e/i.test(word) && !unix.test(word);
}
