// Facts that survive every summary, because a summary may omit them: the user's own words, the todo list, the changed files, the last
// failures, and people's decisions. They are read from the log, so earlier summaries remove nothing.
import type { Decision, Outcome, SessionEvent, ToolCall } from '@codelab/protocol';
import { cutText, estimateTokens, headWithin } from './estimate-tokens.ts';

type FactsRequest = {
  /** The sub-agent that owns the conversation. */
  agent: string | undefined;
  /** Later messages of users are still in the conversation. */
  through: number;
  todos: string;
  tokens: number;
};

/** Characters kept of a message: requirements are short, pasted logs are not. */
const maxWords = 4000;
const maxLine = 300;

/** The largest share of the room for each part; unused room is left to the summary. */
const shares = { words: 0.5, todos: 0.2, failures: 0.1, files: 0.1, decisions: 0.1 };

export function keptFacts(
  events: readonly SessionEvent[],
  { agent, through, todos, tokens }: FactsRequest,
): string {
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
  { agent, through }: Pick<FactsRequest, 'agent' | 'through'>,
  tokens: number,
): string {
  const messages = events.flatMap(({ seq, body }) =>
    (body.type === 'turn.started' || body.type === 'turn.steered') && body.agent === agent && seq <= through
      ? [cutText(body.text, maxWords)]
      : [],
  );
  const chosenTexts = new Set<string>();
  let tokensLeft = tokens;
  // The first message states the task; of the others the latest count.
  for (const text of [...messages.slice(0, 1), ...messages.slice(1).reverse()]) {
    const size = estimateTokens(text);
    if (chosenTexts.has(text) || size > tokensLeft) continue;
    tokensLeft -= size;
    chosenTexts.add(text);
  }
  return messages.filter((text) => chosenTexts.delete(text)).join('\n---\n');
}

function callsIn(events: readonly SessionEvent[]): ReadonlyMap<string, ToolCall> {
  return new Map(
    events.flatMap(({ body }) => (body.type === 'call.received' ? [[body.call.id, body.call]] : [])),
  );
}

/** Path by path, in the order of their last change. */
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
    const failure = failureOf(body.outcome);
    return failure === undefined ? [] : [`${nameOf(calls.get(body.callId))}: ${failure}`];
  });
}

function failureOf(outcome: Outcome): string | undefined {
  if (outcome.status !== 'completed') return line(`${outcome.error.code}: ${outcome.error.message}`);
  const { exit_code, stdout, stderr } = outcome.data;
  if (typeof exit_code !== 'number' || exit_code === 0) return undefined;
  // The error is usually at the end of the output.
  return `exit code ${exit_code}: ${`${stdout ?? ''}\n${stderr ?? ''}`.trim().slice(-maxLine)}`;
}

function decisions(events: readonly SessionEvent[], calls: ReadonlyMap<string, ToolCall>): string[] {
  return events.flatMap(({ body }) => {
    if (body.type !== 'approval.decided') return [];
    const text = tellDecision(body.decision);
    return text === undefined ? [] : [line(`${nameOf(calls.get(body.callId))}: ${text}`)];
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
      const verb = { edit: 'edited', hunks: 'took some hunks only', reject: 'rejected' }[decision.kind];
      return decision.feedback === undefined ? verb : `${verb}: ${JSON.stringify(decision.feedback)}`;
    }
  }
}

function nameOf(call: ToolCall | undefined): string {
  return call === undefined ? 'A call' : line(`${call.tool} ${JSON.stringify(call.args)}`);
}

function line(text: string): string {
  return cutText(text, maxLine).replaceAll('\n', ' ');
}

/** The last lines that fit, in order. */
function latest(lines: readonly string[], tokens: number): string {
  let tokensLeft = tokens;
  const fitting = lines.toReversed().filter((text) => {
    tokensLeft -= estimateTokens(text) + 2;
    return tokensLeft >= 0;
  });
  return fitting
    .reverse()
    .map((text) => `- ${text}`)
    .join('\n');
}
