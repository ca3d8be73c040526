// npm, pnpm, yarn and bun: the manifest script that a command names, its pre and post scripts, and the settings of the runner.
import { digest } from '../../platform/digest.ts';
import {
  deeperStep,
  type Family,
  type FollowStep,
  foldersUpward,
  isNew,
  joinPath,
  operandAt,
  type Word,
} from '../step.ts';
import { configure, namedPackages, printNamed, readScripts, type Scripts } from './package-settings.ts';

type Here = FollowStep & { cwd: string };

// `preprepare` and `postprepare` run even when the manifest has no `prepare`.
const installing = [
  ...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
  ...['predependencies', 'dependencies', 'postdependencies'],
];
const lifecycles: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    test: ['test'],
    start: ['start'],
    stop: ['stop'],
    restart: ['restart', 'stop', 'start'],
    install: installing,
    pack: ['prepack', 'prepare', 'postpack'],
    publish: ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'],
    version: ['version'],
    rebuild: installing,
  }),
);

const shortNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ t: 'test', tst: 'test', rb: 'rebuild' },
    ...{ i: 'install', in: 'install', ci: 'install', it: 'install', add: 'install', update: 'install' },
    ...{ up: 'install', upgrade: 'install', link: 'install', dedupe: 'install', uninstall: 'install' },
    ...{ remove: 'install', rm: 'install', un: 'install', prune: 'install' },
  }),
);

const otherPackages =
  /^(?:-w|-ws|-r|-F|--workspace|--workspaces|--recursive|--filter|--include-workspace-root)(?:=|$)/;
const naming = /^(?:npm (?:-w|--workspace)|(?:pnpm|bun) --filter|pnpm -F)(?:=(.*))?$/s;
const steering = /^--(?:script-shell|shell|node-options|userconfig|globalconfig|call)(?:=|$)/;
const folderOption = /^(?:-C|--prefix|--cwd|--dir)(?:=(.*))?$/;

export const runsPackages: Family = (words, step, name) => {
  const { recorder } = step;
  const { args, cwd, unclear, packages } = readOptions(words, step, name);
  if (cwd === undefined) return;
  const folder = foldersUpward(cwd).find((candidate) => recorder.names(candidate).has('package.json'));
  configure(name, { ...step, cwd: folder ?? cwd });
  if (unclear !== undefined) recorder.giveUp(`What ${unclear} takes is not known, so neither is the script.`);
  if (folder === undefined) recorder.giveUp('There is no package.json here.');
  else if (unclear !== undefined) recorder.file(joinPath(folder, 'package.json'));
  else
    for (const packageFolder of packages ?? [folder])
      runArgs(name, args, words, { ...step, cwd: packageFolder });
};

function runArgs(name: string, args: readonly Word[], words: readonly Word[], step: Here): void {
  const [command, first] = args;
  const scripts = readScripts(step);
  if (scripts === undefined) return;
  if (command === undefined && args.length > 0)
    step.recorder.giveUp('It is unknown before the run which script it runs.');
  else if (command === 'run' || command === 'run-script') runNamed(name, first, scripts, step);
  else if (command === 'exec' || command === 'x' || command === 'dlx')
    followBin(words.includes('--') ? words.slice(words.indexOf('--') + 1) : args.slice(1), step);
  else runCommand(name, command ?? (name === 'yarn' ? 'install' : ''), args.slice(1), scripts, step);
}

const alone =
  /^(?:-[sdqfyl]+|--(?:no-[\w-]+|silent|quiet|verbose|if-present|ignore-scripts|foreground-scripts|force|offline|prefer-offline|production|json|frozen-lockfile|immutable|bail|parallel|yes))$/;

const longNames =
  'script-shell shell node-options userconfig globalconfig call workspace workspaces recursive filter include-workspace-root prefix cwd dir'.split(
    ' ',
  );

/** npm accepts the beginning of an option for the whole option. */
function spelledOut(word: Word): Word {
  const [, name = '', rest = ''] = /^--([a-z][a-z-]+)(=.*)?$/s.exec(word ?? '') ?? [];
  const full =
    name === '' || alone.test(`--${name}`)
      ? undefined
      : longNames.find((longName) => longName.startsWith(name));
  return full === undefined ? word : `--${full}${rest}`;
}

/** The words that are no options, the folder the runner works in, and an option that may or may not take the next word. */
function readOptions(
  words: readonly Word[],
  { recorder, cwd }: Here,
  name: string,
): { args: Word[]; cwd: string | undefined; unclear: string | undefined; packages: string[] | undefined } {
  const args: Word[] = [];
  let packages: string[] | undefined;
  let folder: string | undefined = cwd;
  let unclear: string | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = spelledOut(words[i]);
    // The words after `--` belong to the script.
    if (word === '--') break;
    if (word === undefined || !word.startsWith('-')) args.push(word);
    else if (steering.test(word)) {
      recorder.giveUp(`${word} decides what it starts.`);
      printNamed(word.includes('=') ? word : (words[++i] ?? ''), cwd, recorder);
    } else if (otherPackages.test(word)) {
      const isNaming = naming.exec(`${name} ${word}`);
      const namedFolders = isNaming ? namedPackages(isNaming[1] ?? words[++i], recorder) : [];
      if (namedFolders.length > 0) packages = [...(packages ?? []), ...namedFolders];
      else {
        recorder.giveUp(`${word} makes it run scripts of other packages.`);
        for (const path of recorder.find('', /^package\.json$/)) recorder.file(path);
      }
    } else if (folderOption.test(word)) {
      const value = folderOption.exec(word)?.[1] ?? words[++i];
      folder = value === undefined ? undefined : recorder.resolve(cwd, value);
      if (folder === undefined) recorder.giveUp('It is unknown before the run in which folder it works.');
    } else if (isUnclear(word, words[i + 1], args)) unclear ??= word;
  }
  return { args, cwd: folder, unclear, packages };
}

