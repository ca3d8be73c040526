// A command inside another one is judged by itself, to any depth.
import { phrase } from '@codelab/protocol';
import { type Argument, exactly } from '../argument.ts';
import {
  allows,
  alwaysAsks,
  asks,
  asksUnlessHeld,
  isReading,
  type JudgeInner,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { type ParsedOptions, readOptions } from '../options.ts';
import { touchPlaces } from '../places/touch-places.ts';
import { judgeVariable } from './judge-builtin.ts';
import { findingOf, knownPrograms, type Wrapper } from './known-programs.ts';

export function judgeWrapper(
  name: string,
  args: readonly Argument[],
  wrapper: Wrapper,
  { state, inner }: { state: LineState; inner: JudgeInner },
): Judgement {
  const options = readOptions(args, { ...wrapper, stops: true });
  const { operands, paths, fault } = options;
  if (fault)
    return strictest([
      judgeItself(name, wrapper),
      asksUnlessHeld([phrase('program.startsAnother', { name }), fault.reason]),
    ]);
  const words = operands.slice(wrapper.before ?? 0);
  const findings = [...touchPlaces(paths, 'read', state), judgeItself(name, wrapper)];
  // Without a program, xargs prints its input.
  if (name === 'xargs')
    return strictest([
      ...findings,
      judgeXargs(words.length > 0 ? words : [exactly('echo')], options, { state, inner }),
    ]);
  if (words.length === 0) return strictest([...findings, asks(phrase('program.startsNothing', { name }))]);
  inner(words);
  return strictest(findings);
}

/** The input of xargs becomes words of the program, at their end or where `-I` says. */
function judgeXargs(
  words: readonly Argument[],
  { values, paths }: ParsedOptions,
  { state, inner }: { state: LineState; inner: JudgeInner },
): Judgement {
  const marks = values.filter(({ name }) => name === 'I').map(({ value }) => value.value);
  const isFed = ({ value }: Argument): boolean => marks.some((mark) => mark !== '' && value.includes(mark));
  const isListed = state.isFedNames && paths.length === 0;
  const added: Argument = { text: '…', value: '…', kind: 'variable', isOneWord: false, isListed };
  const fed = words.map(
    (word): Argument =>
      isFed(word) ? { ...word, kind: 'variable', isListed: isListed && marks.includes(word.value) } : word,
  );
  const innerJudgement = inner(marks.length > 0 ? fed : [...fed, added]);
  const judgement = isReading(innerJudgement) ? readsUnclear : asksUnlessHeld;
  return judgement(phrase('program.xargs'));
}

function judgeItself(name: string, { isPlain }: Wrapper): Judgement {
  if (isPlain || name === 'xargs') return allows(phrase('program.startsNext'));
  const program = knownPrograms.get(name);
  if (program === undefined) return asksUnlessHeld(phrase('program.startsNextOddly'));
  return program.mustAsk ? findingOf(program) : asks(program.reason, 'high');
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
  if (fault) return alwaysAsks([phrase('program.startsAnother', { name: 'env' }), fault.reason]);
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

// Judges `find`, which only reads as long as its expression tests and prints.

const plainTests = new Set(
  `( ) ! , -not -a -and -o -or -true -false -print -print0 -ls -prune -quit -empty -depth -xdev -mount -daystart -readable -writable
-executable -nouser -nogroup -noleaf -noignore_readdir_race -ignore_readdir_race -nowarn`.split(/\s+/),
);
const valued = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
-maxdepth -mindepth -perm -user -group -uid -gid -links -inum -printf -fstype -used -newermt -newerat -newerct`.split(
    /\s+/,
  ),
);
const paths = new Set(['-newer', '-anewer', '-cnewer', '-samefile', '-newermm', '-neweram', '-newercm']);
const starters = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** `inner` judges the program that `-exec` starts. */
export function judgeFind(args: readonly Argument[], state: LineState, inner: JudgeInner): Judgement {
  const begin = args.findIndex(({ kind, value }) => kind === 'exact' && /^[-(!,]/.test(value));
  const starts = begin < 0 ? args : args.slice(0, begin);
  const findings = touchPlaces(starts.length === 0 ? [exactly('.')] : starts, 'list', state);
  const rest = begin < 0 ? [] : args.slice(begin);
  while (rest.length > 0) {
    const [token] = rest.splice(0, 1);
    if (token === undefined) break;
    const judgement = judgeToken(token, rest, state, inner);
    if (judgement) findings.push(judgement);
    if (judgement?.mustAsk && !isReading(judgement)) break;
  }
  return strictest([allows(phrase('find.lists')), ...findings]);
}

function judgeToken(
  token: Argument,
  rest: Argument[],
  state: LineState,
  inner: JudgeInner,
): Judgement | undefined {
  const { value, text, kind } = token;
  if (kind !== 'exact') return asks(phrase('find.unclear', { word: text }), 'high');
  if (plainTests.has(value)) return undefined;
  if (valued.has(value)) {
    const argument = rest.shift();
    return argument?.isOneWord === true && argument.kind !== 'unknown'
      ? undefined
      : asks(phrase('find.unclearValue', { option: value }), 'high');
  }
  if (paths.has(value)) return strictest([allows(), ...touchPlaces(rest.splice(0, 1), 'list', state)]);
  if (value === '-delete') return alwaysAsks(phrase('find.deletes'), 'critical');
  if (!starters.has(value)) return alwaysAsks(phrase('find.unknown', { option: value }));
  const end = rest.findIndex((arg) => arg.value === ';' || arg.value === '+');
  const words = rest.splice(0, end < 0 ? rest.length : end + 1).slice(0, end < 0 ? undefined : -1);
  const judgement = inner(
    words.map((word) =>
      word.value.includes('{}') ? { ...word, kind: 'variable', isListed: word.value === '{}' } : word,
    ),
  );
  const [program] = words;
  const reason =
    program === undefined
      ? phrase('find.startsProgram', { option: value })
      : phrase('find.starts', { option: value, program: program.text });
  // A program may take the start of a bare file name as an option.
  return isReading(judgement) && value === '-exec'
    ? readsUnclear(reason)
    : asksUnlessHeld(reason, 'critical');
}
