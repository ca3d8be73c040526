// A command inside another one: the inner one is judged by itself, to any depth.
import { phrase } from '@codelab/protocol';
import { type Argument, exactly } from '../argument.ts';
import {
  allows,
  asks,
  asksUnlessHeld,
  insists,
  isReading,
  type JudgeInner,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import { type GivenOptions, readOptions } from '../options.ts';
import { touchPlaces } from '../places/touch-places.ts';
import type { Scene } from '../scene.ts';
import { judgeVariable } from '../variables.ts';
import { findingOf, knownPrograms, type Wrapper } from './known-programs.ts';

export function judgeWrapper(
  name: string,
  args: readonly Argument[],
  wrapper: Wrapper,
  { scene, inner }: { scene: Scene; inner: JudgeInner },
): Judgement {
  const given = readOptions(args, { ...wrapper, stops: true });
  const { operands, paths, fault } = given;
  if (fault)
    return strictest([
      own(name, wrapper),
      asksUnlessHeld([phrase('program.startsAnother', { name }), fault.reason]),
    ]);
  const words = operands.slice(wrapper.before ?? 0);
  const findings = [...touchPlaces(paths, 'read', scene), own(name, wrapper)];
  // Without a program it prints what it is fed.
  if (name === 'xargs')
    return strictest([
      ...findings,
      judgeXargs(words.length > 0 ? words : [exactly('echo')], given, { scene, inner }),
    ]);
  if (words.length === 0) return strictest([...findings, asks(phrase('program.startsNothing', { name }))]);
  inner(words);
  return strictest(findings);
}

/** What it is fed becomes words of the program, at their end or wherever `-I` says. */
function judgeXargs(
  words: readonly Argument[],
  { values, paths }: GivenOptions,
  { scene, inner }: { scene: Scene; inner: JudgeInner },
): Judgement {
  const marks = values.filter(({ name }) => name === 'I').map(({ value }) => value.value);
  const isFed = ({ value }: Argument): boolean => marks.some((mark) => mark !== '' && value.includes(mark));
  const isListed = scene.isFedNames && paths.length === 0;
  const added: Argument = { text: '…', value: '…', kind: 'variable', isOneWord: false, isListed };
  const fed = words.map(
    (word): Argument =>
      isFed(word) ? { ...word, kind: 'variable', isListed: isListed && marks.includes(word.value) } : word,
  );
  const found = inner(marks.length > 0 ? fed : [...fed, added]);
  const ask = isReading(found) ? readsUnclear : asksUnlessHeld;
  return ask(phrase('program.xargs'));
}

function own(name: string, { isPlain }: Wrapper): Judgement {
  if (isPlain || name === 'xargs') return allows(phrase('program.startsNext'));
  const known = knownPrograms.get(name);
  if (known === undefined) return asksUnlessHeld(phrase('program.startsNextOddly'));
  return known.mustAsk ? findingOf(known) : asks(known.reason, 'high');
}

/** `env` alone prints; otherwise it sets variables for the command that follows. */
export function judgeEnv(args: readonly Argument[], inner: JudgeInner): Judgement {
  const table = {
    flags: 'i0v',
    values: 'u',
    long: 'ignore-environment null',
    longValues: 'unset',
    starts: 'S C split-string chdir',
  };
  const { operands, values, fault } = readOptions(args, { ...table, stops: true });
  if (fault) return insists([phrase('program.startsAnother', { name: 'env' }), fault.reason]);
  const split = operands.findIndex(({ kind, value }) => kind !== 'exact' || !/^\w+=/.test(value));
  const variables = split < 0 ? operands : operands.slice(0, split);
  const words = split < 0 ? [] : operands.slice(split);
  if (words.length > 0) inner(words);
  const findings = [
    ...variables.map(({ value }) => judgeVariable(value.replace(/=.*/s, ''), value.replace(/^[^=]*=/, ''))),
    ...values.map(({ value }) => judgeVariable(value.value)),
  ];
  return strictest([
    allows(phrase(words.length > 0 ? 'program.startsNext' : 'program.environment')),
    ...findings,
  ]);
}
