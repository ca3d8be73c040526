// The stored state of screens, of the workspace for each person and of each session.
import { screenRoutes } from '@codelab/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../../sessions/gateway.ts';
import { changeScreen, readScreen } from '../../../sessions/screen-state.ts';
import { serveRoute } from '../../route.ts';

export function serveScreen(app: FastifyInstance, gateway: Gateway): void {
  const { home } = gateway.host;

  serveRoute(app, screenRoutes.get, ({ peer }) => ({ state: readScreen(home, { person: peer.subject }) }));

  serveRoute(app, screenRoutes.change, async ({ peer, body }) => {
    changeScreen(home, { person: peer.subject }, body.state);
    return undefined;
  });

  serveRoute(app, screenRoutes.getOf, async ({ peer, params }) => {
    const { id: session } = await gateway.session(params.id, peer, { mustExist: true });
    return { state: readScreen(home, { session }) };
  });

  serveRoute(app, screenRoutes.changeOf, async ({ peer, params, body }) => {
    const { id: session } = await gateway.session(params.id, peer, { mustExist: true });
    changeScreen(home, { session }, body.state);
    return undefined;
  });
}
