// Judges shells and interpreters: a script of the workspace needs approval; code in an argument or from a pipe needs it every time.
import { type Phrase, phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import { allows, alwaysAsks, asks, asksUnlessHeld, type Judgement, strictest } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { readOptions } from '../options.ts';
import { touchPlaces } from '../places/touch-places.ts';

const shells = new Set('sh bash dash zsh ksh mksh ash fish csh tcsh rbash pwsh'.split(' '));
const interpreters =
  /^(python|pypy|ipython)[\d.]*$|^(perl|ruby|php|lua|node)[\d.]*$|^(nodejs|luajit|tclsh|wish|Rscript|R|julia|guile|racket|sbcl|clisp|groovy|jshell|elixir|iex|erl|escript|irb|gjs|qjs|deno|bun|ghci|runghc|ocaml|swipl|gst|octave)$/;

export function isInterpreter(name: string): boolean {
  return shells.has(name) || interpreters.test(name);
}

/** `readScript` judges the text of a shell's `-c`. */
export function judgeInterpreter(
  name: string,
  args: readonly Argument[],
  state: LineState,
  readScript: (script: string) => void,
): Judgement {
  const at = args.findIndex(({ kind, value }) => kind !== 'exact' || !/^[-+]./.test(value));
  const options = at < 0 ? args : args.slice(0, at);
  const isInline = options.some(({ value }) =>
    /^-[a-zA-Z]*[cerEsp]|^--(eval|print|exec|run|require|import|init-file|rcfile)\b/.test(value),
  );
  const first = at < 0 ? undefined : args[at];
  if (isInline && first?.kind === 'exact' && shells.has(name)) readScript(first.value);
  // The text of a PowerShell program is not parsed here, so a human is always asked.
  const judgement = name === 'pwsh' ? alwaysAsks : asksUnlessHeld;
  const loads = options.find(({ value }) => /^-r$|^--(require|import|init-file|rcfile)\b/.test(value));
  if (isInline && loads)
    return judgement(phrase('program.runsScriptAfter', { option: loads.text }), 'critical');
  if (isInline) return judgement(phrase('program.runsText'), 'critical');
  if (options.at(-1)?.value === '-m' && /^(pip|pipx|uv|poetry|conda)$/.test(first?.value ?? ''))
    return judgePackages(first?.value ?? '', args.slice(at + 1));
  if (options.some(({ value }) => value === '-m' || value === '--test'))
    return asks(phrase('program.runsRepository'), 'high');
  if (first === undefined || first.value === '-')
    return (shells.has(name) ? alwaysAsks : asksUnlessHeld)(phrase('program.runsInput'), 'critical');
  // Scripts in /tmp are not reviewed, so no rule is remembered for them.
  const against = touchPlaces([first], 'read', { ...state, tmp: undefined }).map((objection) => ({
    ...objection,
    risk: 'critical' as const,
  }));
  return strictest([asks(phrase('program.runsScript'), 'high'), ...against]);
}

/** Package managers: the line does not show what they download or which scripts they run. */
const managers = new Set(
  'npm pnpm yarn bun pip pip3 poetry uv conda gem bundle composer cargo go corepack'.split(' '),
);

const runs =
  /^(run|run-script|test|t|tst|start|stop|restart|build|check|clippy|fmt|vet|bench|doc|tree|metadata|lint|version|clean|list|show|freeze)$/;
const outgoing =
  /^(install|i|ci|add|update|upgrade|up|get|mod|download|sync|exec|x|dlx|create|init|link|rebuild|publish|login|logout|adduser|whoami|ping|view|v|info|search|outdated|audit|fund|owner|token|team|access|dist-tag|deprecate|config|set|c|cache|prefix-set|remove|rm|uninstall|un|dedupe|prune|pack|import|global|tool|self|env|remote|require|generate)$/;

export function isPackageManager(name: string): boolean {
  return managers.has(name);
}

export function judgePackages(name: string, args: readonly Argument[]): Judgement {
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
    return asksUnlessHeld(phrase('packages.steered', { word: steered.text }), 'critical');
  const command = first?.value ?? '';
  if (name === 'npm' && /^(ls|list|ll)$/.test(command)) return judgeListing(args);
  // Installed gems.
  if (name === 'bundle' && command === 'exec' && /^(rspec|rake|rubocop)$/.test(words[1]?.value ?? ''))
    return asks(phrase('program.runsRepository'), 'high');
  const pair = `${name} ${command} ${words[1]?.value ?? ''}`;
  if (/^go mod (init|edit|graph|why|verify)$/.test(pair)) return asks(phrase('packages.goMod'));
  if (/^uv pip (install|sync|uninstall|compile)$/.test(pair))
    return alwaysAsks(whyOutgoing('pip', 'install'), 'high');
  if (isOutgoing || command === '') return alwaysAsks(whyOutgoing(name, command), 'high');
  const reason = phrase(/^(cargo|go)$/.test(name) ? 'packages.builds' : 'packages.scripts');
  return runs.test(command) || name === 'cargo' || name === 'go' || name === 'yarn' || name === 'pnpm'
    ? asks(reason, 'high')
    : asksUnlessHeld(reason, 'high');
}

const installs =
  /^(install|i|ci|add|update|upgrade|up|get|download|sync|dedupe|require|remove|rm|uninstall|un|prune|rebuild|link|import|mod)$/;
const asksRegistry = /^(view|v|info|search|outdated|audit|fund|ping)$/;
const publishes = /^(publish|deprecate|owner|access|team|dist-tag)$/;
const signsIn = /^(login|logout|adduser|token|whoami)$/;

function whyOutgoing(name: string, command: string): Phrase {
  if (asksRegistry.test(command)) return phrase('packages.registry');
  if (publishes.test(command)) return phrase('packages.publishes');
  if (signsIn.test(command)) return phrase('packages.signsIn');
  if (/^(exec|x|dlx|create|init)$/.test(command)) return phrase('packages.downloads');
  if (installs.test(command) || (command === '' && /^(yarn|bundle|composer)$/.test(name)))
    return phrase('packages.installs');
  if (command === '') return phrase('packages.byOptions', { name });
  return phrase('packages.settings', { name });
}

function judgeListing(args: readonly Argument[]): Judgement {
  const { fault } = readOptions(args, {
    flags: 'alp',
    long: 'all json long parseable production',
    longValues: 'depth omit include',
  });
  return fault ? asks(fault.reason) : allows(phrase('packages.lists'));
}

// `ps`: after a dash, `e` means all processes; without one it shows environments, which hold keys. Letters that are invalid after a dash,
// as in `ps -auxe`, are read as if there were no dash.
const unix = /^-[AaedfFlHjTyLw]*(?:[opCt].*)?$/;
const takesNext = /^-[AaedfFlHjTyLw]*[opCt]$/;

/** The judgement on `ps`; undefined when it is harmless. */
export function judgePs(args: readonly Argument[]): Judgement | undefined {
  const words = args.map(({ value }) => value);
  const options = words.filter((_, i) => i === 0 || !takesNext.test(words[i - 1] ?? ''));
  if (words.some((word) => /env/i.test(word)) || options.some(mayShowEnvironment))
    return alwaysAsks(phrase('program.otherEnvironments'));
  const isOdd = options.some((word) => /^[a-zA-Z]/.test(word) && !/^[auxfwlj]+$/.test(word));
  return isOdd ? asks(phrase('program.otherPrograms')) : undefined;
}

function mayShowEnvironment(word: string): boolean {
  if (word.startsWith('--')) return false;
  if (!word.startsWith('-')) return /e/i.test(word);
  return /e/i.test(word) && !unix.test(word);
}
