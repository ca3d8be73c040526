// What an executor says to its gateway.
import '../shared.ts';
import { type AskedCall, type Dialect, type Json, refuse } from '@codelab/dialects';
import { type Outcome, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Job } from './job.ts';
import { meaningOf } from './meaning-of.ts';

// A gateway takes messages of 10 MB.
const maxChars = 9 * 1024 * 1024;

export function resultOf(dialect: Dialect, asked: AskedCall, outcome: Outcome): Json {
  const said = dialect.encode({ type: 'result', asked, outcome });
  if (JSON.stringify(said).length <= maxChars) return said;
  const message = 'It was carried out, but its result is too long to be sent. Ask for less of it.';
  return dialect.encode(refuse(asked, new ToolError('FILE_TOO_LARGE', message)));
}

type Accepted = { host: Host; dialect: Dialect; session: string; callId: string; job: Job };

/** The yes of the human here, with what they made of the call. */
export async function acceptance({ host, dialect, session, callId, job }: Accepted): Promise<Json> {
  const { asked } = job;
  const edited = await editedArgs(host, session, callId);
  if (edited === undefined) return said(dialect, job, { kind: 'approve' });
  const { wire } = dialect.spell({ ...asked, args: edited });
  job.meaning = meaningOf(
    host,
    dialect.ask({ id: asked.id, tool: wire.tool, args: wire.args, isLasting: true }),
  );
  return said(dialect, job, { kind: 'edit', args: wire.args });
}

export function refusal(dialect: Dialect, job: Job, feedback: string): Json {
  return said(dialect, job, { kind: 'reject', feedback });
}

export function isProgress(dialect: Dialect, frame: Json): boolean {
  try {
    return dialect.decode(frame).type === 'progress';
  } catch {
    return false;
  }
}

type Decided = Parameters<Dialect['encode']>[0] & { type: 'decision' };

function said(dialect: Dialect, { asked, approvalId }: Job, decision: Decided['decision']): Json {
  const message = dialect.encode({ type: 'decision', callId: asked.id, decision });
  return approvalId === undefined ? message : { ...message, approval_id: approvalId };
}

async function editedArgs(host: Host, session: string, callId: string): Promise<Json | undefined> {
  const events = await host.log.read(session);
  const decided = events.findLast(({ body }) => body.type === 'approval.decided' && body.callId === callId);
  if (decided?.body.type !== 'approval.decided' || decided.body.decision.kind !== 'edit') return undefined;
  return decided.body.decision.args;
}
