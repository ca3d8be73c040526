// Where a session is heard and spoken to over a WebSocket. Which wire, role and place in the log is said in the query.
import { fillPath } from './route.ts';

export function socketPath(session: string): string {
  return fillPath('/ws/{session}', { session });
}
