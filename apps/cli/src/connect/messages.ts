// The messages of an executor to its gateway.
import '../shared.ts';
import { type Dialect, type Json, refuse, type WireCall } from '@codelab/dialects';
import { type Outcome, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { callDigest, type ExecutorJob } from './job.ts';

/** A gateway accepts messages of up to 10 MB. */
const maxChars = 9 * 1024 * 1024;

export function resultOf(dialect: Dialect, call: WireCall, outcome: Outcome): Json {
  const resultMessage = dialect.encode({ type: 'result', asked: call, outcome });
  if (JSON.stringify(resultMessage).length <= maxChars) return resultMessage;
  const message = 'The call ran, but its result is too long to send. Request less.';
  return dialect.encode(refuse(call, new ToolError('FILE_TOO_LARGE', message)));
}

type Accepted = {
  host: Host;
  dialect: Dialect;
  session: string;
  callId: string;
  input: unknown;
  job: ExecutorJob;
};

/** The approval of the user here, with the call as they edited it. */
export async function acceptance(accepted: Accepted): Promise<Json> {
  const { host, dialect, job } = accepted;
  const { call } = job;
  const edited = await editedArgs(accepted);
  if (edited === undefined) return decisionMessage(dialect, job, { kind: 'approve' });
  const { wire } = dialect.spell({ ...call, args: edited });
  job.meaning = callDigest(
    host,
    dialect.ask({ id: call.id, tool: wire.tool, args: wire.args, isLasting: true }),
  );
  return decisionMessage(dialect, job, { kind: 'edit', args: wire.args });
}

export function refusal(dialect: Dialect, job: ExecutorJob, feedback: string): Json {
  return decisionMessage(dialect, job, { kind: 'reject', feedback });
}

export function isProgress(dialect: Dialect, frame: Json): boolean {
  try {
    return dialect.decode(frame).type === 'progress';
  } catch {
    return false;
  }
}

type Decided = Parameters<Dialect['encode']>[0] & { type: 'decision' };

function decisionMessage(
  dialect: Dialect,
  { call, approvalId }: ExecutorJob,
  decision: Decided['decision'],
): Json {
  const message = dialect.encode({ type: 'decision', callId: call.id, decision });
  return approvalId === undefined ? message : { ...message, approval_id: approvalId };
}

async function editedArgs({ host, session, callId, input }: Accepted): Promise<Json | undefined> {
  const events = await host.log.read(session);
  const decided = events.findLast(({ body }) => body.type === 'approval.decided' && body.callId === callId);
  if (decided?.body.type !== 'approval.decided') return undefined;
  const { decision } = decided.body;
  if (decision.kind === 'edit') return decision.args;
  // The arguments that the tool made from the taken hunks already hold the choice.
  return decision.kind === 'hunks' ? (input as Json) : undefined;
}
