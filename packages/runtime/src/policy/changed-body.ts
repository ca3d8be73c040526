// Does a remembered command still execute what it did when it was remembered? If not, what has changed, for people to read.
import type { CommandPart, Rule } from '@codelab/protocol';

type Kept = NonNullable<Rule['prints']>[number];
type Execution = NonNullable<CommandPart['execution']>;

const maxChanges = 5;
const maxChars = 200;

/** Undefined when the rule holds for this body. Rules that people wrote themselves say nothing about bodies. */
export function changedBody({ id, effect, prints }: Rule, part: CommandPart): string | undefined {
  const { execution } = part;
  if (effect !== 'allow') return undefined;
  if (prints === undefined)
    return id.startsWith('remembered:') && execution !== undefined
      ? 'You allowed this before, but what it runs was not noted then.'
      : undefined;
  const kept = prints.find(({ command }) => command === part.words.join(' '));
  if (kept === undefined && execution === undefined) return undefined;
  if (execution?.unknown !== undefined)
    return `You allowed this before, but it is no longer known what it runs: ${execution.unknown}`;
  const changes = changesOf(
    kept ?? { command: '', files: [], runs: [] },
    execution ?? { files: [], runs: [] },
  );
  if (changes.length === 0 && kept !== undefined) return undefined;
  const more = changes.length > maxChanges ? ` And ${changes.length - maxChanges} more.` : '';
  return `You allowed this before, but what it runs has changed. ${changes.slice(0, maxChanges).join(' ')}${more}`;
}

function changesOf(before: Kept, now: Execution): string[] {
  const texts = compare(
    before.runs.map(({ label, text }) => [label, text]),
    now.runs.map(({ label, text }) => [label, text]),
    (label, was, is) => `${label}: was ${quote(was)}, is now ${quote(is)}.`,
  );
  const files = compare(
    before.files.map(({ path, print }) => [path, print]),
    now.files.map(({ path, print }) => [path, print]),
    (path, was, is) =>
      `${path} ${was === undefined ? 'is new' : is === undefined ? 'is gone' : 'has changed'}.`,
  );
  return [...texts, ...files];
}

type Pair = [name: string, value: string];

function compare(
  before: readonly Pair[],
  now: readonly Pair[],
  tell: (name: string, was: string | undefined, is: string | undefined) => string,
): string[] {
  const old = new Map(before);
  const fresh = new Map(now);
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((name) => old.get(name) !== fresh.get(name))
    .map((name) => tell(name, old.get(name), fresh.get(name)));
}

function quote(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return JSON.stringify(text.length > maxChars ? `${text.slice(0, maxChars)}…` : text);
}
