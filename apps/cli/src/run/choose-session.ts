// Which session a headless turn belongs to: a new one, the one that is named, or with --continue the latest of this workspace.
import { type SessionLog, ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { findSessions, fullSessionId } from '../audit/find-sessions.ts';
import { UsageError } from '../command-line/define-command.ts';
import { lastTurn } from './last-turn.ts';

type Wanted = { session?: string | undefined; continue?: boolean | undefined };
type Chosen = { session: string; profile?: string; lastModel?: string };

export async function chooseSession(log: SessionLog, root: string, wanted: Wanted): Promise<Chosen> {
  if (wanted.session !== undefined && wanted.continue)
    throw new UsageError('Give --session or --continue, not both.');
  if (wanted.session !== undefined) return { session: await fullSessionId(log, wanted.session) };
  if (!wanted.continue) return { session: randomId() };
  const here = await findSessions(log, { root });
  for (const { id } of here.toSorted((a, b) => b.lastAt - a.lastAt)) {
    const last = await lastTurn(log, id);
    if (last !== undefined) return { session: id, profile: last.profile, lastModel: last.model };
  }
  throw new ToolError(
    'SESSION_NOT_FOUND',
    'There is no conversation to continue in this workspace. Leave out --continue to begin one.',
  );
}
