// What the calls of a session changed: turn by turn, as diffs, taken back and brought again.
import { ToolError } from '@codelab/protocol';
import { diffEffects } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { createChangeView } from '../changes/change-view.ts';
import type { Changes } from '../changes/open-changes.ts';
import { showTakeBack, type TakenBack, takeBack, type Which } from '../changes/take-back.ts';

type ById = { Params: { id: string } };

const base = '/api/v1/sessions/:id';
const maxDiff = 2 * 1024 * 1024;

const how = () => ({ dry_run: z._default(z.boolean(), false), force: z._default(z.boolean(), false) });
const Undo = () =>
  z.strictObject({
    turn: z.optional(z.int().check(z.positive())),
    call_id: z.optional(z.string().check(z.maxLength(200))),
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
    ...how(),
  });
const Redo = () => z.strictObject(how());

export function changeRoutes(app: FastifyInstance, gateway: Gateway, changes: Changes): void {
  const { host } = gateway;
  const view = createChangeView(host);

  const listing = { summary: 'What the calls of a session changed, newest turn first' };
  app.get<ById>(`${base}/changes`, { config: { about: listing } }, async ({ peer, params }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    return { turns: view(id, await changes.of(id), await changes.index()) };
  });

  const diffing = { summary: 'What one call changed, as a unified diff for each file' };
  app.get<{ Params: { id: string; call: string } }>(
    `${base}/changes/:call`,
    { config: { about: diffing } },
    async ({ peer, params }) => {
      const { id } = await gateway.session(params.id, peer, { mustExist: true });
      const found = (await changes.of(id)).findLast(({ outcome }) => outcome.callId === params.call);
      if (found === undefined) throw unknown(params.call);
      const { outcome, summary } = found;
      const places = { ...host, versions: (await changes.index()).versions };
      const files = diffEffects(outcome.effects, places, { maxChars: maxDiff });
      return { call_id: outcome.callId, tool: outcome.tool, summary, files };
    },
  );
  takingBackRoutes(app, gateway);
}

function takingBackRoutes(app: FastifyInstance, gateway: Gateway): void {
  const undoing = { summary: 'Takes back what a turn or call of the session did to files', body: Undo };
  app.post<ById>(`${base}/undo`, { config: { about: undoing } }, async ({ peer, params, body }) => {
    const { dry_run, force, ...which } = readInput(Undo(), body);
    if (which.turn !== undefined && which.call_id !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'Give `turn` or `call_id`, not both.', { field: 'turn' });
    return await run(gateway, params.id, peer, { verb: 'undo', which, isForced: force, isDry: dry_run });
  });

  const redoing = { summary: 'Brings again what the last undo of the session took back', body: Redo };
  app.post<ById>(`${base}/redo`, { config: { about: redoing } }, async ({ peer, params, body }) => {
    const { dry_run, force } = readInput(Redo(), body);
    return await run(gateway, params.id, peer, { verb: 'redo', which: {}, isForced: force, isDry: dry_run });
  });
}

type Wanted = { verb: 'undo' | 'redo'; which: Which; isForced: boolean; isDry: boolean };

async function run(gateway: Gateway, id: string, by: Peer, { isDry, ...wanted }: Wanted): Promise<TakenBack> {
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
