// What an earlier call of a session gave back, as a model reads it: the text that its outcome in the log makes, or for a command that printed
// more than its outcome holds, the file with all of it. It belongs to its session and goes with it.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import type { CallOutput } from '../../tool/define-tool.ts';
import type { Host } from '../host.ts';
import type { LiveSession } from './live-session.ts';
import { findOutcome } from './session-history.ts';

export async function callOutput(
  host: Host,
  session: Pick<LiveSession, 'id' | 'outcome'>,
  callId: string,
): Promise<CallOutput | undefined> {
  const outcome = (await session.outcome(callId)) ?? (await outcomeBefore(host, session.id, callId));
  if (outcome === undefined) return undefined;
  const seen = outcome.status === 'completed' ? (outcome.seen ?? []).map(({ path }) => path) : [];
  const facts = { tool: outcome.tool, seen };
  const file = outputFile(host, outcome);
  return file === undefined ? { ...facts, text: textOf(host, outcome) } : { ...facts, file };
}

/** Before the session was forked, or in another process since it was last looked at. */
function outcomeBefore({ log }: Host, session: string, callId: string): Promise<Outcome | undefined> {
  return findOutcome(log, { session, seq: Number.MAX_SAFE_INTEGER }, (outcome) => outcome.callId === callId);
}

/** Where the whole output of a command is kept; a tool of others may say anything in its result. */
function outputFile({ tools, home }: Host, outcome: Outcome): string | undefined {
  if (!tools.has(outcome.tool)) return undefined;
  const data = outcome.status === 'completed' ? outcome.data : outcome.error.details;
  const file = data?.output_file;
  const isOurs = typeof file === 'string' && dirname(file) === join(home, 'output');
  return isOurs && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

function textOf({ tools, foreign }: Host, outcome: Outcome): string {
  if (outcome.status !== 'completed') return `${outcome.error.code}: ${outcome.error.message}`;
  const { tool, data } = outcome;
  return tools.get(tool)?.tellPlainly(data) ?? foreign?.tell(data) ?? JSON.stringify(data);
}
