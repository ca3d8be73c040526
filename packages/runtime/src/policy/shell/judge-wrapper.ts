// A command inside another one: the inner one is judged by itself, to any depth.
import type { Argument } from './argument.ts';
import { allows, asks, asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import type { Inner } from './inner.ts';
import { findingOf, knownPrograms } from './known-programs.ts';
import { readOptions } from './options.ts';
import type { Scene } from './scene.ts';
import { touchPlaces } from './touch-places.ts';
import { judgeVariable } from './variables.ts';
import type { Wrapper } from './wrappers.ts';

export function judgeWrapper(
  name: string,
  args: readonly Argument[],
  wrapper: Wrapper,
  { scene, inner }: { scene: Scene; inner: Inner },
): Finding {
  const { operands, paths, fault } = readOptions(args, { ...wrapper, stops: true });
  if (fault)
    return strictest([own(name, wrapper), asksUnlessHeld(`${name} starts another program. ${fault.reason}`)]);
  const words = operands.slice(wrapper.before ?? 0);
  const findings = [...touchPlaces(paths, 'read', scene), own(name, wrapper)];
  if (words.length === 0) return strictest([...findings, asks(`What ${name} starts is not said.`)]);
  if (name !== 'xargs') {
    inner(words);
    return strictest(findings);
  }
  inner([...words, { text: '…', value: '…', kind: 'variable', isOneWord: false }]);
  return strictest([...findings, asksUnlessHeld('Which words xargs adds, only running would tell.')]);
}

function own(name: string, { isPlain }: Wrapper): Finding {
  if (isPlain) return allows('Only starts what follows.');
  const known = knownPrograms.get(name);
  if (known === undefined) return asksUnlessHeld('Starts what follows in another way than it looks.');
  return known.mustAsk ? findingOf(known) : asks(known.reason, 'high');
}

/** `env` alone prints; otherwise it sets variables for the command that follows. */
export function judgeEnv(args: readonly Argument[], inner: Inner): Finding {
  const table = {
    flags: 'i0v',
    values: 'u',
    long: 'ignore-environment null',
    longValues: 'unset',
    starts: 'S C split-string chdir',
  };
  const { operands, values, fault } = readOptions(args, { ...table, stops: true });
  if (fault) return insists(`env starts another program. ${fault.reason}`);
  const split = operands.findIndex(({ kind, value }) => kind !== 'exact' || !/^\w+=/.test(value));
  const variables = split < 0 ? operands : operands.slice(0, split);
  const words = split < 0 ? [] : operands.slice(split);
  if (words.length > 0) inner(words);
  const findings = [
    ...variables.map(({ value }) => judgeVariable(value.replace(/=.*/s, ''), value.replace(/^[^=]*=/, ''))),
    ...values.map(({ value }) => judgeVariable(value.value)),
  ];
  return strictest([
    allows(words.length > 0 ? 'Only starts what follows.' : 'Only prints the environment.'),
    ...findings,
  ]);
}
