// Scripts and modules given to an interpreter, files sourced by shell scripts, and programs named by path.
import {
  deeperStep,
  type Family,
  type FollowStep,
  joinPath,
  type OptionWords,
  operandAt,
  type Word,
} from '../step.ts';

const shellNames = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|rbash)$/;
const shownChars = 600;

/** A program named by path: printed, and read when it is a script. */
export function followFile(path: string, step: FollowStep): void {
  const { recorder } = step;
  if (!recorder.file(path)) {
    recorder.giveUp(`There is no file ${path}.`);
    return;
  }
  const head = headOf(path, step);
  const [, program = '', first = ''] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  const name = program.split('/').at(-1) ?? '';
  const interpreter = name === 'env' ? first : name;
  if (program === '' && !/\.(?:sh|bash)$/.test(path)) return;
  if (program !== '' && !program.startsWith('/'))
    recorder.giveUp(`${path} names its interpreter by a relative path.`);
  if (interpreter === '' || shellNames.test(interpreter)) followScript(path, step);
  else showScript(path, step);
}

// A binary is printed as well, but has no text to read.
function headOf(path: string, { recorder }: FollowStep): string {
  return recorder.peek(path)?.slice(0, 200) ?? '';
}

/** A shell script: files it sources are part of it; other programs it starts are followed as far as their words are plain. */
function followScript(path: string, step: FollowStep): void {
  const text = step.recorder.text(path);
  if (text === undefined) return;
  showScript(path, step);
  step.followText(text, step, path);
}

function showScript(path: string, { recorder }: FollowStep): void {
  const text = recorder.peek(path);
  if (text === undefined || text.includes('\0')) return;
  const lines = text.trimEnd().split('\n').length;
  recorder.run(path, text.length <= shownChars ? text.trim() : `${lines} lines`);
}

export const sources: Family = ([word], step) => {
  const path = scriptPath(word, step);
  if (path === undefined) return;
  if (!step.recorder.file(path)) {
    step.recorder.giveUp(`${word} is looked for when it runs.`);
    return;
  }
  step.recorder.run('sources', path);
  followScript(path, deeperStep(step));
};

const shellOptions: OptionWords = {
  alone: /^(?:[-+][a-zA-Z]*|--(?:posix|norc|noprofile|login|restricted|verbose|noediting))$/,
  valued: /^(?:[-+][a-zA-Z]*[oO][a-zA-Z]*|--rcfile|--init-file)$/,
};

/** `sh -e x.sh`: the script is the first word that is no option. */
export const runsShell: Family = (args, step) => {
  const { recorder } = step;
  const at = operandAt(args, shellOptions);
  if (at === undefined || at < 0) {
    recorder.unsure('It runs its input as code.');
    return;
  }
  const options = args.slice(0, at);
  for (const [i, option] of options.entries())
    if (option === '--rcfile' || option === '--init-file') followOperand(options[i + 1], step);
  const isText = options.some((option) => option !== undefined && /^-[a-zA-Z]*c/.test(option));
  if (isText) followInline(args[at], step);
  else followOperand(args[at], { ...step, scriptArgs: args.slice(at + 1) });
};

function followInline(text: Word, step: FollowStep): void {
  if (text === undefined) step.recorder.unsure('The text it runs is known only when it runs.');
  else step.followText(text, step);
}

function followOperand(word: Word, step: FollowStep & { cwd: string }): void {
  const path = scriptPath(word, step);
  if (path === undefined) return;
  if (step.recorder.file(path)) followScript(path, deeperStep(step));
  else step.recorder.giveUp(`There is no file ${path}.`);
}

function scriptPath(word: Word, { recorder, cwd }: FollowStep & { cwd: string }): string | undefined {
  if (word !== undefined) return recorder.resolve(cwd, word);
  recorder.unsure('It is unknown before the run which script it runs.');
  return undefined;
}

const nodeOptions: OptionWords = {
  alone:
    /^--(?:no-[\w-]+|test|watch|enable-[\w-]+|trace-(?:warnings|deprecation|exit|uncaught|sync-io)|inspect(?:-brk)?|expose-gc|throw-deprecation|preserve-symlinks(?:-main)?|experimental-(?:vm-modules|strip-types|transform-types|test-coverage|sqlite|require-module))$/,
  valued:
    /^(?:-r|-C|--(?:require|import|loader|experimental-loader|env-file|conditions|test-reporter|input-type))$/,
};
const pythonOptions: OptionWords = {
  alone: /^-[bBdEiIOPqsSuvx]+$|^-[WX].+$|^--version$/,
  valued: /^-[bBdEiIOPqsSuvx]*[WX]$/,
};
const plainOptions: OptionWords = { alone: /^-[wWtTu]+$/ };
const loads = /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file)(?:=(.*))?$/;

