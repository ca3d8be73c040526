// make, just and task: the file that says what runs, the files it includes, and the recipe that is asked for.
import { below, deeper, type Family, isNew, quiet, type Step, upward, type Word } from './step.ts';

type Here = Step & { cwd: string };

const maxTargets = 40;

export const runsMake: Family = (args, step, name) => {
  const { recorder } = step;
  const { cwd, files, folders, targets } = readOptions(args, step);
  if (cwd === undefined) return;
  const here = { ...step, cwd };
  const names = recorder.names(cwd);
  const usual = ['GNUmakefile', 'makefile', 'Makefile'].find((one) => names.has(one));
  const roots = files.length > 0 ? files : usual === undefined ? [] : [below(cwd, usual)];
  if (roots.length === 0) recorder.giveUp('There is no makefile here.');
  const text = roots.map((path) => readMakefile(path, folders, here)).join('\n');
  showRecipes(name, targets, text, here);
};

type MakeOptions = { cwd: string | undefined; files: string[]; folders: string[]; targets: string[] };

function readOptions(args: readonly Word[], { recorder, cwd }: Here): MakeOptions {
  const found: MakeOptions = { cwd, files: [], folders: [], targets: [] };
  const named: { option: string; value: Word }[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    const [, option = '', value = ''] =
      /^(-[fCI]|--(?:file|makefile|directory|include-dir)(?==|$))=?(.*)$/.exec(word ?? '') ?? [];
    if (word === undefined) recorder.giveUp('Which target it makes, only running would tell.');
    else if (/^(?:-E|--eval)/.test(word)) recorder.giveUp(`${word} is text that make reads as rules.`);
    else if (option !== '') named.push({ option, value: value === '' ? args[++i] : value });
    else if (
      /^(?:-[joWl]|--(?:jobs|old-file|what-if|load-average))$/.test(word) &&
      /^[\d.]+$/.test(args[i + 1] ?? '')
    )
      i++;
    else if (!/^-|=/.test(word)) found.targets.push(word);
  }
  // Each folder is taken from the one before it, and files from the last one.
  for (const { option, value } of named.filter((one) => /C|directory/.test(one.option)))
    found.cwd = found.cwd === undefined ? undefined : placeOf(option, value, found.cwd, recorder);
  for (const { option, value } of named.filter((one) => !/C|directory/.test(one.option))) {
    const path = found.cwd === undefined ? undefined : placeOf(option, value, found.cwd, recorder);
    if (path !== undefined) (/I|include/.test(option) ? found.folders : found.files).push(path);
  }
  return found;
}

function placeOf(option: string, value: Word, cwd: string, recorder: Step['recorder']): string | undefined {
  if (value !== undefined) return recorder.resolve(cwd, value);
  recorder.giveUp(`What ${option} names, only running would tell.`);
  return undefined;
}

