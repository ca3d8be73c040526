// make: the makefile, the files it includes, and the recipe that is asked for.
import { below, deeper, type Family, isNew, quiet, type Step, type Word } from './step.ts';

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
type Named = { option: string; value: Word };

const longNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ file: 'f', makefile: 'f', directory: 'C', 'include-dir': 'I', eval: 'E' },
    ...{ 'old-file': 'o', 'assume-old': 'o', 'what-if': 'W', 'new-file': 'W', 'assume-new': 'W' },
  }),
);
const longFlags =
  /^--(?:always-make|debug|dry-run|just-print|recon|environment-overrides|ignore-errors|jobs|keep-going|load-average|max-load|touch|question|quiet|silent|no-silent|no-builtin-rules|no-builtin-variables|no-print-directory|print-directory|print-data-base|stop|no-keep-going|trace|version|help|warn-undefined-variables|output-sync|shuffle|check-symlink-times)(?:=.*)?$/;

function readOptions(args: readonly Word[], { recorder, cwd }: Here): MakeOptions {
  const found: MakeOptions = { cwd, files: [], folders: [], targets: [] };
  const named: Named[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) recorder.giveUp('Which target it makes, only running would tell.');
    else if (word.startsWith('-')) {
      const option = readOption(word, args[i + 1]);
      if (option === undefined) recorder.giveUp(`What ${word} makes of it is not known.`);
      if (option?.isNext) i++;
      if (option?.named) named.push(option.named);
    } else if (/^(?:SHELL|\.SHELLFLAGS|MAKE\w*)\s*[:+?]?=/.test(word))
      recorder.giveUp(`${word} decides what make starts.`);
    else if (!word.includes('=')) found.targets.push(word);
  }
  if (named.some(({ option }) => option === 'E')) recorder.giveUp('It is given text that it reads as rules.');
  // Each folder is taken from the one before it, and files from the last one.
  for (const { option, value } of named.filter((one) => one.option === 'C'))
    found.cwd = found.cwd === undefined ? undefined : placeOf(option, value, found.cwd, recorder);
  for (const { option, value } of named.filter((one) => one.option === 'f' || one.option === 'I')) {
    const path = found.cwd === undefined ? undefined : placeOf(option, value, found.cwd, recorder);
    if (path !== undefined) (option === 'I' ? found.folders : found.files).push(path);
  }
  return found;
}

/** `-sf x.mk`, `--file=x.mk`: letters stand together, and the first that takes a value takes the rest. */
function readOption(word: string, next: Word): { named?: Named; isNext?: boolean } | undefined {
  const [, long, joined] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (long !== undefined) {
    const option = longNames.get(long);
    if (option === undefined) return longFlags.test(word) ? {} : undefined;
    return { named: { option, value: joined ?? next }, isNext: joined === undefined };
  }
  const [, option, value] = /^-[bBdehikLmnpqrRsStvw]*([fCIoWE])(.*)$/s.exec(word) ?? [];
  if (option !== undefined)
    return { named: { option, value: value === '' ? next : value }, isNext: value === '' };
  if (/^-[bBdehikLmnpqrRsStvw]*[jl]$/.test(word)) return { isNext: /^[\d.]+$/.test(next ?? '') };
  return /^-[bBdehikLmnpqrRsStvw]*(?:[jlO][\w.]*)?$/.test(word) ? {} : undefined;
}

function placeOf(option: string, value: Word, cwd: string, recorder: Step['recorder']): string | undefined {
  if (value !== undefined) return recorder.resolve(cwd, value);
  recorder.giveUp(`What ${option} names, only running would tell.`);
  return undefined;
}

// Before the first rule a line may begin with a tab; `load` takes a library.
const including = /(?:^[ \t]*|\$[({]eval[ \t]+)(?:-include|sinclude|include|-?load)[ \t]+([^#\n)}]+)/gm;
const sources = 'sh o c cc C cpp p f F m r s S mod y l'.split(' ');

/** make remakes a makefile first, by its built-in rules: from `Makefile.sh`, for example. */
function remakers(path: string, recorder: Step['recorder']): string[] {
  const at = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(at, 0));
  const names = recorder.names(folder);
  if (names.has('RCS') || names.has('SCCS')) recorder.giveUp('make may take its files from RCS or SCCS.');
  const from = [...sources.map((end) => `${path.slice(at + 1)}.${end}`), `${path.slice(at + 1)},v`];
  return from.filter((name) => names.has(name)).map((name) => below(folder, name));
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
  const included = [...text.matchAll(including)].flatMap(([, words = '']) => words.trim().split(/\s+/));
  for (const one of remakers(path, recorder)) readMakefile(one, folders, step);
  // These run as soon as the file is read.
  for (const [, inner, rest] of text.matchAll(/\$[({]shell[ \t]+([^()\n]+)|!=[ \t]*([^\n]+)/g))
    step.followText((inner ?? rest ?? '').replaceAll('$$', '$'), quiet(deeper(step)));
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
  // A class of characters is taken for any character, and folders that a pattern names for any folder below.
  const pattern = word
    .slice(at + 1)
    .replace(/\[[^\]]*\]/g, '?')
    .replace(/\*+/g, '*');
  const fixed = /^[^*?[]*\//.exec(word.slice(0, at + 1))?.[0] ?? '';
  const path = recorder.resolve(folder, fixed || '.');
  if (path === undefined) return [];
  if (pattern.split('*').length > 4) {
    recorder.giveUp(`${word} stands for too many names.`);
    return [];
  }
  const test = new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
  );
  if (fixed.length <= at) return recorder.find(path, test).sort();
  return [...recorder.names(path)]
    .sort()
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
    const lines = rule.lines.map((line) => line.replace(/^[@+-]+/, '').replace(/\$[({]MAKE[)}]/g, 'make'));
    for (const line of lines) step.followText(line.replaceAll('$$', '$'), quiet(deeper(step)));
  }
}

function readRules(text: string): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  let current: Rule[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) for (const rule of current) rule.lines.push(line.trim());
    // By hand: a pattern would take long for a line of a million blanks.
    const colon = line.indexOf(':');
    const isRule =
      colon > 0 && !/^[\s#]/.test(line) && !/[=#]/.test(line.slice(0, colon)) && line[colon + 1] !== '=';
    if (!isRule) continue;
    const targets = line.slice(0, colon).trim();
    const needs = line.slice(colon + 1).replace(/^:/, '');
    if (needs.includes('=') && !needs.includes(';')) continue;
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
