// Notifies a subscriber when a resource of its client may have changed, or when the list has. A file is checked every second: a file
// system watch for each would use up those that editors need.
import { ToolError } from '@codelab/protocol';
import type { ServerEvent, SubscriptionFilter } from '@modelcontextprotocol/server';
import { fileVersion, isFreeToRead } from '../../../agent/context/context-files.ts';
import type { SharedSession } from '../../../sessions/gateway.ts';
import type { Client, Serving } from '../caller.ts';
import { readResourceAddress } from './resource-address.ts';
import { changesSurvey } from './survey-session.ts';

export type Subscriber = {
  filter: Pick<SubscriptionFilter, 'resourceSubscriptions' | 'resourcesListChanged'>;
  client: Client;
  emit(event: ServerEvent): void;
};

type Watching = { serving: Serving; session: SharedSession; signal: AbortSignal };

const lookEveryMs = 1000;
const mostWatched = 64;

/** Returns how to stop. */
export function watchResources(serving: Serving, subscriber: Subscriber): () => void {
  const stop = new AbortController();
  watchAll(serving, subscriber, stop.signal).catch((error: unknown) => {
    // A session of another user, or a deleted one, is not watched.
    if (!stop.signal.aborted && !(error instanceof ToolError)) serving.wire.onFault(error);
  });
  return () => stop.abort();
}

async function watchAll(
  serving: Serving,
  { filter, client, emit }: Subscriber,
  signal: AbortSignal,
): Promise<void> {
  const { resourceSubscriptions: uris = [], resourcesListChanged: isListWanted = false } = filter;
  if (uris.length === 0 && !isListWanted) return;
  const session = await serving.caller.openSession(client.name);
  const watching = { serving, session, signal };
  const logs = new Set<string>();
  for (const uri of uris.slice(0, mostWatched)) {
    const address = readResourceAddress(uri);
    // A session of another user is not watched.
    if (address?.kind === 'log' && address.session === session.id) logs.add(uri);
    if (address?.kind === 'file')
      watchFile(watching, address.path, () => emit({ kind: 'resource_updated', uri }));
  }
  if (logs.size === 0 && !isListWanted) return;
  for await (const message of session.listen({ since: await session.head(), signal })) {
    if (message.type !== 'event') continue;
    for (const uri of logs) emit({ kind: 'resource_updated', uri });
    if (isListWanted && changesSurvey(message.event)) emit({ kind: 'resources_list_changed' });
  }
}

/** For a file that needs approval to read, not even a change is reported. */
function watchFile({ serving, session, signal }: Watching, path: string, changed: () => void): void {
  const { host } = serving.wire.gateway;
  const role = { session: session.id, profile: serving.caller.profile ?? session.profile };
  let before = fileVersion(host.workspace, path);
  async function checkVersion(): Promise<void> {
    const now = fileVersion(host.workspace, path);
    if (now === before) return;
    before = now;
    if (now === undefined || (await isFreeToRead(host, role, path))) changed();
  }
  const timer = setInterval(() => void checkVersion().catch(serving.wire.onFault), lookEveryMs).unref();
  if (signal.aborted) clearInterval(timer);
  else signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
