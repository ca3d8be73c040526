// Readings of an outcome: the exit of a command, the lines of its output that explain a failure, and a todo list.
import { type Outcome, withoutColours } from '@codelab/protocol';
import type { TodoItem } from './session-model.ts';

const longest = 20_000;

/** Undefined where nothing has exited, or it exited well. */
export function failedExit(outcome: Outcome | undefined): number | undefined {
  const code = outcome?.status === 'completed' ? outcome.data.exit_code : undefined;
  return typeof code === 'number' && code !== 0 ? code : undefined;
}

export function outputOf(outcome: Outcome | undefined): string {
  if (outcome?.status !== 'completed') return '';
  const { stdout, stderr } = outcome.data;
  return [stdout, stderr].filter((part) => typeof part === 'string' && part !== '').join('\n');
}

/** The last lines that say something. */
export function lastLines(text: string, most: number): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-most)
    .join('\n');
}

/** Where an error or a failed test is told, as compilers, runtimes and test runners do. */
const cause =
  /^\s*(?:\w+ )?\w*(?:Error|Exception)\b|(?:^|\s)error(?:\[\w+\])?: |^\s*(?:not ok|FAIL(?:ED)?|✖|×|E )\b|panicked at|^\s*(?:✖|×) /;

/** The lines of a failure that say why: from the last error on where one is told, else the last ones. */
export function tellingLines(text: string, most: number): string {
  const lines = withoutColours(text.slice(-longest))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const at = lines.findLastIndex((line) => cause.test(line));
  const from = at < 0 ? -most : Math.min(at, Math.max(0, lines.length - most));
  return lines.slice(from).slice(0, most).join('\n');
}

// A todo list, where an outcome holds one. Told by its shape, so that no tool has to be known by name.
const statuses: readonly string[] = ['pending', 'in_progress', 'completed', 'cancelled'];

export function readTodos(data: Record<string, unknown>): readonly TodoItem[] | undefined {
  const { items, in_progress: underWay, count } = data;
  if (!Array.isArray(items) || typeof underWay !== 'number' || typeof count !== 'number') return undefined;
  return items.every(isTodo) ? items : undefined;
}

function isTodo(item: unknown): item is TodoItem {
  if (typeof item !== 'object' || item === null) return false;
  const { id, content, status } = item as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    typeof content === 'string' &&
    typeof status === 'string' &&
    statuses.includes(status)
  );
}
