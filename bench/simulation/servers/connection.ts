// One gateway's connection to the simulated NATS servers, as its log uses it: requests that time out, consumers, watches, and a connection
// that is lost and restored.
import { errors } from '@nats-io/transport-node';
import { type Broker, brokerNames } from '../../../apps/server/src/log/jetstream/broker.ts';
import { type BrokerConnection, createPatience } from '../../../apps/server/src/log/jetstream/requests.ts';
import type { Random } from '../machine/scheduler.ts';
import {
  type ClientParts,
  openBucket,
  type Request,
  type Subscription,
  streamClient,
  streamManager,
} from './client.ts';
import type { Answer, Handle } from './stream-server.ts';

export type Connection = Broker & {
  /** The server it was connected to is gone, or the way to it. */
  lose(): void;
  restore(): void;
};

type Parts = Omit<ClientParts, 'request' | 'subscriptions'> & { random: Random };

const requestMs = 2000;
const waitMs = 60_000;

export function connectTo(parts: Parts): Connection {
  const { process, server, network, random } = parts;
  const { clock } = process;
  const names = brokerNames('codelab');
  const state: BrokerConnection = { isConnected: true, waiting: new Set() };
  const listeners = new Set<() => void>();
  const subscriptions = new Set<Subscription>();
  const request = createRequest(parts);
  const client: ClientParts = { ...parts, request, subscriptions };
  const jsm = streamManager(client);
  const withRetries = createPatience({
    state,
    isClosed: () => false,
    jsm,
    stream: names.log,
    where: 'simulated',
    waitMs,
    clock,
  });
  const connectionLost = (): Error => new errors.ConnectionError('the connection was lost');
  return {
    where: 'simulated',
    js: streamClient(client),
    jsm,
    openBucket: async (name) => openBucket(client, name),
    clock,
    newId: () => newId(random),
    names,
    pieceBytes: 256 * 1024,
    isConnected: () => state.isConnected,
    onReconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    withRetries,
    close: async () => undefined,
    lose() {
      state.isConnected = false;
      network.reset(process.name, server.process.name);
      for (const subscription of subscriptions) subscription.stop();
      process.run(() => {
        for (const fail of state.waiting) fail(connectionLost());
        for (const subscription of subscriptions) subscription.fail(connectionLost());
        subscriptions.clear();
      });
    },
    restore() {
      process.run(() => {
        state.isConnected = true;
        for (const listener of listeners) listener();
      });
    },
  };
}

function newId(random: Random): string {
  const part = (): string =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${part()}${part()}${part()}${part()}`;
}

function createRequest({ process, server, network }: Parts): Request {
  return (kind, handle) =>
    new Promise((resolve, reject) => {
      const stop = process.clock.after(requestMs, () => reject(new errors.TimeoutError()));
      const answer: Answer<Awaited<ReturnType<typeof handle>>> = (give) =>
        network.stream(server.process.name, process, () => {
          stop();
          try {
            resolve(give());
          } catch (error) {
            reject(error);
          }
        });
      network.stream(process.name, server.process, () => {
        if (kind === 'read') server.read(handle as Handle<never>, answer as Answer<never>);
        else server.write(handle as () => never, answer as Answer<never>);
      });
    });
}
