// A new session that begins with a part of another one, and the points where it can branch off.
import { type DialectName, type SessionEvent, ToolError } from '@codelab/protocol';
import { type Host, randomId } from '@codelab/runtime';
import type { ForkOptions, Peer } from './gateway.ts';
import type { Owners, SessionHeaders } from './session-header.ts';

type Forking = ForkOptions & {
  host: Host;
  owners: Owners;
  clientOf(session: string): Promise<DialectName | undefined>;
  headers: Pick<SessionHeaders, 'of'>;
};

/** The name of the new session. */
export async function forkSession(
  session: string,
  by: Peer,
  { host, owners, clientOf, headers, seq, before, title }: Forking,
): Promise<string> {
  await owners.admit(session, by, { mustExist: true });
  const events = await host.log.read(session);
  const forkedFrom = {
    session,
    seq: before === undefined ? forkPoint(events, seq) : pointBefore(events, before),
  };
  const client = await clientOf(session);
  // The fork continues in the worktree of the session it comes from.
  const { workspace, worktree } = (await headers.of(session)) ?? {};
  const fork = randomId();
  const at = worktree && { workspace, worktree };
  await owners.make(fork, by, { forkedFrom, client, ...at, ...(title !== undefined && { title }) });
  return fork;
}

// A session can be forked at the end of a turn, because a model's calls must be answered before the next message.

/** The last entry of the fork's origin; `seq` is any entry of the last included turn. */
function forkPoint(events: readonly SessionEvent[], seq?: number): number {
  const last = events.at(-1)?.seq ?? 0;
  if (seq !== undefined && (seq < 1 || seq > last))
    throw new ToolError('INVALID_ARGUMENTS', `\`seq\` must be an entry of this session: 1 to ${last}.`, {
      field: 'seq',
    });
  const until = seq ?? last;
  const lastBorder = events.findLast((event) => event.seq <= until && isBorder(event));
  if (lastBorder?.body.type !== 'turn.started') return until;
  const end = events.find((event) => event.seq > until && isBorder(event));
  if (end?.body.type === 'turn.ended') return end.seq;
  throw new ToolError('STALE', 'This turn is not finished yet. Wait for it, or fork at an entry before it.');
}

/** The last entry before the turn that `seq` is in. */
function pointBefore(events: readonly SessionEvent[], seq: number): number {
  const started = events.findLast(
    (event) => event.seq <= seq && event.body.type === 'turn.started' && isBorder(event),
  );
  if (started !== undefined) return started.seq - 1;
  throw new ToolError('INVALID_ARGUMENTS', '`before` must be an entry of a turn of this session.', {
    field: 'before',
  });
}

// A sub-agent's turns are part of the turn around them.
function isBorder({ body }: SessionEvent): boolean {
  return (body.type === 'turn.started' || body.type === 'turn.ended') && body.agent === undefined;
}
