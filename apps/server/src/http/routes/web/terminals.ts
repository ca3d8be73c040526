// The operator's own terminals over HTTP. Only a signed-in page of the operator is served: no token alone, no other person, and no program
// that a tool started, for reading as well.
import { type TerminalView, terminalRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { exitCode } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { goneSignal } from '../../../edge/gone-signal.ts';
import { actorOf, type Gateway, type Peer, type SharedSession } from '../../../sessions/gateway.ts';
import type { PersonTerminals, TerminalEntry } from '../../../terminals/terminals.ts';
import { serveRoute } from '../../route.ts';

/** A terminal gives as much access as a change, so the process behind a GET is checked as well. */
const forPerson = { changes: () => true };

type Open = { gateway: Gateway; terminals: PersonTerminals };

export function serveTerminals(app: FastifyInstance, gateway: Gateway, terminals: PersonTerminals): void {
  const open = { gateway, terminals };

  serveRoute(
    app,
    terminalRoutes.list,
    async ({ peer, params }) => {
      const { id } = await sessionOf(open, peer, params.id);
      return { terminals: terminals.all(id).map(view) };
    },
    forPerson,
  );

  serveRoute(app, terminalRoutes.open, async ({ peer, params, body }) =>
    view(await terminals.open(await sessionOf(open, peer, params.id), actorOf(peer), body)),
  );

  serveRoute(app, terminalRoutes.resize, async ({ peer, params, body }) => {
    (await find(open, peer, params)).terminal.resize(body);
    return undefined;
  });

  serveRoute(app, terminalRoutes.close, async ({ peer, params }) => {
    await terminals.close(await find(open, peer, params), actorOf(peer));
    return undefined;
  });
  serveTyping(app, open);
}

function serveTyping(app: FastifyInstance, open: Open): void {
  serveRoute(
    app,
    terminalRoutes.output,
    async ({ peer, params, query: { cursor, wait_ms: wait }, reply }) => {
      const entry = await find(open, peer, params);
      const { terminal } = entry;
      const signOut = peer.page === undefined ? [] : [peer.page.ended];
      await terminal.more(
        cursor,
        AbortSignal.any([goneSignal(reply), AbortSignal.timeout(wait), ...signOut]),
      );
      const read = terminal.read(cursor);
      const { terminal_id, status, exit_code } = view(entry);
      const printed = { output: read.bytes.toString('base64'), cursor: read.cursor, dropped: read.dropped };
      return { terminal_id, status, exit_code, ...printed };
    },
    forPerson,
  );

  serveRoute(app, terminalRoutes.input, async ({ peer, params, body: { input } }) => {
    const { terminal } = await find(open, peer, params);
    if (terminal.exit !== undefined)
      throw new ToolError('EXECUTION_FAILED', 'The terminal has ended. Open a new one.');
    terminal.write(input);
    return undefined;
  });
}

async function sessionOf({ gateway }: Open, peer: Peer, id: string): Promise<SharedSession> {
  checkPerson(peer);
  return await gateway.session(id, peer, { mustExist: true });
}

async function find(
  open: Open,
  peer: Peer,
  { id, terminal }: { id: string; terminal: string },
): Promise<TerminalEntry> {
  return open.terminals.find((await sessionOf(open, peer, id)).id, terminal);
}

function checkPerson({ page, isOperator }: Peer): void {
  if (page !== undefined && isOperator) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'A terminal is the operator’s own: open it in a page that is signed in with the link that `codelab sign-in` prints.',
    { reason: 'NOT_THE_OPERATOR' },
  );
}

function view({ id, shell, cwd, startedAt, terminal: { exit } }: TerminalEntry): TerminalView {
  return {
    terminal_id: id,
    status: exit === undefined ? 'running' : 'exited',
    exit_code: exit === undefined ? null : exitCode(exit),
    ...{ shell, cwd, started_at: startedAt },
  };
}