/** The text of a makefile with everything it includes. */
function readMakefile(path: string, folders: readonly string[], step: Here): string {
  const { recorder, cwd } = step;
  if (!isNew(step, path)) return '';
  const text = recorder.text(path)?.replace(/\\\r?\n/g, ' ');
  if (text === undefined) {
    recorder.giveUp(`There is no file ${path}.`);
    return '';
  }
  const included = [...text.matchAll(/^ *(?:-include|sinclude|include)[ \t]+([^#\n]+)/gm)].flatMap(
    ([, words = '']) => words.trim().split(/\s+/),
  );
  const texts = included.flatMap((word) => {
    if (/\$/.test(word)) recorder.giveUp(`${path} includes ${word}, which only running would tell.`);
    const found = [cwd, ...folders]
      .map((folder) => expand(word, folder, recorder))
      .find((one) => one.length > 0);
    return (found ?? []).map((one) => readMakefile(one, folders, deeper(step) as Here));
  });
  return [text, ...texts].join('\n');
}

/** The files that a name or a pattern in one folder stands for. */
function expand(word: string, folder: string, recorder: Step['recorder']): string[] {
  if (/\$/.test(word)) return [];
  const at = word.lastIndexOf('/');
  const path = recorder.resolve(folder, word.slice(0, at + 1) || '.');
  if (path === undefined) return [];
  const pattern = word.slice(at + 1);
  const names = [...recorder.names(path)].sort();
  const test = new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
  );
  return names
    .filter((name) => (/[*?]/.test(pattern) ? test.test(name) : name === pattern))
    .map((name) => below(path, name));
}

type Rule = { needs: string[]; lines: string[] };

function showRecipes(name: string, targets: readonly string[], text: string, step: Here): void {
  const rules = readRules(text);
  const [first] = rules.keys();
  const goal = /^[ \t]*\.DEFAULT_GOAL[ \t]*:?=[ \t]*(\S+)/m.exec(text)?.[1] ?? first;
  const left = targets.length > 0 ? [...targets] : goal === undefined ? [] : [goal];
  const done = new Set<string>();
  while (left.length > 0 && done.size < maxTargets) {
    const target = left.shift() ?? '';
    const rule = rules.get(target);
    if (rule === undefined || done.has(target)) continue;
    done.add(target);
    left.push(...rule.needs);
    if (rule.lines.length > 0) step.recorder.run(`${name} ${target} runs`, rule.lines.join('\n'));
    // Variables of make are not known here, so its lines are followed only as far as they are plain.
    const lines = rule.lines.map((line) => line.replace(/^[@+-]+/, '').replaceAll('$(MAKE)', 'make'));
    for (const line of lines) step.followText(line.replaceAll('$$', '$'), quiet(deeper(step)));
  }
}

function readRules(text: string): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  let current: Rule[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) for (const rule of current) rule.lines.push(line.trim());
    const [, targets, needs = ''] = /^([^\s:#=][^:#=]*?)[ \t]*::?(?!=)([^=\n]*)$/.exec(line) ?? [];
    if (targets === undefined) continue;
    const [plain = '', recipe] = needs.split(';', 2);
    current = targets
      .split(/\s+/)
      .filter((one) => !/^\.[A-Z]/.test(one))
      .map((target) => {
        const rule = rules.get(target) ?? { needs: [], lines: [] };
        rule.needs.push(
          ...plain
            .split('#', 1)
            .join('')
            .split(/[\s|]+/)
            .filter(Boolean),
        );
        if (recipe !== undefined) rule.lines.push(recipe.trim());
        rules.set(target, rule);
        return rule;
      });
  }
  return rules;
}

type TaskFile = {
  names: RegExp;
  option: RegExp;
  includes(text: string): { path: string; isDynamic: boolean }[];
};

const quoted = (path: string): { path: string; isDynamic: boolean } => ({
  path,
  isDynamic: /[{$*]/.test(path),
});

const taskFiles: Readonly<Record<string, TaskFile>> = {
  just: {
    names: /^\.?justfile$/i,
    option: /^(?:-f|--justfile)$/,
    includes: (text) => [
      ...[...text.matchAll(/^(?:import\??|mod\??[ \t]+\w+)[ \t]+['"]([^'"\n]+)['"]/gm)].map(([, path = '']) =>
        quoted(path),
      ),
      ...[...text.matchAll(/^mod\??[ \t]+(\w+)[ \t]*$/gm)].flatMap(([, name = '']) =>
        [`${name}.just`, `${name}/mod.just`, `${name}/justfile`, `${name}/.justfile`].map(quoted),
      ),
    ],
  },
  task: {
    names: /^taskfile(?:\.dist)?\.ya?ml$/i,
    option: /^(?:-t|--taskfile)$/,
    includes: (text) => {
      const block = /^includes:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)+)/m.exec(text)?.[1] ?? '';
      return [...block.matchAll(/^[ \t]+[\w-]+:[ \t]*["']?([^\s"'#]+)/gm)]
        .map(([, path = '']) => path)
        .filter((path) => /[./]/.test(path))
        .flatMap((path) =>
          /\.ya?ml$/.test(path) ? [path] : [`${path}/Taskfile.yml`, `${path}/Taskfile.yaml`],
        )
        .map(quoted);
    },
  },
};

/** `just` and `task`: the nearest file of theirs above, with what it includes. */
export const runsTasks: Family = (args, step, name) => {
  const kind = taskFiles[name];
  const { recorder, cwd } = step;
  if (kind === undefined) return;
  const at = args.findIndex((word) => word !== undefined && kind.option.test(word));
  const given = at < 0 ? undefined : args[at + 1];
  const found =
    given === undefined
      ? upward(cwd).flatMap((folder) =>
          [...recorder.names(folder)].filter((one) => kind.names.test(one)).map((one) => below(folder, one)),
        )[0]
      : recorder.resolve(cwd, given);
  if (found === undefined || !readTasks(found, kind, step))
    recorder.giveUp(`There is no file here that tells ${name} what to run.`);
};

function readTasks(path: string, kind: TaskFile, step: Here): boolean {
  const { recorder } = step;
  if (!isNew(step, path)) return true;
  const text = recorder.text(path);
  if (text === undefined) return false;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  for (const { path: included, isDynamic } of kind.includes(text)) {
    if (isDynamic) recorder.giveUp(`${path} includes ${included}, which only running would tell.`);
    const place = isDynamic ? undefined : recorder.resolve(folder, included);
    if (place !== undefined) readTasks(place, kind, step);
  }
  return true;
}
