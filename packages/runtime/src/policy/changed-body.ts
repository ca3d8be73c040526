// Whether a remembered command still executes the same body as when it was remembered, and otherwise what changed, in words for people.
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type CommandPart, type Phrase, phrase, type Rule } from '@codelab/protocol';
import { isProtectedPath } from './protected-names.ts';

type RememberedPrints = NonNullable<Rule['prints']>[number];
type Execution = NonNullable<CommandPart['execution']>;

const maxChanges = 5;
const maxChars = 200;

/** Undefined when the rule holds for this body. Rules that people wrote themselves say nothing about bodies. */
export function changedBody(rule: Rule, part: CommandPart): Phrase[] | undefined {
  const { id, effect, prints } = rule;
  const isOpen = rule.words?.some(({ words, more }) => more && isDeepStrictEqual(words, part.program));
  const execution = isOpen ? openExecution(part, rule.sandboxed === true) : part.execution;
  if (effect !== 'allow') return undefined;
  if (prints === undefined)
    return id.startsWith('remembered:') && execution !== undefined
      ? [phrase('remembered.notNoted')]
      : undefined;
  const name = isOpen ? openName(part) : part.words.join(' ');
  const rememberedBody = prints.find(({ command }) => command === name);
  if (rememberedBody === undefined && execution === undefined) return undefined;
  if (execution?.unknown !== undefined) return [phrase('remembered.unknown', { why: execution.unknown })];
  const now = execution ?? { files: [], runs: [] };
  const before = rememberedBody ?? { command: '', files: [], runs: [] };
  // Other arguments may run less than the remembered ones.
  const changes = changesOf(isOpen ? common(before, now) : before, now);
  if (changes.length === 0 && rememberedBody !== undefined) return undefined;
  const unnamed = changes.length - maxChanges;
  return [
    phrase('remembered.changed'),
    ...changes.slice(0, maxChanges),
    ...(unnamed > 0 ? [phrase('remembered.more', { count: unnamed })] : []),
  ];
}

/** The name of the stored body for a part that allows any arguments. */
export function openName({ program = [] }: Pick<CommandPart, 'program'>): string {
  return `${program.join(' ')} …`;
}

/**
 * The part of a body that a rule with any arguments is bound to: scripts of manifests, settings and hooks. Excluded are files that the
 * arguments name, with their neighbours, and in the sandbox all other code of the workspace, which changes as people work.
 */
export function openExecution(part: CommandPart, isHeld: boolean): Execution | undefined {
  const { execution, words, program = [], cwd = '.' } = part;
  if (execution === undefined) return undefined;
  // `--project=a.json`: a value that the rule fixes together with its option is no free argument.
  const programWords = new Set(program.flatMap((word) => [word, word.replace(/^-[^=]*=/, '')]));
  const argumentWords = words
    .map((word) => word.replace(/^-[^=]*=|::.*$/gs, ''))
    .filter((word) => !programWords.has(word))
    .map((word) => posix.join(cwd, word));
  // Settings in the start folder always belong to the body, whichever files the arguments name.
  const isFree = (path: string): boolean =>
    (isHeld && isCode(path)) ||
    ((isCode(path) || posix.dirname(path) !== cwd) && argumentWords.some((word) => isWith(path, word, cwd)));
  return {
    ...execution,
    files: execution.files.filter(({ path }) => !isFree(path)),
    runs: execution.runs.filter(({ label }) => !isFree(label)),
  };
}

// Texts of manifests, hooks and settings have labels of several words, a script its path.
function isCode(name: string): boolean {
  return name === 'sources' || (!name.includes(' ') && !name.startsWith('.git/') && !isProtectedPath(name));
}

/** Whether a path is `namedPath`, or lies below or beside it. */
function isWith(path: string, namedPath: string, cwd: string): boolean {
  const folder = posix.dirname(namedPath);
  return (
    path === namedPath ||
    path.startsWith(`${namedPath}/`) ||
    (folder !== cwd && posix.dirname(path) === folder)
  );
}

function common(before: RememberedPrints, now: Execution): RememberedPrints {
  const files = new Set(now.files.map(({ path }) => path));
  const labels = new Set(now.runs.map(({ label }) => label));
  return {
    ...before,
    files: before.files.filter(({ path }) => files.has(path)),
    runs: before.runs.filter(({ label }) => labels.has(label)),
  };
}

function changesOf(before: RememberedPrints, now: Execution): Phrase[] {
  const texts = compare(
    before.runs.map(({ label, text }) => [label, text]),
    now.runs.map(({ label, text }) => [label, text]),
    changedText,
  );
  const files = compare(
    before.files.map(({ path, print }) => [path, print]),
    now.files.map(({ path, print }) => [path, print]),
    changedFile,
  );
  return [...texts, ...files];
}

type TellChange = (name: string, before: string | undefined, after: string | undefined) => Phrase;

const changedText: TellChange = (label, before, after) => {
  if (before === undefined) return phrase('remembered.textAdded', { label, is: quote(after ?? '') });
  if (after === undefined) return phrase('remembered.textGone', { label, was: quote(before) });
  return phrase('remembered.text', { label, was: quote(before), is: quote(after) });
};

const changedFile: TellChange = (path, before, after) => {
  if (before === undefined) return phrase('remembered.fileNew', { path });
  return phrase(after === undefined ? 'remembered.fileGone' : 'remembered.fileChanged', { path });
};

type Pair = [name: string, value: string];

function compare(before: readonly Pair[], now: readonly Pair[], describeChange: TellChange): Phrase[] {
  const old = new Map(before);
  const fresh = new Map(now);
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((name) => old.get(name) !== fresh.get(name))
    .map((name) => describeChange(name, old.get(name), fresh.get(name)));
}

function quote(text: string): string {
  return JSON.stringify(text.length > maxChars ? `${text.slice(0, maxChars)}…` : text);
}
