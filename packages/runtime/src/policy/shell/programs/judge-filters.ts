// sed and awk: readers as long as the program they are given starts nothing and writes nowhere.
import { type Phrase, phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import { allows, asks, asksUnlessHeld, insists, type Judgement, strictest } from '../judgement.ts';
import { findingOfFault, readOptions } from '../options.ts';
import { touchPlaces } from '../places/touch-places.ts';
import type { Scene } from '../scene.ts';

type FilterCall = { args: readonly Argument[]; scene: Scene };

export function judgeSed({ args, scene }: FilterCall): Judgement {
  const table = {
    flags: 'nErsuz',
    values: 'e',
    long: 'quiet silent regexp-extended separate unbuffered null-data posix sandbox debug',
    longValues: 'expression',
  };
  const isInPlace = args.some(
    ({ kind, value }) => kind === 'exact' && /^(-[nErsuz]*i|--in-place)/.test(value),
  );
  // On macOS and BSD the empty word behind `-i` is its own.
  const isSuffix = ({ kind, value }: Argument, i: number): boolean =>
    kind === 'exact' && value === '' && args[i - 1]?.value === '-i';
  const readers = isInPlace
    ? args.filter((arg, i) => !/^(-[nErsuz]*i|--in-place)/.test(arg.value) && !isSuffix(arg, i))
    : args;
  const { operands, values, fault } = readOptions(readers, table);
  if (fault) return findingOfFault(fault);
  const programs = values.length > 0 ? values.map(({ value }) => value) : operands.slice(0, 1);
  const unsafe = programs.map(({ kind, value }) => (kind === 'exact' ? faultOfSed(value) : undefined));
  const isUnclear = programs.some(({ kind }) => kind !== 'exact');
  const files = values.length > 0 ? operands : operands.slice(1);
  const access = isInPlace ? 'write' : 'read';
  return strictest([
    isInPlace ? asks(phrase('program.changesFiles')) : allows(),
    ...unsafe.flatMap((reason) => (reason === undefined ? [] : [insists(reason)])),
    ...(isUnclear ? [asksUnlessHeld(phrase('program.script', { name: 'sed' }))] : []),
    ...touchPlaces(
      files.filter(({ value }) => value !== '-'),
      access,
      scene,
    ),
  ]);
}

export function judgeAwk({ args, scene }: FilterCall): Judgement {
  const { operands, fault } = readOptions(args, { values: 'Fv', stops: true });
  if (fault) return asks(fault.reason);
  const [program, ...files] = operands;
  if (program?.kind !== 'exact') return asksUnlessHeld(phrase('program.script', { name: 'awk' }));
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

// Is a sed program one that only rewrites what passes through? Anything it can't follow is not.

const unreadable = phrase('sed.unreadable');
const simple = new Set([...'pPdDnNgGhHxz=F']);

/** What it would do beyond that; undefined when nothing. */
function faultOfSed(program: string): Phrase | undefined {
  const text = program.replace(/\[\^?(?:\[:[a-z]+:\])+\]/g, '[x]');
  // Where a bracket ends is read differently by different seds, and with it where a command begins.
  if (/\[\^?\]|\[[^\]]*(?:\[|\\\])/.test(text)) return unreadable;
  const at = { text, i: 0 };
  while (at.i < text.length) {
    if (/[\s;{}]/.test(text[at.i] ?? '')) at.i++;
    else {
      const fault = readCommand(at);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

type Cursor = { text: string; i: number };

function readCommand(at: Cursor): Phrase | undefined {
  const address = '(?:\\d+(?:~\\d+)?|\\$|/(?:\\\\.|\\[[^\\]\\n/]*\\]|[^/\\\\\\n[])*/[IM]*)';
  take(at, new RegExp(`${address}(?:\\s*,\\s*(?:${address}|[+~]\\d+))?\\s*`, 'y'));
  take(at, /!\s*/y);
  const command = at.text[at.i++] ?? '';
  if (command === '{' || command === '}') return undefined;
  if (simple.has(command)) return ended(at);
  if (command === 'q' || command === 'Q' || command === 'l') {
    take(at, / *\d*/y);
    return ended(at);
  }
  if (command === 's' || command === 'y') return readSubstitution(at, command);
  if (command === '#') take(at, /[^\n]*/y);
  else if (command === ':' || command === 'b' || command === 't' || command === 'T') take(at, / *\w*/y);
  else return phrase('sed.command', { command: JSON.stringify(command) });
  return command === '#' ? undefined : ended(at);
}

function readSubstitution(at: Cursor, command: string): Phrase | undefined {
  const delimiter = at.text[at.i++] ?? '';
  if (!/[/|,#@!%+]/.test(delimiter)) return unreadable;
  for (let side = 0; side < 2; side++) {
    const begin = at.i;
    while (at.i < at.text.length && at.text[at.i] !== delimiter) {
      if (at.text[at.i] === '\n') return unreadable;
      at.i += at.text[at.i] === '\\' ? 2 : 1;
    }
    // Inside brackets some take the delimiter for a character.
    const isTorn = /\[[^\]]*$/.test(at.text.slice(begin, at.i));
    if (isTorn || at.i++ >= at.text.length) return unreadable;
  }
  const flags = command === 's' ? take(at, /[a-zA-Z0-9]*/y) : '';
  const odd = /[^gpiIM0-9]/.exec(flags);
  if (odd) return phrase('sed.flag', { flag: odd[0] });
  return ended(at);
}

function ended(at: Cursor): Phrase | undefined {
  take(at, /[ \t]*/y);
  const next = at.text[at.i];
  return next === undefined || /[;\n}#]/.test(next) ? undefined : unreadable;
}

function take(at: Cursor, pattern: RegExp): string {
  pattern.lastIndex = at.i;
  const found = pattern.exec(at.text)?.[0] ?? '';
  at.i += found.length;
  return found;
}

/** Is an awk program one that only prints? Words that could do more are looked for anywhere, even in its strings. */
const harmful = [
  [/\bsystem\b/, 'awk.system'],
  [/\bgetline\b/, 'awk.getline'],
  [/\|/, 'awk.pipe'],
  [/@/, 'awk.loads'],
  [/\b(ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO)\b/, 'awk.files'],
  [/\\\r?\n/, 'awk.brokenLines'],
  [/\b(close|fflush)\b/, 'awk.writes'],
] as const;

/** What it would do beyond printing; undefined when nothing. */
function faultOfAwk(program: string): Phrase | undefined {
  const code = program.replaceAll('||', '  ');
  const found = harmful.find(([pattern]) => pattern.test(code));
  if (found) return phrase(found[1]);
  // `>` compares, except after print, where it writes a file.
  const print = code.search(/print/);
  return print >= 0 && code.lastIndexOf('>') > print ? phrase('awk.prints') : undefined;
}
