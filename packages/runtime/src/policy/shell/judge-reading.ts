// A program of the table of readers: harmless as long as its options and its files are.
import type { Argument } from './argument.ts';
import { exactly } from './argument.ts';
import { allows, asks, type Finding, insists, strictest } from './finding.ts';
import { leavingWords } from './leaving.ts';
import { type GivenOptions, readOptions } from './options.ts';
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
  if (given.fault) {
    const { isStart, reason } = given.fault;
    return strictest([isStart ? insists(reason) : asks(reason), ...leavingWords(args, scene)]);
  }
  const { operands } = given;
  if (program.operands === 'none' && operands.length > 0)
    return asks(`${name} is not known to take ${operands[0]?.text ?? ''}.`);
  if (program.max !== undefined && operands.length > program.max)
    return asks(`${name} writes to what follows its first file.`);
  const files = filesOf(operands, program, given);
  const words = operands.slice(0, operands.length - files.length);
  const unclear = words.find(({ kind }) => kind === 'unknown');
  if (unclear) return insists(`${unclear.text} is made by another command.`);
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
  const skips = (name: string): boolean =>
    skipped.has(name) || (program.skipsHidden === true && name.startsWith('.'));
  const below = places
    .filter(({ isFolder }) => isFolder)
    .flatMap(({ path }) => readBelow(path, scene, { skips }));
  return [...against, ...below];
}
