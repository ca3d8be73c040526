// Judges a program of the reading table: harmless as long as its options and files are.

import { phrase } from '@codelab/protocol';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { compileGlob } from '../../../workspace/trees/glob.ts';
import { type Argument, exactly } from '../argument.ts';
import {
  allows,
  alwaysAsks,
  asks,
  asksUnlessHeld,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { faultOfReader, isAtHome, type ParsedOptions, type ReadingProgram, readOptions } from '../options.ts';
import { readBelow, readMissing } from '../places/read-below.ts';
import { leavingWords } from '../places/resolve-place.ts';
import { touchPlace, touchPlaces, valuesAsPlaces } from '../places/touch-places.ts';

export function judgeReading(
  name: string,
  args: readonly Argument[],
  program: ReadingProgram,
  state: LineState,
): Judgement {
  const options = readOptions(args, program);
  if (options.fault) return strictest([faultOfReader(options.fault), ...leavingWords(args, state)]);
  const { operands } = options;
  if (program.operands === 'none' && operands.length > 0)
    return asks(phrase('program.unknownOperand', { name, word: operands[0]?.text ?? '' }));
  const isSeveral = operands.some(({ isOneWord }) => !isOneWord);
  if (program.max !== undefined && (isSeveral || operands.length > program.max))
    return asks(phrase('program.writesSecond', { name }));
  const files = filesOf(operands, program, options);
  const words = operands.slice(0, operands.length - files.length);
  // A pattern that expands to several words also names files.
  const isPattern = program.operands === 'pattern';
  const isText = program.operands === 'text';
  const unclear = words.find(({ kind, isOneWord }) => kind === 'unknown' || (isPattern && !isOneWord));
  if (unclear) {
    const judgement =
      isAtHome(unclear) || /^["']?\//.test(unclear.text)
        ? alwaysAsks
        : isText || unclear.isListed === true
          ? readsUnclear
          : asksUnlessHeld;
    return judgement(phrase('program.unclear', { word: unclear.text }));
  }
  const currentFolder =
    files.length === 0 && (program.readsFolder || descends(program, options)) ? [exactly('.')] : [];
  return strictest([
    allows(),
    ...touchPlaces(options.paths, 'read', state),
    ...valuesAsPlaces(options, state),
    ...[...files, ...currentFolder].flatMap((file) => readFile(file, program, options, state)),
  ]);
}

function filesOf(operands: Argument[], program: ReadingProgram, { optionNames }: ParsedOptions): Argument[] {
  switch (program.operands) {
    case 'paths':
      return operands;
    case 'pattern':
      return program.patternOptions?.some((option) => optionNames.has(option)) ? operands : operands.slice(1);
    case 'text':
    case 'none':
      return [];
  }
}

function descends(program: ReadingProgram, options: ParsedOptions): boolean {
  if (listsNames(program, options)) return false;
  const { descends } = program;
  return descends === true || (descends ?? []).some((option) => options.optionNames.has(option));
}

function listsNames({ listsNames = [] }: ReadingProgram, { optionNames }: ParsedOptions): boolean {
  return listsNames.some((option) => optionNames.has(option));
}

function readFile(
  file: Argument,
  program: ReadingProgram,
  options: ParsedOptions,
  state: LineState,
): Judgement[] {
  if (file.kind === 'exact' && file.value === '-') return [];
  const isWhole = descends(program, options);
  // A link in a folder of /tmp may lead anywhere, and an unasked command may have put it there.
  const isFile = findInTmp(state.tmp, file.value)?.stat?.isFile() === true;
  const follows = isWhole && program.followsLinks === true && !isFile;
  const isList = program.namesOnly === true || listsNames(program, options);
  const readState = follows ? { ...state, tmp: undefined } : state;
  const { against, places } = touchPlace(file, isList ? 'list' : 'read', readState);
  if (!isWhole) return against;
  const skipped = new Set(
    options.values.filter(({ name }) => name === 'exclude-dir').map(({ value }) => value.value),
  );
  const isRevealed = program.skipsHidden ? revealing(options, program.skipsHidden) : () => true;
  const excluded = optionValues(options, globOptions).filter((glob) => glob.startsWith('!'));
  const isExcluded = folderTest(excluded.map((glob) => glob.slice(1)));
  const skips = (name: string, isFolder: boolean): boolean =>
    (isFolder && (skipped.has(name) || isExcluded(name))) || (name.startsWith('.') && !isRevealed(name));
  const unhides = program.skipsHidden !== undefined;
  const below = places
    .filter(({ isFolder }) => isFolder)
    .flatMap(({ path }) => readBelow(path, state, { skips, unhides, followsLinks: program.followsLinks }));
  const missing = places.filter(({ exists }) => !exists).flatMap(({ path }) => readMissing(path, state));
  return [...against, ...below, ...missing];
}

const globOptions = ['g', 'glob', 'iglob'];

function optionValues({ values }: ParsedOptions, names: readonly string[]): string[] {
  return values.filter(({ name }) => names.includes(name)).map(({ value }) => value.value);
}

/** Folders excluded whole, at any depth: `-g '!.git'`, also followed by a slash or `/**`. */
function folderTest(globs: readonly string[]): (name: string) => boolean {
  const names = globs.map((glob) => glob.replace(/\/(\*\*)?$/, '').replace(/^\*\*\//, ''));
  const tests = names.filter((name) => !name.includes('/')).map(compileGlob);
  return (name) => tests.some((test) => test(name));
}

/** Whether a hidden file is read after all, because a glob or a file type asks for it. */
function revealing(options: ParsedOptions, showing: readonly string[]): (name: string) => boolean {
  if (showing.some((option) => options.optionNames.has(option))) return () => true;
  // Of all file types only shell scripts include files that may hold secrets.
  const isKind = optionValues(options, ['t', 'type']).some((kind) => kind === 'sh' || kind === 'all');
  const globs = optionValues(options, globOptions).filter((glob) => !glob.startsWith('!'));
  if (isKind || globs.some((glob) => glob.includes('/'))) return () => true;
  const tests = globs.map((glob) => compileGlob(glob.toLowerCase()));
  return (name) => tests.some((test) => test(name.toLowerCase()));
}
