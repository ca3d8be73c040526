// Which table or judge knows a program.
import type { Argument } from './argument.ts';
import { allows, asks, asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import type { Inner } from './inner.ts';
import { judgeBuiltin } from './judge-builtin.ts';
import { judgeFind } from './judge-find.ts';
import { judgeGit } from './judge-git.ts';
import {
  isInterpreter,
  isPackageManager,
  isVersionProbe,
  judgeInterpreter,
  judgePackages,
  judgePs,
} from './judge-interpreter.ts';
import { judgeReading } from './judge-reading.ts';
import { judgeEnv, judgeWrapper } from './judge-wrapper.ts';
import { judgeWriting, writingPrograms } from './judge-writing.ts';
import { findingOf, knownPrograms } from './known-programs.ts';
import { leavingWords } from './leaving.ts';
import { findingOfFault, readOptions } from './options.ts';
import { readingPrograms } from './reading-programs.ts';
import type { Scene } from './scene.ts';
import { faultOfAwk, faultOfSed } from './sed-program.ts';
import { touchPlaces } from './touch-places.ts';
import { wrappers } from './wrappers.ts';

type ProgramCall = {
  name: string;
  args: readonly Argument[];
  /** The same before globs were replaced by names. */
  written: readonly Argument[];
  scene: Scene;
  inner: Inner;
};

export function judgeProgram(call: ProgramCall): Finding {
  const { name, args, written, scene, inner } = call;
  if (isVersionProbe(name, args)) return allows('Only prints its version.');
  const builtin = judgeBuiltin(name, args);
  // Even whether something is there is nobody's business outside.
  if (builtin)
    return strictest([builtin, ...(name === 'test' || name === '[' ? leavingWords(args, scene) : [])]);
  const special = judges.get(name);
  if (special) return special(call);
  const reading = readingPrograms.get(name);
  if (reading) return judgeReading(name, args, reading, scene);
  const writing = writingPrograms.get(name);
  if (writing) return judgeWriting(name, written, writing, scene);
  const wrapper = wrappers.get(name);
  if (wrapper) return judgeWrapper(name, args, wrapper, { scene, inner });
  return strictest([judgeForeign(call), ...leavingWords(args, scene)]);
}

/** A program whose own options are not known in detail. */
function judgeForeign({ name, args, scene }: ProgramCall): Finding {
  if (isInterpreter(name)) return judgeInterpreter(name, args, scene, scene.readScript);
  if (isPackageManager(name)) return judgePackages(name, args);
  return judgeKnown(name, args);
}

const judges: ReadonlyMap<string, (call: ProgramCall) => Finding> = new Map<
  string,
  (call: ProgramCall) => Finding
>([
  ['git', ({ args, scene }) => judgeGit(args, scene)],
  ['find', ({ args, scene, inner }) => judgeFind(args, scene, inner)],
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
]);

function judgeSource({ args, scene }: ProgramCall): Finding {
  const [script] = args;
  if (script === undefined || /^-|^\/dev\//.test(script.value))
    return asksUnlessHeld('Runs code from elsewhere in this shell.', 'critical');
  return strictest([
    asks('Runs a script of this workspace.', 'high'),
    ...touchPlaces([script], 'read', scene),
  ]);
}

function judgeSed({ args, scene }: ProgramCall): Finding {
  const table = {
    flags: 'nErsuz',
    values: 'e',
    long: 'quiet silent regexp-extended separate unbuffered null-data posix sandbox debug',
    longValues: 'expression',
  };
  const isInPlace = args.some(
    ({ kind, value }) => kind === 'exact' && /^(-[nErsuz]*i|--in-place)/.test(value),
  );
  const readers = isInPlace ? args.filter(({ value }) => !/^(-[nErsuz]*i|--in-place)/.test(value)) : args;
  const { operands, values, fault } = readOptions(readers, table);
  if (fault) return findingOfFault(fault);
  const programs = values.length > 0 ? values.map(({ value }) => value) : operands.slice(0, 1);
  const unsafe = programs.map(({ kind, value }) => (kind === 'exact' ? faultOfSed(value) : undefined));
  const isUnclear = programs.some(({ kind }) => kind !== 'exact');
  const files = values.length > 0 ? operands : operands.slice(1);
  const access = isInPlace ? 'write' : 'read';
  return strictest([
    isInPlace ? asks('Changes files.') : allows(),
    ...unsafe.flatMap((reason) => (reason === undefined ? [] : [insists(reason)])),
    ...(isUnclear ? [asksUnlessHeld('What sed is told to do, only running would tell.')] : []),
    ...touchPlaces(
      files.filter(({ value }) => value !== '-'),
      access,
      scene,
    ),
  ]);
}

function judgeAwk({ args, scene }: ProgramCall): Finding {
  const { operands, fault } = readOptions(args, { values: 'Fv', stops: true });
  if (fault) return asks(fault.reason);
  const [program, ...files] = operands;
  if (program?.kind !== 'exact') return asksUnlessHeld('What awk is told to do, only running would tell.');
  const reason = faultOfAwk(program.value);
  if (reason !== undefined) return insists(reason);
  return strictest([
    allows(),
    ...touchPlaces(
      files.filter(({ value, isOneWord }) => !isOneWord || !/^(-|[a-z_]\w*=.*)$/is.test(value)),
      'read',
      scene,
    ),
  ]);
}

function judgeCommand({ name, args, scene, inner }: ProgramCall): Finding {
  if (args[0]?.kind === 'exact' && /^-[vV]$/.test(args[0].value))
    return allows('Only says what a name stands for.');
  return judgeWrapper(name, args, { flags: 'p', isPlain: true }, { scene, inner });
}

function judgeDate(call: ProgramCall): Finding {
  const isSetting = call.args.some(
    ({ value }, i) => !/^[-+]/.test(value) && !/^(-d|--date|-r)$/.test(call.args[i - 1]?.value ?? ''),
  );
  return isSetting ? insists('Sets the clock of the machine.') : judgeListed(call);
}

function judgeJq(call: ProgramCall): Finding {
  const hidden = call.args.find(({ kind }) => kind === 'variable');
  if (hidden) return asksUnlessHeld(`What ${hidden.text} tells jq to do, only running would tell.`);
  const loads = call.args.some(({ value }) => /\b(import|include|env|input_filename)\b|\$ENV/.test(value));
  return loads ? asks('The program of jq looks at more than its input.') : judgeListed(call);
}

function judgeStrings(call: ProgramCall): Finding {
  const list = call.args.find(({ value }) => value.startsWith('@'));
  return list
    ? insists(`${list.text} names a file with more words, which may lead anywhere.`)
    : judgeListed(call);
}

function judgeListed({ name, args, scene }: ProgramCall): Finding {
  const reading = readingPrograms.get(name);
  return reading ? judgeReading(name, args, reading, scene) : judgeKnown(name, args);
}

function judgeKnown(name: string, args: readonly Argument[]): Finding {
  const isMade = args.some(({ kind }) => kind === 'unknown');
  const made = isMade ? [asksUnlessHeld('Its words are made by another command.')] : [];
  const known = knownPrograms.get(name) ?? (/^mkfs\./.test(name) ? knownPrograms.get('mkfs') : undefined);
  if (known === undefined) return strictest([asks(`It is not known what ${name} does.`, 'high'), ...made]);
  const steered = args.find(({ value }) =>
    /^-.*(command|action|exec|eval|script|program|rsh)|^-TT?$|^-[a-zA-Z]*[IF]$|^[A-Z]+=/i.test(value),
  );
  const ask = known.mustAsk ? insists : asksUnlessHeld;
  if (steered) made.push(ask(`${steered.text} may start another program.`, 'critical'));
  return strictest([findingOf(known), ...made]);
}