// Once the script is named, an option cannot hide another script.
function isUnclear(option: string, next: Word, args: readonly Word[]): boolean {
  const needed = args[0] === undefined || /^(?:run|run-script|exec|x|dlx)$/.test(args[0]) ? 2 : 1;
  return (
    !alone.test(option) && !option.includes('=') && next?.startsWith('-') !== true && args.length < needed
  );
}

// The runner's own commands, which take precedence over scripts of the same name.
const ownWords =
  /^(?:audit|bin|cache|config|create|deploy|env|fetch|import|info|init|licenses|list|ls|login|logout|node|npm|outdated|owner|patch|pm|policies|repl|root|server|set|setup|store|unlink|versions|why|workspace|workspaces)$/;

function runCommand(
  name: string,
  command: string,
  args: readonly Word[],
  scripts: Scripts,
  step: Here,
): void {
  const lifecycle = lifecycles.get(shortNames.get(command) ?? command);
  // `bun test` and `bun build` run no manifest script: only their settings files are printed.
  if (name === 'bun' && /^(?:test|build)$/.test(command)) return;
  if (name === 'bun' && /\.[cm]?[jt]sx?$/.test(command))
    step.follow(['node', command, ...args], deeperStep(step));
  else if (lifecycle !== undefined) runLifecycle(name, lifecycle, scripts, step);
  else if (name === 'npm' || ownWords.test(command))
    step.recorder.giveUp(`What ${name} ${command} runs is not known.`);
  else if (scripts.has(command)) runScript(name, command, scripts, step);
  else followBin([command, ...args], step);
}

const locks = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

function runLifecycle(name: string, known: readonly string[], scripts: Scripts, step: Here): void {
  const { recorder, cwd } = step;
  const [first = ''] = known;
  for (const script of known) if (scripts.has(script)) runScript(name, script, scripts, step);
  if (/^(?:test|start|stop)$/.test(first) && !scripts.has(first))
    recorder.giveUp(`package.json has no script ${first}.`);
  if (first === 'start') recorder.file(joinPath(cwd, 'server.js'));
  if (!known.includes('install')) return;
  // The lock files decide which packages are installed, and so whose scripts run; packages of the workspace are among them.
  for (const path of [...locks, 'binding.gyp']) recorder.file(joinPath(cwd, path));
  for (const path of recorder.find(cwd, /^package\.json$/)) recorder.file(path);
}

function runNamed(name: string, script: Word, scripts: Scripts, step: Here): void {
  if (script === undefined || !scripts.has(script))
    step.recorder.giveUp(`package.json has no script ${script ?? 'of that name'}.`);
  else runScript(name, script, scripts, step);
}

/** The script with its pre and post scripts; the programs they start are followed. */
function runScript(name: string, script: string, scripts: Scripts, step: Here): void {
  const { recorder, cwd } = step;
  if (!isNew(step, `script ${script}`)) return;
  const bins = foldersUpward(cwd).map((folder) => joinPath(folder, 'node_modules/.bin'));
  for (const scriptName of [`pre${script}`, script, `post${script}`]) {
    const body = scripts.get(scriptName);
    if (body === undefined) continue;
    const manifest = joinPath(cwd, 'package.json');
    recorder.print(`${manifest} ${scriptName}`, digest(body));
    recorder.run(
      scriptName === 'test' || scriptName === 'start'
        ? `${name} ${scriptName} runs`
        : `${name} run ${scriptName} runs`,
      body,
    );
    step.followText(body, deeperStep(step, { bins }));
  }
}

function followBin(words: readonly Word[], step: Here): void {
  const bins = foldersUpward(step.cwd).map((folder) => joinPath(folder, 'node_modules/.bin'));
  const at =
    operandAt(words, {
      alone: /^(?:-y|-q|--yes|--no|--no-install|--quiet|--silent|--offline|--prefer-offline|--bun)$/,
    }) ?? -1;
  const [name] = words.slice(at);
  const isHere = name !== undefined && bins.some((bin) => step.recorder.names(bin).has(name));
  if (at < 0 || !isHere) step.recorder.giveUp(`${name ?? 'What it runs'} may be downloaded when it runs.`);
  else step.follow(words.slice(at), deeperStep(step, { bins }));
}

/** `npx x` and the like. */
export const runsBin: Family = (args, step) => {
  configure('npm', step);
  const folder = foldersUpward(step.cwd).find((candidate) =>
    step.recorder.names(candidate).has('package.json'),
  );
  if (folder !== undefined) readScripts({ ...step, cwd: folder });
  followBin(args, step);
};
