// Finds the table or the judge for a program.

import { phrase } from '@codelab/protocol';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import type { Argument } from '../argument.ts';
import { judgeGit } from '../git/judge-git.ts';
import {
  allows,
  alwaysAsks,
  asks,
  asksUnlessHeld,
  type JudgeInner,
  type Judgement,
  strictest,
} from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { type ReadingProgram, readOptions } from '../options.ts';
import { leavingWords, resolvePlace } from '../places/resolve-place.ts';
import { noteReplaced, touchPlaces } from '../places/touch-places.ts';
import { judgeBuiltin } from './judge-builtin.ts';
import { judgeAwk, judgeSed, judgeSqlite } from './judge-filters.ts';
import {
  isInterpreter,
  isPackageManager,
  judgeInterpreter,
  judgePackages,
  judgePs,
} from './judge-interpreter.ts';
import { judgeLooking, judgeProbe } from './judge-looking.ts';
import { judgeReading } from './judge-reading.ts';
import { judgeEnv, judgeFind, judgeWrapper } from './judge-wrapper.ts';
import { judgeWriting, writingPrograms } from './judge-writing.ts';
import { findingOf, isKnownName, knownPrograms, wrappers } from './known-programs.ts';
import { installedProgram, judgeInFolder, readPackageTarget } from './package-managers.ts';
import { readingPrograms } from './reading-programs.ts';

type ProgramCall = {
  name: string;
  args: readonly Argument[];
  /** The words before globs were replaced by names. */
  written: readonly Argument[];
  state: LineState;
  inner: JudgeInner;
};

export function judgeProgram(call: ProgramCall): Judgement {
  const { name, args, written, state, inner } = call;
  const looking = judgeProbe(name, args, isKnownName(name)) ?? judgeLooking(name, args);
  if (looking) return looking;
  const builtin = judgeBuiltin(name, args);
  // Even the existence of a file outside the workspace is private.
  if (builtin)
    return strictest([
      builtin,
      ...(name === 'test' || name === '[' ? leavingWords(argsOutsideTmp(call), state) : []),
    ]);
  const special = judges.get(name);
  if (special) return special(call);
  const reading = readingPrograms.get(name);
  if (reading) return judgeReading(name, args, reading, state);
  const writing = writingPrograms.get(name);
  if (writing) return judgeWriting(name, written, writing, state);
  const wrapper = wrappers.get(name);
  if (wrapper) return judgeWrapper(name, args, wrapper, { state, inner });
  if (/^(shred|sponge|dos2unix|unix2dos|install)$/.test(name)) noteRewritten(args, state);
  return strictest([judgeForeign(call), ...leavingWords(args, state)]);
}

function noteRewritten(args: readonly Argument[], state: LineState): void {
  for (const { kind, value } of args)
    for (const cwd of kind === 'exact' ? (state.cwds ?? []) : []) {
      const place = resolvePlace(state.workspace, cwd, value, 'write');
      if (place.kind === 'inside') noteReplaced([place], state);
    }
}

function argsOutsideTmp({ args, state }: ProgramCall): Argument[] {
  return args.filter(({ value }) => findInTmp(state.tmp, value)?.isLinked !== false);
}

/** A program whose own options are not known in detail. */
function judgeForeign(call: ProgramCall): Judgement {
  const { name, args, state } = call;
  if (isInterpreter(name)) return judgeInterpreter(name, args, state, state.readScript);
  if (!isPackageManager(name)) return judgeInstalled(call) ?? judgeKnown(name, args);
  const target = readPackageTarget(name, args);
  const judge = (targetArgs: readonly Argument[]): Judgement =>
    judgeInstalled({ ...call, args: targetArgs }) ?? judgePackages(name, targetArgs);
  if (target?.folder === undefined) return judge(target?.rest ?? args);
  return judgeInFolder(target.folder, state, () => judge(target.rest)) ?? judgePackages(name, args);
}

/** `npx tsc` downloads nothing where the project has tsc installed, and is judged as `tsc` itself. */
function judgeInstalled(call: ProgramCall): Judgement | undefined {
  const program = installedProgram(call);
  if (program === undefined) return undefined;
  const { name, args } = program;
  return strictest([
    asks(phrase('program.installed'), 'high'),
    judgeProgram({ ...call, name, args, written: args }),
  ]);
}

const judges: ReadonlyMap<string, (call: ProgramCall) => Judgement> = new Map<
  string,
  (call: ProgramCall) => Judgement
