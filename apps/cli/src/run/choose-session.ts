// The session of a headless turn: a new one, the named one, or with --continue the latest of this workspace.
import { type SessionEvent, type SessionLog, ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { expandSessionId, findSessions } from '../audit/find-sessions.ts';
import { UsageError } from '../command-line/define-command.ts';

type Wanted = { session?: string | undefined; continue?: boolean | undefined };
type Chosen = { session: string; profile?: string; lastModel?: string };

export async function chooseSession(log: SessionLog, root: string, options: Wanted): Promise<Chosen> {
  if (options.session !== undefined && options.continue)
    throw new UsageError('Give --session or --continue, not both.');
  if (options.session !== undefined) return { session: await expandSessionId(log, options.session) };
  if (!options.continue) return { session: randomId() };
  const sessions = await findSessions(log, { root });
  for (const { id } of sessions.toSorted((a, b) => b.lastAt - a.lastAt)) {
    const last = await lastTurn(log, id);
    if (last !== undefined) return { session: id, profile: last.profile, lastModel: last.model };
  }
  throw new ToolError(
    'SESSION_NOT_FOUND',
    'There is no conversation to continue in this workspace. Omit --continue to start one.',
  );
}

/** The model and mode of the latest turn, and whether it has ended; a fork without a turn uses those of its original. */
type LastTurn = { isOpen: boolean; model: string; profile: string };

export async function lastTurn(log: SessionLog, session: string): Promise<LastTurn | undefined> {
  const events = await log.read(session);
  const latest = latestIn(events);
  const [first] = events;
  if (latest !== undefined || first?.body.type !== 'session.opened') return latest;
  const origin = first.body.forkedFrom;
  // An open turn in the original session is not finished from here.
  const before = origin && (await lastTurn(log, origin.session));
  return before && { ...before, isOpen: false };
}

function latestIn(events: readonly SessionEvent[]): LastTurn | undefined {
  let latest: LastTurn | undefined;
  for (const { body } of events) {
    if (body.type === 'turn.started' && body.agent === undefined)
      latest = { isOpen: true, model: body.model, profile: body.profile };
    else if (body.type === 'turn.ended' && body.agent === undefined && latest !== undefined)
      latest.isOpen = false;
  }
  return latest;
}
