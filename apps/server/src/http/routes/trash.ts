// What was deleted in this workspace and is still kept, and bringing it back. Nothing is written over.
import { changeRoutes, type TrashEntry } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Deletion, hasItem } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import type { Changes } from '../changes/open-changes.ts';
import { takeBack } from '../changes/take-back.ts';
import { route } from '../route.ts';
import { ownSessions } from '../work/own-sessions.ts';

const mostShown = 500;

export function serveTrash(app: FastifyInstance, gateway: Gateway, changes: Changes): void {
  const { host } = gateway;

  async function kept(by: Peer): Promise<Deletion[]> {
    const own = await ownSessions(gateway, by);
    const { deletions } = await changes.index();
    return deletions.filter(({ session }) => own.has(session));
  }

  route(app, changeRoutes.trash, async ({ peer }) => {
    const entries: TrashEntry[] = [];
    for (const one of await kept(peer)) {
      if (entries.length === mostShown) break;
      if (hasItem(host.home, one.trashId)) entries.push(view(one));
    }
    return { entries };
  });

  route(app, changeRoutes.restore, async ({ peer, params }) => {
    const found = (await kept(peer)).find(({ trashId }) => trashId === params.trash);
    if (found === undefined) throw gone(params.trash);
    const session = await gateway.session(found.session, peer, { mustExist: true });
    const which = { call_id: found.callId, paths: [found.path] };
    const { files, done } = await takeBack(host, session, { verb: 'undo', which, isForced: false, by: peer });
    const refused = files.find(({ state }) => state === 'refused');
    if (!done || refused !== undefined) throw inTheWay(found.path, refused?.why);
    return { ...view(found), restored: true as const };
  });
}

function view({ trashId, path, files, bytes, at, session, callId }: Deletion): TrashEntry {
  const deleted = new Date(at).toISOString();
  return { trash_id: trashId, path, files, bytes, deleted_at: deleted, session, call_id: callId };
}

function gone(id: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `${JSON.stringify(id.slice(0, 200))} is not in the trash. GET ${changeRoutes.trash.path} lists what is.`,
  );
}

function inTheWay(path: string, why = 'it could not be brought back'): ToolError {
  const text = `${path} was not restored: ${why}. Move away what stands there, then restore it again.`;
  return new ToolError('STALE', text, { path });
}
