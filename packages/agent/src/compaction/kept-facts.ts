// What survives every summary by code, since a summary may forget it: what the user said, in their words, the list of things to do, the
// files that were changed, the last failures, and what people decided. Taken from the log, so that earlier summaries take nothing away.
import type { Decision, Outcome, SessionEvent, ToolCall } from '@codelab/protocol';
import { cutText, estimateTokens, headWithin } from './estimate-tokens.ts';

type Asked = {
  /** The sub-agent whose conversation it is. */
  agent: string | undefined;
  /** What users said later is still in the conversation. */
  through: number;
  todos: string;
  tokens: number;
};

/** Of a message: requirements are short, pasted logs are not. */
const maxWords = 4000;
const maxLine = 300;

/** The share of the room that each part may take at most; what one does not need is left to the summary. */
const shares = { words: 0.5, todos: 0.2, failures: 0.1, files: 0.1, decisions: 0.1 };

export function keptFacts(events: readonly SessionEvent[], { agent, through, todos, tokens }: Asked): string {
  const calls = callsIn(events);
  const parts: [string, string][] = [
    ['What the user said, word for word', userWords(events, { agent, through }, tokens * shares.words)],
    ['Things to do', headWithin(todos, tokens * shares.todos)],
    ['Files changed so far', latest(changedFiles(events), tokens * shares.files)],
    ['Last failures', latest(failures(events, calls), tokens * shares.failures)],
    ['What people decided', latest(decisions(events, calls), tokens * shares.decisions)],
  ];
  return parts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `\n\n=== ${name} ===\n${text}`)
    .join('');
}

function userWords(
  events: readonly SessionEvent[],
  { agent, through }: Pick<Asked, 'agent' | 'through'>,
  tokens: number,
): string {
  const said = events.flatMap(({ seq, body }) =>
    (body.type === 'turn.started' || body.type === 'turn.steered') && body.agent === agent && seq <= through
      ? [cutText(body.text, maxWords)]
      : [],
  );
  const kept = new Set<string>();
  let room = tokens;
  // The first words say what it is all about; of the others the latest count.
  for (const text of [...said.slice(0, 1), ...said.slice(1).reverse()]) {
    const size = estimateTokens(text);
    if (kept.has(text) || size > room) continue;
    room -= size;
    kept.add(text);
  }
  return said.filter((text) => kept.delete(text)).join('\n---\n');
}

function callsIn(events: readonly SessionEvent[]): ReadonlyMap<string, ToolCall> {
  return new Map(
    events.flatMap(({ body }) => (body.type === 'call.received' ? [[body.call.id, body.call]] : [])),
  );
}

/** Path by path, in the order they were last changed. */
function changedFiles(events: readonly SessionEvent[]): string[] {
  const files = new Map<string, string>();
  for (const { body } of events) {
    if (body.type !== 'call.finished') continue;
    for (const { op, path, from, after } of body.outcome.effects) {
      files.delete(path);
      const size = after === null ? '' : `, ${after.size} bytes`;
      files.set(path, op === 'move' ? `moved from ${from}` : `${ops[op]}${size}`);
    }
  }
  return Array.from(files, ([path, state]) => line(`${path}: ${state}`));
}

const ops = { create: 'created', update: 'changed', delete: 'deleted', move: 'moved', mkdir: 'folder made' };

function failures(events: readonly SessionEvent[], calls: ReadonlyMap<string, ToolCall>): string[] {
  return events.flatMap(({ body }) => {
    if (body.type !== 'call.finished') return [];
    const why = failureOf(body.outcome);
    return why === undefined ? [] : [`${nameOf(calls.get(body.callId))}: ${why}`];
  });
}

function failureOf(outcome: Outcome): string | undefined {
  if (outcome.status !== 'completed') return line(`${outcome.error.code}: ${outcome.error.message}`);
  const { exit_code, stdout, stderr } = outcome.data;
  if (typeof exit_code !== 'number' || exit_code === 0) return undefined;
  // What went wrong is said at the end.
  return `exit code ${exit_code}: ${`${stdout ?? ''}\n${stderr ?? ''}`.trim().slice(-maxLine)}`;
}

function decisions(events: readonly SessionEvent[], calls: ReadonlyMap<string, ToolCall>): string[] {
  return events.flatMap(({ body }) => {
    if (body.type !== 'approval.decided') return [];
    const said = tellDecision(body.decision);
    return said === undefined ? [] : [line(`${nameOf(calls.get(body.callId))}: ${said}`)];
  });
}

function tellDecision(decision: Decision): string | undefined {
  switch (decision.kind) {
    case 'approve':
      return undefined;
    case 'answer':
      return `answered ${JSON.stringify(decision.action)}`;
    case 'edit':
    case 'hunks':
    case 'reject': {
      const how = { edit: 'edited', hunks: 'took some hunks only', reject: 'rejected' }[decision.kind];
      return decision.feedback === undefined ? how : `${how}: ${JSON.stringify(decision.feedback)}`;
    }
  }
}

function nameOf(call: ToolCall | undefined): string {
  return call === undefined ? 'A call' : line(`${call.tool} ${JSON.stringify(call.args)}`);
}

function line(text: string): string {
  return cutText(text, maxLine).replaceAll('\n', ' ');
}

/** The last ones that fit, in order. */
function latest(lines: readonly string[], tokens: number): string {
  let room = tokens;
  const kept = lines.toReversed().filter((text) => {
    room -= estimateTokens(text) + 2;
    return room >= 0;
  });
  return kept
    .reverse()
    .map((text) => `- ${text}`)
    .join('\n');
}
