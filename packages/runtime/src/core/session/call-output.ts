// The output of an earlier call of the session, as a model reads it: the text of its recorded outcome, or the file with the whole output of
// a command. The file belongs to its session and is deleted with it.
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

/** An outcome from before a fork, or from another process. */
function outcomeBefore({ log }: Host, session: string, callId: string): Promise<Outcome | undefined> {
  return findOutcome(log, { session, seq: Number.MAX_SAFE_INTEGER }, (outcome) => outcome.callId === callId);
}

/** The path of a command's whole output. Only built-in tools are trusted here: a foreign tool may put any path into its result. */
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
