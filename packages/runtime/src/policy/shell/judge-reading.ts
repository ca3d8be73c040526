// A program of the table of readers: harmless as long as its options and its files are.
import { compileGlob } from '../../workspace/glob.ts';
import { type Argument, exactly } from './argument.ts';
import { allows, asks, asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import { leavingWords } from './leaving.ts';
import { findingOfFault, type GivenOptions, isAtHome, readOptions } from './options.ts';
import { readBelow } from './read-below.ts';
import type { ReadingProgram } from './reading-program.ts';
import type { Scene } from './scene.ts';
import { touchPlace, touchPlaces } from './touch-places.ts';
import { valuesAsPlaces } from './values-as-places.ts';

export function judgeReading(
  name: string,
  args: readonly Argument[],
  program: ReadingProgram,
  scene: Scene,
): Finding {
  const given = readOptions(args, program);
  if (given.fault) return strictest([findingOfFault(given.fault), ...leavingWords(args, scene)]);
  const { operands } = given;
  if (program.operands === 'none' && operands.length > 0)
    return asks(`${name} is not known to take ${operands[0]?.text ?? ''}.`);
  if (program.max !== undefined && operands.length > program.max)
    return asks(`${name} writes to what follows its first file.`);
  const files = filesOf(operands, program, given);
  const words = operands.slice(0, operands.length - files.length);
  // A pattern that is several words is files as well.
  const isPattern = program.operands === 'pattern';
  const unclear = words.find(({ kind, isOneWord }) => kind === 'unknown' || (isPattern && !isOneWord));
  if (unclear) {
    const ask = isAtHome(unclear) || /^["']?\//.test(unclear.text) ? insists : asksUnlessHeld;
    return ask(`What ${unclear.text} stands for, only running would tell.`);
  }
  const here = files.length === 0 && (program.readsFolder || descends(program, given)) ? [exactly('.')] : [];
  return strictest([
    allows(),
    ...touchPlaces(given.paths, 'read', scene),
    ...valuesAsPlaces(given, scene),
    ...[...files, ...here].flatMap((file) => readFile(file, program, given, scene)),
  ]);
}

function filesOf(operands: Argument[], program: ReadingProgram, { given }: GivenOptions): Argument[] {
  switch (program.operands) {
    case 'paths':
      return operands;
    case 'pattern':
      return program.patternOptions?.some((option) => given.has(option)) ? operands : operands.slice(1);
    case 'text':
    case 'none':
      return [];
  }
}

function descends({ descends, listsNames = [] }: ReadingProgram, { given }: GivenOptions): boolean {
  if (listsNames.some((option) => given.has(option))) return false;
  return descends === true || (descends ?? []).some((option) => given.has(option));
}

function readFile(file: Argument, program: ReadingProgram, given: GivenOptions, scene: Scene): Finding[] {
  if (file.kind === 'exact' && file.value === '-') return [];
  const { against, places } = touchPlace(file, 'read', scene);
  if (!descends(program, given)) return against;
  const skipped = new Set(
    given.values.filter(({ name }) => name === 'exclude-dir').map(({ value }) => value.value),
  );
  const isRevealed = program.skipsHidden ? revealing(given, program.skipsHidden) : () => true;
  const excluded = givenValues(given, globOptions).filter((glob) => glob.startsWith('!'));
  const isExcluded = folderTest(excluded.map((glob) => glob.slice(1)));
  const skips = (name: string, isFolder: boolean): boolean =>
    (isFolder && (skipped.has(name) || isExcluded(name))) || (name.startsWith('.') && !isRevealed(name));
  const unhides = program.skipsHidden !== undefined;
  const below = places
    .filter(({ isFolder }) => isFolder)
    .flatMap(({ path }) => readBelow(path, scene, { skips, unhides, followsLinks: program.followsLinks }));
  return [...against, ...below];
}

const globOptions = ['g', 'glob', 'iglob'];

function givenValues({ values }: GivenOptions, names: readonly string[]): string[] {
  return values.filter(({ name }) => names.includes(name)).map(({ value }) => value.value);
}

/** Folders that are left out whole, wherever they stand: `-g '!.git'`, also with a slash or `/**` behind it. */
function folderTest(globs: readonly string[]): (name: string) => boolean {
  const names = globs.map((glob) => glob.replace(/\/(\*\*)?$/, '').replace(/^\*\*\//, ''));
  const tests = names.filter((name) => !name.includes('/')).map(compileGlob);
  return (name) => tests.some((test) => test(name));
}

/** Whether a hidden file is read after all: what a glob or a kind of files asks for is no longer hidden. */
function revealing(options: GivenOptions, showing: readonly string[]): (name: string) => boolean {
  if (showing.some((option) => options.given.has(option))) return () => true;
  // Of all kinds only shell scripts have files among them that may hold secrets.
  const isKind = givenValues(options, ['t', 'type']).some((kind) => kind === 'sh' || kind === 'all');
  const globs = givenValues(options, globOptions).filter((glob) => !glob.startsWith('!'));
  if (isKind || globs.some((glob) => glob.includes('/'))) return () => true;
  const tests = globs.map((glob) => compileGlob(glob.toLowerCase()));
  return (name) => tests.some((test) => test(name.toLowerCase()));
}
