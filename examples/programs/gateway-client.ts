// Talks to a gateway as any client does: opens a session, makes a call that needs approval, decides it, and reads the events.
import { CodeLabAPI, StreamingClient } from '@codelab/client';
import { startGateway } from '@codelab/server/gateway';
import { temporaryWorkspace } from './temporary-workspace.ts';

using place = temporaryWorkspace();
// Usually the gateway runs elsewhere: `codelab serve` prints its address and token.
await using gateway = await startGateway({ compose: { ...place, mode: 'balanced', env: {} }, port: 0 });
const { url, token } = gateway;

const api = new CodeLabAPI({ url, token });
const { id: session } = await api.sessions.create({ title: 'Example' });
const stream = new StreamingClient({ url, token, session, wire: 'neutral', since: 0 });
const finished = new Promise<void>((resolve) => {
  stream.on('event', ({ event }) => {
    console.log(`event ${event.seq}: ${event.body.type}`);
    if (event.body.type === 'approval.requested') void approveAll();
    if (event.body.type === 'call.finished') resolve();
  });
});
await stream.connect();
await api.call(session, { tool: 'write_file', args: { path: 'notes/today.md', content: 'hello\n' } });
await finished;
stream.close();

async function approveAll(): Promise<void> {
  for (const approval of await api.sessions.pendingApprovals(session)) {
    console.log(`approving: ${approval.plan.summary}`);
    await api.decide(session, approval.id, { kind: 'approve' });
  }
}
