// Judges sed and awk: they only read as long as their program starts nothing and writes no file.
import { type Phrase, phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import { allows, alwaysAsks, asks, asksUnlessHeld, type Judgement, strictest } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { findingOfFault, readOptions } from '../options.ts';
import { noteReplaced, touchPlace, touchPlaces } from '../places/touch-places.ts';
import { readsSettings } from './judge-looking.ts';

type FilterCall = { args: readonly Argument[]; state: LineState };

export function judgeSed({ args, state }: FilterCall): Judgement {
  const table = {
    flags: 'nErsuz',
    values: 'e',
    long: 'quiet silent regexp-extended separate unbuffered null-data posix sandbox debug',
    longValues: 'expression',
  };
  const isInPlace = args.some(
    ({ kind, value }) => kind === 'exact' && /^(-[nErsuz]*i|--in-place)/.test(value),
  );
  // On macOS and BSD an empty word after `-i` is the value of `-i`.
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
    ...unsafe.flatMap((reason) => (reason === undefined ? [] : [alwaysAsks(reason)])),
    ...(isUnclear ? [asksUnlessHeld(phrase('program.script', { name: 'sed' }))] : []),
    ...files.filter(({ value }) => value !== '-').flatMap((file) => touchBySed(file, access, state)),
  ]);
}

function touchBySed(file: Argument, access: 'read' | 'write', state: LineState): Judgement[] {
  const { against, places } = touchPlace(file, access, state);
  if (access === 'write') noteReplaced(places, state);
  return against;
}

export function judgeAwk({ args, state }: FilterCall): Judgement {
  const { operands, fault } = readOptions(args, { values: 'Fv', stops: true });
  if (fault) return asks(fault.reason);
  const [program, ...files] = operands;
  if (program?.kind !== 'exact') return asksUnlessHeld(phrase('program.script', { name: 'awk' }));
  const reason = faultOfAwk(program.value);
  if (reason !== undefined) return alwaysAsks(reason);
  return strictest([
    allows(),
    ...touchPlaces(
      files.filter(({ value, isOneWord }) => !isOneWord || !/^(-|[a-z_]\w*=.*)$/is.test(value)),
      'read',
      state,
    ),
  ]);
}

// Whether a sed program only rewrites its input; programs that this parser can't follow do not count.

const unreadable = phrase('sed.unreadable');
const simple = new Set([...'pPdDnNgGhHxz=F']);

/** The effect of a sed program beyond rewriting its input, if any. */
function faultOfSed(program: string): Phrase | undefined {
  const text = program.replace(/\[\^?(?:\[:[a-z]+:\])+\]/g, '[x]');
  // Versions of sed disagree on where a bracket ends, and so on where the next command begins.
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
    // Inside brackets some versions treat the delimiter as a character.
    const isTorn = /\[[^\]]*$/.test(at.text.slice(begin, at.i));
    if (isTorn || at.i++ >= at.text.length) return unreadable;
  }
  const flags = command === 's' ? take(at, /[a-zA-Z0-9]*/y) : '';
  const unknownFlag = /[^gpiIM0-9]/.exec(flags);
  if (unknownFlag) return phrase('sed.flag', { flag: unknownFlag[0] });
  return ended(at);
}

function ended(at: Cursor): Phrase | undefined {
  take(at, /[ \t]*/y);
  const next = at.text[at.i];
  return next === undefined || /[;\n}#]/.test(next) ? undefined : unreadable;
}

function take(at: Cursor, pattern: RegExp): string {
  pattern.lastIndex = at.i;
  const text = pattern.exec(at.text)?.[0] ?? '';
  at.i += text.length;
  return text;
}

/** Whether an awk program only prints. Words that could do more are searched for everywhere, even in strings. */
const harmful = [
  [/\bsystem\b/, 'awk.system'],
  [/\bgetline\b/, 'awk.getline'],
  [/\|/, 'awk.pipe'],
  [/@/, 'awk.loads'],
  [/\b(ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO)\b/, 'awk.files'],
  [/\\\r?\n/, 'awk.brokenLines'],
  [/\b(close|fflush)\b/, 'awk.writes'],
] as const;

/** The effect of an awk program beyond printing, if any. */
function faultOfAwk(program: string): Phrase | undefined {
  const code = program.replaceAll('||', '  ');
  const fault = harmful.find(([pattern]) => pattern.test(code));
  if (fault) return phrase(fault[1]);
  // `>` compares, except after print, where it writes a file.
  const print = code.search(/print/);
  return print >= 0 && code.lastIndexOf('>') > print ? phrase('awk.prints') : undefined;
}

