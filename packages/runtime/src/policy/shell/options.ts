// Parses a program's options by a table of those known to be harmless; any other is a fault, never a guess.
import { type Phrase, phrase } from '@codelab/protocol';
import type { Argument } from './argument.ts';
import { alwaysAsks, asks, asksUnlessHeld, type Judgement, readsUnclear } from './judgement.ts';

/** Short options are letters, long ones names separated by blanks. */
export type OptionTable = {
  flags?: string;
  /** Take a value that is only text. */
  values?: string;
  /** Take a value that is a file to read. */
  paths?: string;
  long?: string;
  longValues?: string;
  longPaths?: string;
  /** Options that start a program, or lead outside the workspace. */
  starts?: string;
  /** `-20` is a number. */
  hasNumbers?: boolean;
  /** The options of this program only change what is printed. */
  isHarmless?: boolean;
  /** Options end at the first operand: the rest is another command. */
  stops?: boolean;
};

export type ParsedOptions = {
  operands: Argument[];
  paths: Argument[];
  /** `isApart`: the value is a separate word after the option, where a file could also be. */
  values: { name: string; value: Argument; isApart: boolean }[];
  optionNames: Set<string>;
  fault?: Fault;
};

/** `isStart`: the word may start a program or lead elsewhere; `isUnclear`: only because its value is known only at run time. */
type Fault = { reason: Phrase; isStart: boolean; isUnclear?: true; isListed?: true };

export function findingOfFault({ reason, isStart, isUnclear }: Fault): Judgement {
  if (!isStart) return asks(reason);
  return isUnclear === true ? asksUnlessHeld(reason) : alwaysAsks(reason);
}

/** The judgement for a program that does not change the files it is given. */
export function faultOfReader(fault: Fault): Judgement {
  return fault.isListed === true ? readsUnclear(fault.reason) : findingOfFault(fault);
}

export function readOptions(args: readonly Argument[], table: OptionTable): ParsedOptions {
  const parsed: ParsedOptions = { operands: [], paths: [], values: [], optionNames: new Set() };
  const rest = [...args];
  let isGuarded = table.isHarmless === true;
  for (let arg = rest.shift(); arg !== undefined && parsed.fault === undefined; arg = rest.shift()) {
    const isOption = !isGuarded && arg.kind === 'exact' && /^-./.test(arg.value);
    if (!isOption) {
      takeOperand(parsed, arg, isGuarded);
      isGuarded ||= table.stops === true;
    } else if (arg.value === '--') isGuarded = true;
    else if (arg.value.startsWith('--')) takeLong(parsed, arg, rest, table);
    else if (!(table.hasNumbers === true && /^-\d+$/.test(arg.value))) takeShort(parsed, arg, rest, table);
  }
  return parsed;
}

/** Every home folder is outside the workspace. */
export function isAtHome({ text }: Argument): boolean {
  return /^["']?(~|\$HOME\b|\$\{HOME\})/.test(text);
}

function takeOperand(parsed: ParsedOptions, arg: Argument, isGuarded: boolean): void {
  if (!isGuarded && arg.isListed !== true && (arg.kind === 'variable' || arg.kind === 'unknown')) {
    parsed.fault = {
      reason: isAtHome(arg)
        ? phrase('place.outside', { word: arg.text })
        : phrase('option.unclear', { word: arg.text }),
      isStart: true,
      ...(!isAtHome(arg) && { isUnclear: true }),
    };
    return;
  }
  parsed.operands.push(arg);
}

function takeLong(parsed: ParsedOptions, arg: Argument, rest: Argument[], table: OptionTable): void {
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg.value) ?? [];
  parsed.optionNames.add(name);
  const isPath = isListed(table.longPaths, name);
  const isValued = isPath || isListed(table.longValues, name);
  // An option listed both with and without a value may end the line without one.
  if (isListed(table.long, name) && (!isValued || (value === undefined && rest.length === 0))) return;
  if (!isValued) {
    parsed.fault = unknownOption(`--${name}`, isListed(table.starts, name));
    return;
  }
  const optionValue = value === undefined ? rest.shift() : { ...arg, value };
  takeValue(parsed, { name, value: optionValue, isPath, isApart: value === undefined });
}

function takeShort(parsed: ParsedOptions, arg: Argument, rest: Argument[], table: OptionTable): void {
  const letters = arg.value.slice(1);
  for (const [at, letter] of [...letters].entries()) {
    parsed.optionNames.add(letter);
    if (table.flags?.includes(letter)) continue;
    const isPath = table.paths?.includes(letter) === true;
    if (!isPath && table.values?.includes(letter) !== true) {
      parsed.fault = unknownOption(`-${letter}`, isListed(table.starts, letter));
      return;
    }
    const attached = [...letters].slice(at + 1).join('');
    const value = attached === '' ? rest.shift() : { ...arg, value: attached };
    takeValue(parsed, { name: letter, value, isPath, isApart: attached === '' });
    return;
  }
}

type OptionValue = { name: string; value: Argument | undefined; isPath: boolean; isApart: boolean };

function takeValue(parsed: ParsedOptions, { name, value, isPath, isApart }: OptionValue): void {
  if (value === undefined) parsed.fault = { reason: phrase('option.noValue', { name }), isStart: false };
  else if (!value.isOneWord)
    parsed.fault = {
      reason: phrase('option.severalWords', { word: value.text }),
      isStart: true,
      isUnclear: true,
      ...(value.isListed === true && { isListed: true }),
    };
  else if (isPath) parsed.paths.push(value);
  else parsed.values.push({ name, value, isApart });
}

function unknownOption(option: string, isStart: boolean): Fault {
  return { reason: phrase(isStart ? 'option.starts' : 'option.unknown', { option }), isStart };
}

function isListed(names: string | undefined, name: string): boolean {
  return names !== undefined && name !== '' && names.split(' ').includes(name);
}

// A reading program, with the options that keep it reading.
export type ReadingProgram = OptionTable & {
  /** The operands: files, plain text, a pattern or program followed by files, or none. */
  operands: 'paths' | 'text' | 'pattern' | 'none';
  /** The maximum number of operands; a further one would change the meaning: `uniq` writes to its second one. */
  max?: number;
  /** Without operands the program reads its working directory. */
  readsFolder?: boolean;
  /** These options supply the pattern, so every operand is a file. */
  patternOptions?: readonly string[];
  /** Reads the files below a folder: always, or with one of these options. */
  descends?: true | readonly string[];
  /** Reads the targets of links in a folder. */
  followsLinks?: boolean;
  /** Shows names, sizes and dates, but no file content. */
  namesOnly?: true;
  /** With one of these options the program only lists names. */
  listsNames?: readonly string[];
  /** Skips names that begin with a dot, unless one of these options is given. */
  skipsHidden?: readonly string[];
};
