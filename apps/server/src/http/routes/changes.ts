// What the calls of a session changed: turn by turn, as diffs, taken back and brought again.
import { changeRoutes, type UndoResult } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { diffEffects } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { createChangeView } from '../changes/change-view.ts';
import type { Changes } from '../changes/open-changes.ts';
import { showTakeBack, takeBack, type Which } from '../changes/take-back.ts';
import { route } from '../route.ts';

const maxDiff = 2 * 1024 * 1024;

export function serveChanges(app: FastifyInstance, gateway: Gateway, changes: Changes): void {
  const { host } = gateway;
  const view = createChangeView(host);

  route(app, changeRoutes.list, async ({ peer, params }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    return { turns: view(id, await changes.of(id), await changes.index()) };
  });

  route(app, changeRoutes.diff, async ({ peer, params }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    const found = (await changes.of(id)).findLast(({ outcome }) => outcome.callId === params.call);
    if (found === undefined) throw unknown(params.call);
    const { outcome, summary } = found;
    const places = { ...host, versions: (await changes.index()).versions };
    const files = diffEffects(outcome.effects, places, { maxChars: maxDiff });
    return { call_id: outcome.callId, tool: outcome.tool, summary, files };
  });

  route(app, changeRoutes.undo, async ({ peer, params, body: { dry_run, force, ...which } }) => {
    if (which.turn !== undefined && which.call_id !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'Give `turn` or `call_id`, not both.', { field: 'turn' });
    return await run(gateway, params.id, peer, { verb: 'undo', which, isForced: force, isDry: dry_run });
  });

  route(app, changeRoutes.redo, async ({ peer, params, body: { dry_run, force } }) =>
    run(gateway, params.id, peer, { verb: 'redo', which: {}, isForced: force, isDry: dry_run }),
  );
}

type Wanted = { verb: 'undo' | 'redo'; which: Which; isForced: boolean; isDry: boolean };

async function run(
  gateway: Gateway,
  id: string,
  by: Peer,
  { isDry, ...wanted }: Wanted,
): Promise<UndoResult> {
  const session = await gateway.session(id, by, { mustExist: true });
  return isDry
    ? await showTakeBack(gateway.host, session, wanted)
    : await takeBack(gateway.host, session, { ...wanted, by });
}

function unknown(call: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `No call ${JSON.stringify(call.slice(0, 200))} of this session has changed files. GET …/changes lists them.`,
  );
}