// `sqlite3 DB 'SELECT …'`: judges the statements and dot-commands by their words.

const sqliteOptions = {
  flags:
    /^-{1,2}(readonly|header|noheader|column|csv|json|line|list|html|markdown|table|box|quote|tabs|bail|batch)$/,
  valued: /^-{1,2}(separator|nullvalue|newline)$/,
};
const dotCommands =
  /^\.(tables|schema|fullschema|indexes|indices|databases|dbinfo|dump|headers?|mode|width|nullvalue|separator|show)( [\w%'" |,-]*)?$/;
const changing =
  /\b(attach|detach|load_extension|writefile|readfile|edit|fts3_tokenizer|fsdir|zipfile|vacuum|insert|update|delete|create|drop|alter|reindex|analyze|begin|commit|savepoint|release|into)\b/i;

/** Harmless when every statement only reads; without `-readonly` sqlite3 may still complete another process's transaction. */
export function judgeSqlite(args: readonly Argument[], state: LineState): Judgement {
  const operands: Argument[] = [];
  let isReadOnly = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word?.kind !== 'exact') return asksUnlessHeld(phrase('program.script', { name: 'sqlite3' }));
    if (sqliteOptions.valued.test(word.value)) i++;
    else if (sqliteOptions.flags.test(word.value)) isReadOnly ||= word.value.endsWith('readonly');
    else if (word.value.startsWith('-'))
      return asksUnlessHeld(phrase('sqlite.option', { option: word.text }));
    else operands.push(word);
  }
  const [database, ...statements] = operands;
  if (database === undefined || statements.length === 0) return asksUnlessHeld(phrase('sqlite.input'));
  const started = statements.find(({ value }) => mayStart(value));
  if (started) return asksUnlessHeld(phrase('sqlite.starts', { word: started.text }));
  const changed = statements.find(({ value }) => !isQuery(value));
  if (changed || database.value.startsWith('file:')) return asks(phrase('sqlite.changes'), 'high');
  const against = database.value === ':memory:' ? [] : touchPlaces([database], 'read', state);
  const settings = readsSettings(phrase(isReadOnly ? 'sqlite.asks' : 'sqlite.finishes'));
  return strictest([settings, ...against]);
}

// Some dot-commands, such as `.shell`, and some functions reach beyond the database.
function mayStart(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('.')
    ? !dotCommands.test(trimmed)
    : /load_extension|writefile|edit|fsdir|readfile|zipfile|sha3|fts3_tokenizer|eval/i.test(trimmed) ||
        !callsOnlyKnown(trimmed);
}

const knownFunctions = new Set(
  `count sum total avg min max group_concat string_agg length lower upper substr substring trim ltrim rtrim replace instr coalesce
ifnull nullif iif abs round date time datetime julianday strftime unixepoch printf format hex quote typeof cast json json_extract
json_each json_tree json_array_length json_type json_object json_array json_valid row_number rank dense_rank lag lead ntile
first_value last_value pragma_table_info over in exists values as select with using on and or not then else when case from join where
having by limit offset distinct all union between like glob is filter table_info table_xinfo table_list index_list index_info
foreign_key_list database_list compile_options`.split(/\s+/),
);

/** Extension functions can start programs and write files, also under a quoted name. */
function callsOnlyKnown(text: string): boolean {
  const code = text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'/g, ' ');
  const called = [...code.matchAll(/([\w"\]`]+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  return called.every((name) => knownFunctions.has(name));
}

function isQuery(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('.')) return dotCommands.test(trimmed);
  // Where a comment or a string ends decides how the rest is read, so one expression matches both.
  const code = trimmed.replace(
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'|"(?:""|[^"])*"|\[[^\]]*\]|`[^`]*`/g,
    (match) => (/^(--|\/\*)/.test(match) ? ' ' : 'x'),
  );
  const statements = code.split(';').map((statement) => statement.trim());
  return statements.every(
    (statement) =>
      statement === '' ||
      (/^(select|with|values|explain|pragma\s+(table_info|table_xinfo|table_list|index_list|index_info|foreign_key_list|database_list|compile_options)\b[^=]*$|pragma\s+user_version$)/i.test(
        statement,
      ) &&
        !changing.test(statement) &&
        !/\n\s*\./.test(statement)),
  );
}
