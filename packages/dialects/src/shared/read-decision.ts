// What a human decided, in any dialect's words. A decision that says two things at once is refused: it must never be guessed.
import { Decision, ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { readField, readText } from './read-fields.ts';

const words: Record<string, Decision['kind']> = {
  approve: 'approve',
  approved: 'approve',
  confirm: 'approve',
  allow_once: 'approve',
  y: 'approve',
  edit: 'edit',
  modify: 'edit',
  modified: 'edit',
  reject: 'reject',
  rejected: 'reject',
  deny: 'reject',
  n: 'reject',
  hunks: 'hunks',
  answer: 'answer',
};

/** `wordKey` is the field that holds the decision: `hitl_response`, the older form, calls it `action`. */
export function readDecision(message: Json, wordKey: 'decision' | 'action'): Decision {
  const kind = readKind(message, wordKey);
  const args = readField(message, ['modified_arguments', 'edited_arguments', 'modified_args']);
  const take = readField(message, ['take']);
  const edits = readField(message, ['edits']);
  const action = wordKey === 'action' ? undefined : readField(message, ['action']);
  refuseStray('modified_arguments', args, kind === 'edit');
  refuseStray('take', take, kind === 'hunks');
  refuseStray('action', action, kind === 'answer');
  const said = {
    kind,
    args,
    take,
    edits,
    action,
    feedback: hasFeedback(kind) ? readText(message, ['feedback', 'reason']) : undefined,
    cause: readField(message, ['cause']),
    remember: readField(message, ['remember']),
  };
  return check(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)));
}

function readKind(message: Json, wordKey: string): Decision['kind'] {
  const approved = readField(message, ['approved']);
  const word = readText(message, [wordKey]) ?? (typeof approved === 'boolean' ? (approved ? 'y' : 'n') : '');
  const kind = Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined;
  if (kind !== undefined && (approved === undefined || approved === (kind !== 'reject'))) return kind;
  const fault =
    kind === undefined ? 'must be approve, edit, reject, hunks or answer' : 'and `approved` disagree';
  throw new ToolError('INVALID_ARGUMENTS', `\`${wordKey}\` ${fault}.`, { field: wordKey });
}

// An approval has no words of its own to keep.
function hasFeedback(kind: Decision['kind']): boolean {
  return kind === 'reject' || kind === 'edit' || kind === 'hunks';
}

function refuseStray(field: string, value: unknown, isWanted: boolean): void {
  if (isWanted === (value !== undefined)) return;
  const fault = isWanted ? 'is missing' : 'does not belong to this decision';
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}

const wireNames: Record<string, string> = { args: 'modified_arguments' };

function check(said: Json): Decision {
  const parsed = Decision().safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]);
  const field = wireNames[name] ?? name;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` does not fit this decision.`, { field });
}