>([
  ['git', ({ args, state }) => judgeGit(args, state)],
  ['find', ({ args, state, inner }) => judgeFind(args, state, inner)],
  ['env', ({ args, inner }) => judgeEnv(args, inner)],
  ['.', judgeSource],
  ['source', judgeSource],
  ['sed', judgeSed],
  ['gsed', judgeSed],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, typeof judgeAwk] => [name, judgeAwk]),
  ['command', judgeCommand],
  ['date', judgeDate],
  ['jq', judgeJq],
  ['ps', (call) => judgePs(call.args) ?? judgeListed(call)],
  ['strings', judgeStrings],
  ['gofmt', judgeFormatter],
  ['sqlite3', ({ args, state }) => judgeSqlite(args, state)],
]);

function judgeSource({ args, state }: ProgramCall): Judgement {
  const [script] = args;
  if (script === undefined || /^-|^\/dev\//.test(script.value))
    return asksUnlessHeld(phrase('program.sourcesElsewhere'), 'critical');
  return strictest([
    asks(phrase('program.sources'), 'high'),
    ...touchPlaces([script], 'read', { ...state, tmp: undefined }),
  ]);
}

function judgeCommand({ name, args, state, inner }: ProgramCall): Judgement {
  if (args[0]?.kind === 'exact' && /^-[vV]$/.test(args[0].value)) return allows(phrase('program.saysName'));
  return judgeWrapper(name, args, { flags: 'p', isPlain: true }, { state, inner });
}

function judgeDate(dateCall: ProgramCall): Judgement {
  const isFormat = ({ value }: Argument): boolean => /^-I(date|hours|minutes|seconds|ns)?$/.test(value);
  const call = { ...dateCall, args: dateCall.args.filter((arg) => !isFormat(arg)) };
  const isSetting = call.args.some(
    ({ value }, i) => !/^[-+]/.test(value) && !/^(-d|--date|-r)$/.test(call.args[i - 1]?.value ?? ''),
  );
  return isSetting ? alwaysAsks(phrase('program.setsClock')) : judgeListed(call);
}

function judgeJq(call: ProgramCall): Judgement {
  const hidden = call.args.find(({ kind }) => kind === 'variable');
  if (hidden) return asksUnlessHeld(phrase('program.jqUnclear', { word: hidden.text }));
  const loads = call.args.some(({ value }) => /\b(import|include|env|input_filename)\b|\$ENV/.test(value));
  return loads ? asks(phrase('program.jqLoads')) : judgeListed(call);
}

function judgeStrings(call: ProgramCall): Judgement {
  const list = call.args.find(({ value }) => value.startsWith('@'));
  return list ? alwaysAsks(phrase('program.wordFile', { word: list.text })) : judgeListed(call);
}

/** A formatter that lists or shows what it would change. */
const formatting: ReadingProgram = {
  operands: 'paths',
  flags: 'dels',
  descends: true,
  followsLinks: true,
};

function judgeFormatter({ name, args, state }: ProgramCall): Judgement {
  const { optionNames, operands, fault } = readOptions(args, formatting);
  // Without files the formatter reads its standard input.
  const isChanging =
    fault !== undefined || (operands.length > 0 && !optionNames.has('l') && !optionNames.has('d'));
  return isChanging
    ? strictest([judgeKnown(name, args), ...leavingWords(args, state)])
    : judgeReading(name, args, formatting, state);
}

function judgeListed({ name, args, state }: ProgramCall): Judgement {
  const reading = readingPrograms.get(name);
  return reading ? judgeReading(name, args, reading, state) : judgeKnown(name, args);
}

function judgeKnown(name: string, args: readonly Argument[]): Judgement {
  const unknownWord = args.find(({ kind }) => kind === 'unknown');
  const unclear = unknownWord ? [asksUnlessHeld(phrase('program.unclear', { word: unknownWord.text }))] : [];
  const program = knownPrograms.get(name) ?? (/^mkfs\./.test(name) ? knownPrograms.get('mkfs') : undefined);
  if (program === undefined)
    return strictest([
      asks(phrase('program.unknown', { name }), 'high'),
      ...unclear,
      ...steering(name, args),
    ]);
  if (program.mustAsk) return strictest([findingOf(program), ...unclear]);
  return strictest([findingOf(program), ...unclear, ...steering(name, args)]);
}

const packers = /^(tar|zip|cpio|pax|split|ar)$/;

/** Options by which such programs start others, and settings of a build that name programs. */
function steering(name: string, args: readonly Argument[]): Judgement[] {
  const option = args.find(
    ({ value }) =>
      /^-.*(command|action|exec|eval|script|program|rsh|filter)/i.test(value) ||
      (packers.test(name) && /^-TT?$|^-[a-zA-Z]*[IF]$/.test(value)),
  );
  if (option) return [asksUnlessHeld(phrase('program.optionStarts', { word: option.text }), 'critical')];
  const setting = args.find(({ value }) => /^[A-Z]+=/.test(value));
  return setting ? [asksUnlessHeld(phrase('program.settingStarts', { word: setting.text }), 'critical')] : [];
}