/** `node x.js`, `ruby x.rb`. */
export const runsInterpreter: Family = (args, step, name) => {
  const task = args.findIndex((word) => /^--run(?:=|$)/.test(word ?? ''));
  if (/^node/.test(name) && task >= 0) {
    const script = /^--run=(.*)$/.exec(args[task] ?? '')?.[1] ?? args[task + 1];
    step.follow(['npm', 'run', script], deeperStep(step));
  }
  const at = operandAt(args, /^(?:node|nodejs|tsx|ts-node)$/.test(name) ? nodeOptions : plainOptions);
  if (at === undefined) step.recorder.giveUp(`Which script ${name} runs with these options is not known.`);
  for (const [i, word] of args.slice(0, at === undefined || at < 0 ? args.length : at).entries()) {
    const match = loads.exec(word ?? '');
    const value = match === null ? undefined : (match[1] ?? args[i + 1]);
    if (value !== undefined && /^\.{0,2}\//.test(value)) followCode(value, step);
    else printValue(word, step);
  }
  if (at !== undefined && at >= 0) followCode(args[at], step);
  else if (at !== undefined && !args.some((word) => notFed.test(word ?? '')))
    step.recorder.unsure('It runs its input as code.');
};

// With these options the interpreter does not run its input.
const notFed = /^(?:-[vVh]|--(?:version|help|test|run|v8-options)(?:=.*)?)$/;

/** `--env-file=.env`, `--test-reporter=./r.js`: a file named by any option may decide what is loaded. */
function printValue(word: Word, { recorder, cwd }: FollowStep & { cwd: string }): void {
  const value = word?.startsWith('-') ? /=(.+)$/s.exec(word)?.[1] : word;
  const path = value === undefined ? undefined : recorder.quietly().resolve(cwd, value);
  if (path !== undefined && path !== '') recorder.file(path);
}

/** `python3 x.py`, `python3 -m mod`. */
export const runsPython: Family = (args, step, name) => {
  const module = args.findIndex((word) => word !== undefined && /^-[bBdEiIOPqsSuvx]*m/.test(word));
  const at = operandAt(module < 0 ? args : args.slice(0, module), pythonOptions);
  if (at === undefined) step.recorder.giveUp(`Which script ${name} runs with these options is not known.`);
  else if (at >= 0) followCode(args[at], step);
  else if (module >= 0) {
    const joined = /^-[bBdEiIOPqsSuvx]*m(.+)$/.exec(args[module] ?? '')?.[1];
    const rest = args.slice(module + 1);
    followModule(joined ?? rest[0], joined === undefined ? rest.slice(1) : rest, step);
  } else if (!args.some((word) => notFed.test(word ?? '')))
    step.recorder.unsure('It runs its input as code.');
};

function followCode(word: Word, step: FollowStep & { cwd: string }): void {
  const { recorder } = step;
  const path = scriptPath(word, step);
  if (path === undefined) return;
  const candidates = ['', '.js', '.cjs', '.mjs', '.ts', '.json'].map((end) => `${path}${end}`);
  const inside = [...mainOf(path, step), joinPath(path, 'index.js'), joinPath(path, '__main__.py')];
  // Which candidate is taken differs between interpreters, so all of them are printed.
  const [script] = [...(path === '' ? [] : candidates), ...inside].filter((candidate) =>
    recorder.file(candidate),
  );
  if (script === undefined) recorder.giveUp(`There is no file ${path}.`);
  else showScript(script, step);
}

/** The files that the manifest of a folder names as entry points. */
function mainOf(folder: string, { recorder }: FollowStep): string[] {
  if (!recorder.names(folder).has('package.json')) return [];
  const text = recorder.text(joinPath(folder, 'package.json')) ?? '';
  return [...text.matchAll(/"main"\s*:\s*"([^"\\]+)"/g)].flatMap(([, main = '']) => {
    const path = recorder.resolve(folder, main);
    return path === undefined ? [] : [path, `${path}.js`, joinPath(path, 'index.js')];
  });
}

// Python searches the folder it is started in before the installed modules.
function followModule(module: Word, args: readonly Word[], step: FollowStep & { cwd: string }): void {
  const { recorder, cwd } = step;
  if (module === undefined) {
    recorder.giveUp('It is unknown before the run which module it runs.');
    return;
  }
  const names = module.split('.');
  for (let depth = 1; depth <= names.length; depth++) {
    const path = joinPath(cwd, names.slice(0, depth).join('/'));
    const files = depth === names.length ? ['.py', '/__init__.py', '/__main__.py'] : ['.py', '/__init__.py'];
    for (const end of files) {
      const isShown = recorder.file(`${path}${end}`) && end !== '/__init__.py';
      if (isShown) showScript(`${path}${end}`, step);
    }
  }
  step.follow([module, ...args], deeperStep({ ...step, recorder: withoutProgram(step) }));
}

// `python3 -m pytest` uses the same settings files as `pytest`, but does not start a program of that name.
function withoutProgram({ recorder }: FollowStep): FollowStep['recorder'] {
  return { ...recorder.quietly(), program: () => undefined };
}
