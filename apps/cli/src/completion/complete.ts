// The possible words at the cursor of a command line, from the table of commands and each command's own table of options.
import '../shared.ts';
import { visibleLine } from '@codelab/protocol';
import type { CliCommand, Option, Options } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { cliCommands, defaults } from '../commands.ts';
import { type CompletionValue, findValues, type ValueKind } from './values.ts';

/** `paths`: the shell completes the names of files or folders. */
type Completion = { suggestions: CompletionValue[]; paths?: 'files' | 'folders' };

const none: Completion = { suggestions: [] };
const help: Option = { type: 'boolean', summary: 'this text' };

/** For the shell scripts: a line for each, `value<TAB>hint`. */
export async function printCompletions(words: readonly string[]): Promise<number> {
  const { suggestions, paths } = await complete(words);
  const lines = suggestions.map(({ value, hint }) => [value, hint ?? []].flat().map(visibleLine).join('\t'));
  const completionLines = paths === undefined ? lines : [...lines, `:${paths}`];
  writeText(1, completionLines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** `words` are those after `codelab`; the last is the one at the cursor, and may be empty. */
async function complete(words: readonly string[]): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const before = joinedAtEquals(words.slice(0, -1));
  if (before.includes('--')) return { suggestions: [], paths: 'files' };
  const { name, rest } = nameOf(before);
  const entry = Object.hasOwn(cliCommands, name) ? cliCommands[name] : undefined;
  const command = entry && (await entry.load());
  const options: Options = { ...command?.options, help };
  const completion = await fromOptions(options, { before, current });
  if (completion !== undefined) return startingWith(current, completion);
  const names = namesAfter(plainWords(before));
  const positional =
    command && rest.length < command.takes.max ? await fromWords(name, command, before) : none;
  return startingWith(current, { ...positional, suggestions: [...names, ...positional.suggestions] });
}

// bash passes `--output=js` as three words.
function joinedAtEquals(words: readonly string[]): string[] {
  return words.filter((word, i) => !(word === '=' && words[i - 1]?.startsWith('--')));
}

/** The command that the words name, `chat` without one, and the remaining words. */
function nameOf(before: readonly string[]): { name: string; rest: string[] } {
  const commandWords = plainWords(before);
  const [first = '', second = ''] = commandWords;
  if (Object.hasOwn(cliCommands, `${first} ${second}`))
    return { name: `${first} ${second}`, rest: commandWords.slice(2) };
  if (Object.hasOwn(cliCommands, first)) return { name: first, rest: commandWords.slice(1) };
  const defaultName = Object.hasOwn(defaults, first) ? defaults[first] : undefined;
  return { name: defaultName ?? (commandWords.length === 0 ? 'chat' : ''), rest: commandWords.slice(1) };
}

/** The words without options, and without the values of options that may precede the command. */
function plainWords(before: readonly string[]): string[] {
  const taking = ['--workspace', '--session', '--model', '--mode', '--profile', '--approve'];
  return before.filter((word, i) => !word.startsWith('-') && !taking.includes(before[i - 1] ?? ''));
}

/** The commands, or those of a group; none after a complete command. */
function namesAfter([group, ...otherWords]: readonly string[]): CompletionValue[] {
  if (otherWords.length > 0) return [];
  const start = group === undefined ? '' : `${group} `;
  const summaries = new Map<string, string>();
  for (const [name, { summary }] of Object.entries(cliCommands)) {
    if (!name.startsWith(start)) continue;
    const [word = '', ...otherWords] = name.slice(start.length).split(' ');
    if (!summaries.has(word)) summaries.set(word, otherWords.length === 0 ? summary : groupHint(word));
  }
  return [...summaries].map(([value, hint]) => ({ value, hint }));
}

function groupHint(group: string): string {
  const names = Object.keys(cliCommands).filter((name) => name.startsWith(`${group} `));
  return names.map((name) => name.slice(group.length + 1)).join(', ');
}

type Cursor = { before: readonly string[]; current: string };

/** Undefined when the word at the cursor is neither an option nor the value of one. */
async function fromOptions(options: Options, { before, current }: Cursor): Promise<Completion | undefined> {
  const [, joined] = /^--([\w-]+)=/.exec(current) ?? [];
  if (joined !== undefined) {
    const { suggestions } = await valuesOf(joined, options, before);
    return {
      suggestions: suggestions.map(({ value, ...rest }) => ({ value: `--${joined}=${value}`, ...rest })),
    };
  }
  const previous = before.at(-1);
  const optionName = previous?.startsWith('--') ? previous.slice(2) : '';
  const taking = Object.hasOwn(options, optionName) ? options[optionName] : undefined;
  if (taking?.type === 'string' && !taking.isValueOptional)
    return await valuesOf(optionName, options, before);
  if (!current.startsWith('-')) return undefined;
  const unused = Object.entries(options).filter(([name]) => !before.includes(`--${name}`));
  return { suggestions: unused.map(([name, { summary }]) => ({ value: `--${name}`, hint: summary })) };
}

async function valuesOf(name: string, options: Options, before: readonly string[]): Promise<Completion> {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option?.choices !== undefined) return { suggestions: option.choices.map((value) => ({ value })) };
  if (option?.value === 'DIR') return { suggestions: [], paths: 'folders' };
  if (option?.value === 'FILE' || option?.value === 'URL|FILE') return { suggestions: [], paths: 'files' };
  const kinds: Record<string, ValueKind> = { session: 'sessions', model: 'models', profile: 'profiles' };
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind === undefined ? none : { suggestions: await findValues(kind, workspaceIn(before)) };
}

/** Decided by the names of the arguments in the command's help. */
async function fromWords(
  name: string,
  { words }: CliCommand,
  before: readonly string[],
): Promise<Completion> {
  const kind = kindOf(name, words);
  if (kind !== undefined) return { suggestions: await findValues(kind, workspaceIn(before)) };
  return words.includes('PATH') ? { suggestions: [], paths: 'files' } : none;
}

function kindOf(name: string, words: string): ValueKind | undefined {
  if (name === 'completion') return 'shells';
  if (name === 'tool') return 'tools';
  if (words.startsWith('KEY')) return 'settings';
  if (/^sessions /.test(name) && words.startsWith('ID')) return 'sessions';
  if (words.startsWith('[SESSION]')) return 'sessions';
  return name.startsWith('model ') && words.includes('NAME') ? 'models' : undefined;
}

function workspaceIn(before: readonly string[]): string {
  const at = before.indexOf('--workspace');
  const joined = before.find((word) => word.startsWith('--workspace='))?.slice('--workspace='.length);
  return (at < 0 ? undefined : before[at + 1]) ?? joined ?? '.';
}

function startingWith(current: string, { suggestions, ...rest }: Completion): Completion {
  // bash passes the text after the equals sign as a word of its own.
  const start = current === '=' ? '' : current;
  return { ...rest, suggestions: suggestions.filter(({ value }) => value.startsWith(start)) };
}
