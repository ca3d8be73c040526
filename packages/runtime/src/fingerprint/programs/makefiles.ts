// make: the makefile, the files it includes, and the recipe of the requested target.

import { deeperStep, type Family, type FollowStep, isNew, joinPath, type Word } from '../step.ts';
import { runLine, showRecipes } from './make-recipes.ts';
import { readMakeVariables, shellTexts } from './make-variables.ts';

type Here = FollowStep & { cwd: string };

export const runsMake: Family = (args, step, name) => {
  const { recorder } = step;
  const { cwd, files, folders, targets, assignments } = readOptions(args, step);
  if (cwd === undefined) return;
  const stepInFolder = { ...step, cwd };
  const names = recorder.names(cwd);
  const usual = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => names.has(name));
  const roots = files.length > 0 ? files : usual === undefined ? [] : [joinPath(cwd, usual)];
  if (roots.length === 0) recorder.giveUp('There is no makefile here.');
  const texts = roots.map((path) => readMakefile(path, folders, stepInFolder)).join('\n');
  const variables = readMakeVariables(texts, assignments);
  // make runs `$(shell …)` texts as soon as it reads the files.
  for (const text of shellTexts(texts)) runLine(text, variables, stepInFolder);
  for (const shell of variables.get('SHELL') ?? [])
    if (shell !== '/bin/sh') runLine(shell, variables, stepInFolder);
  if (/^[ ]*\.RECIPEPREFIX\b|\$[({](?:guile|file|eval)\b/m.test(texts))
    recorder.unsure('The makefile is not read in the usual way.');
  showRecipes(name, targets, { text: texts, variables }, stepInFolder);
};

type MakeOptions = {
  cwd: string | undefined;
  files: string[];
  folders: string[];
  targets: string[];
  /** Variables set on the command line. */
  assignments: string[];
};
type NamedOption = { option: string; value: Word };

const longNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ file: 'f', makefile: 'f', directory: 'C', 'include-dir': 'I', eval: 'E' },
    ...{ 'old-file': 'o', 'assume-old': 'o', 'what-if': 'W', 'new-file': 'W', 'assume-new': 'W' },
  }),
);
const longFlags =
  /^--(?:always-make|debug|dry-run|just-print|recon|environment-overrides|ignore-errors|jobs|keep-going|load-average|max-load|touch|question|quiet|silent|no-silent|no-builtin-rules|no-builtin-variables|no-print-directory|print-directory|print-data-base|stop|no-keep-going|trace|version|help|warn-undefined-variables|output-sync|shuffle|check-symlink-times)(?:=.*)?$/;

function readOptions(args: readonly Word[], { recorder, cwd }: Here): MakeOptions {
  const makeOptions: MakeOptions = { cwd, files: [], folders: [], targets: [], assignments: [] };
  const namedOptions: NamedOption[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) recorder.giveUp('It is unknown before the run which target it makes.');
    else if (word.startsWith('-')) {
      const option = readOption(word, args[i + 1]);
      if (option === undefined) recorder.giveUp(`What ${word} makes of it is not known.`);
      if (option?.isNext) i++;
      if (option?.named) namedOptions.push(option.named);
    } else if (/^(?:SHELL|\.SHELLFLAGS|MAKE\w*)\s*[:+?]?=/.test(word))
      recorder.giveUp(`${word} decides what make starts.`);
    else (word.includes('=') ? makeOptions.assignments : makeOptions.targets).push(word);
  }
  if (namedOptions.some(({ option }) => option === 'E'))
    recorder.giveUp('It is given text that it reads as rules.');
  // Each -C folder is relative to the one before it, and files are relative to the last one.
  for (const { option, value } of namedOptions.filter((entry) => entry.option === 'C'))
    makeOptions.cwd =
      makeOptions.cwd === undefined ? undefined : placeOf(option, value, makeOptions.cwd, recorder);
  for (const { option, value } of namedOptions.filter(
    (entry) => entry.option === 'f' || entry.option === 'I',
  )) {
    const path =
      makeOptions.cwd === undefined ? undefined : placeOf(option, value, makeOptions.cwd, recorder);
    if (path !== undefined) (option === 'I' ? makeOptions.folders : makeOptions.files).push(path);
  }
  return makeOptions;
}

/** `-sf x.mk`, `--file=x.mk`: short options can be joined, and the first one with a value takes the rest of the word. */
function readOption(word: string, next: Word): { named?: NamedOption; isNext?: boolean } | undefined {
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

function placeOf(
  option: string,
  value: Word,
  cwd: string,
  recorder: FollowStep['recorder'],
): string | undefined {
  if (value !== undefined) return recorder.resolve(cwd, value);
  recorder.giveUp(`It is unknown before the run what ${option} names.`);
  return undefined;
}

// Before the first rule a line may begin with a tab; `load` loads a library.
const including = /(?:^[ \t]*|\$[({]eval[ \t]+)(?:-include|sinclude|include|-?load)[ \t]+([^#\n)}]+)/gm;
const sources = 'sh o c cc C cpp p f F m r s S mod y l'.split(' ');

/** make first remakes the makefile with its built-in rules, for example from `Makefile.sh`. */
function remakers(path: string, recorder: FollowStep['recorder']): string[] {
  const at = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(at, 0));
  const names = recorder.names(folder);
  if (names.has('RCS') || names.has('SCCS')) recorder.giveUp('make may take its files from RCS or SCCS.');
  const from = [...sources.map((end) => `${path.slice(at + 1)}.${end}`), `${path.slice(at + 1)},v`];
  return from.filter((name) => names.has(name)).map((name) => joinPath(folder, name));
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
  for (const source of remakers(path, recorder)) readMakefile(source, folders, step);
  const texts = included.flatMap((word) => {
    if (/\$/.test(word)) recorder.giveUp(`${path} includes ${word}, which is unknown before the run.`);
    const makefile = [cwd, ...folders]
      .map((folder) => expand(word, folder, recorder))
      .find((files) => files.length > 0);
    return (makefile ?? []).map((file) => readMakefile(file, folders, deeperStep(step) as Here));
  });
  return [text, ...texts].join('\n');
}

/** The files that a name or a pattern matches in one folder. */
function expand(word: string, folder: string, recorder: FollowStep['recorder']): string[] {
  if (/\$/.test(word)) return [];
  const at = word.lastIndexOf('/');
  // A character class is treated as any character, and a folder in a pattern as any folder below, so more files match than make would
  // take.
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
  if (fixed.length <= at) return recorder.find(path, test, (name) => name === '.git').sort();
  return [...recorder.names(path)]
    .sort()
    .filter((name) => (/[*?]/.test(pattern) ? test.test(name) : name === pattern))
    .map((name) => joinPath(path, name));
}
