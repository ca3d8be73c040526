// Subscriptions of clients before 2026-07-28: a request for each resource, and notifications on the client's own connection.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import { type Client, clientOf, type Serving } from '../caller.ts';
import { readResourceAddress } from './resource-address.ts';
import { watchResources } from './watch-resources.ts';

export type Subscriptions = {
  /** From now on the client gets notifications when the list of resources changes. */
  watchList(client: Client): void;
};

const mostSubscriptions = 64;

export function serveSubscriptions(server: Server, serving: Serving): Subscriptions {
  const { extra } = serving.wire;
  const stops = new Map<string, () => void>();
  let stopList: (() => void) | undefined;
  const emit = sendTo(server);
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, ctx) => {
    const isExtra = extra?.resources.some((resource) => resource.uri === uri) === true;
    if (readResourceAddress(uri) === undefined && !isExtra) throw new ResourceNotFoundError(uri);
    if (stops.has(uri)) return {};
    if (stops.size >= mostSubscriptions) throw tooMany();
    const filter = { resourceSubscriptions: [uri] };
    stops.set(uri, watchResources(serving, { filter, client: clientOf(server, ctx), emit }));
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    stops.get(uri)?.();
    stops.delete(uri);
    return {};
  });
  server.onclose = () => {
    for (const stop of stops.values()) stop();
    stopList?.();
  };
  return {
    watchList(client) {
      stopList ??= watchResources(serving, { filter: { resourcesListChanged: true }, client, emit });
    },
  };
}

/** Sends an event on the connection of a server. */
export function sendTo(server: Server): (event: ServerEvent) => void {
  return (event) => {
    const notification =
      event.kind === 'resource_updated'
        ? server.sendResourceUpdated({ uri: event.uri })
        : server.sendResourceListChanged();
    // A client that is gone needs no notification.
    notification.catch(() => undefined);
  };
}

function tooMany(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${mostSubscriptions} resources are subscribed to. Unsubscribe from some of them first.`,
  );
}
