// Delivers events to the `subscriptions/listen` streams of 2026-07-28. Each stream gets what its own client may read: the SDK asks for
// events without saying for whom, so the client is found by the request that is being served.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus, SubscriptionFilter } from '@modelcontextprotocol/server';
import { clientOfEnvelope, type Envelope, type Serving } from '../caller.ts';
import { watchResources } from './watch-resources.ts';

export type SubscriptionBus = ServerEventBus & {
  /** Runs the work of one request; a stream that it opens belongs to this caller. */
  serve<T>(serving: Serving, body: unknown, work: () => T): T;
};

/** The SDK has checked this shape before it subscribes. */
export type ListenBody = { params: { _meta: Envelope; notifications: SubscriptionFilter } };

export function createSubscriptionBus(): SubscriptionBus {
  const served = new AsyncLocalStorage<{ serving: Serving; body: unknown }>();
  const listeners = new Set<(event: ServerEvent) => void>();
  return {
    serve: (serving, body, work) => served.run({ serving, body }, work),
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      const current = served.getStore();
      const stop = current && watchListen(current.serving, current.body as ListenBody, listener);
      return () => {
        listeners.delete(listener);
        stop?.();
      };
    },
  };
}

/** Watches the resources that a `subscriptions/listen` requests. */
export function watchListen(
  serving: Serving,
  { params }: ListenBody,
  emit: (event: ServerEvent) => void,
): () => void {
  const client = clientOfEnvelope(params._meta);
  return watchResources(serving, { filter: params.notifications, client, emit });
}
