// The part of JetStream that a gateway's log uses, over requests to the simulated servers: publishing, reading, consumers, and KV buckets.
import type { MsgHdrs } from '@nats-io/transport-node';
import { standingHeader } from '../../../apps/server/src/log/jetstream/message.ts';
import type {
  Bucket,
  ConsumedMessage,
  StoredMessage,
  StreamClient,
  StreamManager,
} from '../../../apps/server/src/log/jetstream/streams.ts';
import type { Network } from '../machine/network.ts';
import type { SimProcess } from '../machine/process.ts';
import { createQueue, type Queue } from '../machine/queue.ts';
import type { Stored } from './stores.ts';
import type { Handle, StreamServer } from './stream-server.ts';

export type Request = <T>(kind: 'read' | 'write', handle: Handle<T>) => Promise<T>;
/** A consumer or a watch, until its connection is lost. */
export type Subscription = { fail(error: Error): void; stop(): void };

export type ClientParts = {
  process: SimProcess;
  server: StreamServer;
  network: Network;
  request: Request;
  subscriptions: Set<Subscription>;
};

/** The server sends everything from this interval together. */
const batchMs = 0.5;

export function streamManager({ request, server: { store } }: ClientParts): StreamManager {
  return {
    streams: {
      info: () => request('read', () => ({ state: { last_seq: store.lastSeq } })),
      getMessage: (_, query) =>
        request('read', (view) => {
          if ('last_by_subj' in query) return toMessage(store.last(query.last_by_subj, view));
          if (query.next_by_subj === undefined)
            throw new Error('not simulated: a message by its number alone');
          return toMessage(store.next(query.next_by_subj, query.seq, view));
        }),
      purge: () => Promise.reject(new Error('not simulated: deleting')),
    },
  };
}

function toMessage(stored: Stored | undefined): StoredMessage | null {
  if (stored === undefined) return null;
  return { seq: stored.seq, header: headersOf(stored), data: Buffer.from(stored.data) };
}

function headersOf({ standing }: Stored): MsgHdrs {
  return { get: (name: string) => (name === standingHeader ? standing : '') } as MsgHdrs;
}

export function streamClient({
  process,
  server,
  network,
  request,
  subscriptions,
}: ClientParts): StreamClient {
  const { store } = server;
  return {
    publish: (subject, payload, { headers, msgID = '', expect }) =>
      request('write', () =>
        store.publish(
          {
            subject,
            standing: headers?.get(standingHeader) ?? '',
            data: String(payload),
            id: msgID,
            after: expect?.lastSubjectSequence ?? 0,
          },
          process.name,
        ),
      ),
    consumers: {
      get: async (_, { opt_start_seq: start = 0, filter_subjects: filter }) => ({
        async consume() {
          const queue = createQueue<ConsumedMessage>();
          await request('read', () => {
            const first = start === 0 ? store.lastOfAll() : store.since(start - 1);
            const send = batches(queue, { server, network, process });
            send(first);
            const stop = store.onAppend((stored) => send([stored]));
            subscriptions.add({ fail: queue.fail, stop });
          });
          return queue;
        },
        async fetch({ max_messages: maxMessages }) {
          const found = await request('read', (view) => {
            const messages: Stored[] = [];
            let next = store.next(String(filter), start, view);
            for (
              ;
              next !== undefined && messages.length < maxMessages;
              next = store.next(String(filter), next.seq + 1, view)
            )
              messages.push(next);
            return messages;
          });
          const queue = createQueue<ConsumedMessage>();
          queue.push(found.map((stored) => consumed(stored, 0)));
          queue.stop();
          return queue;
        },
        delete: async () => true,
      }),
    },
  };
}

function consumed(stored: Stored, pending: number): ConsumedMessage {
  const { subject, seq, data } = stored;
  return { subject, seq, data: Buffer.from(data), headers: headersOf(stored), info: { pending } };
}

type Way = { server: StreamServer; network: Network; process: SimProcess };

function batches(
  queue: Queue<ConsumedMessage>,
  { server, network, process }: Way,
): (stored: readonly Stored[]) => void {
  let open: Stored[] = [];
  return (newMessages) => {
    if (open.length === 0 && newMessages.length > 0)
      server.process.clock.after(batchMs, () => {
        const batch = open;
        open = [];
        network.stream(server.process.name, process, () => {
          const { lastSeq } = server.store;
          queue.push(
            batch.map((stored) => ({ ...consumedHeader(stored), info: { pending: lastSeq - stored.seq } })),
          );
        });
      });
    for (const stored of newMessages) open.push(stored);
  };
}

const noData = new Uint8Array();

function consumedHeader(stored: Stored): Omit<ConsumedMessage, 'info'> {
  return { subject: stored.subject, seq: stored.seq, data: noData, headers: headersOf(stored) };
}

export function openBucket(parts: ClientParts, name: string): Bucket {
  const { process, server, network, request, subscriptions } = parts;
  const { buckets } = server;
  type Change = { key: string; operation: string; string(): string };
  const toChange = ({ key, text }: { key: string; text: string | undefined }): Change => ({
    key,
    operation: text === undefined ? 'DEL' : 'PUT',
    string: () => text ?? '',
  });
  return {
    get: (key) =>
      request('read', (view) => {
        const found = buckets.get(name, key, view);
        return found?.text === undefined
          ? null
          : { revision: found.revision, string: () => found.text ?? '' };
      }),
    put: (key, text, options) =>
      request('write', () => buckets.put(name, { key, text, after: options?.previousSeq })),
    delete: async (key) => void (await request('write', () => buckets.put(name, { key, text: undefined }))),
    async watch() {
      const queue = createQueue<Change>();
      await request('read', () => {
        const send = (changes: Change[]): void =>
          network.stream(server.process.name, process, () => queue.push(changes));
        send(buckets.entries(name).map(toChange));
        const stop = buckets.onPut(name, (entry) => send([toChange(entry)]));
        subscriptions.add({ fail: queue.fail, stop });
      });
      return queue;
    },
  };
}
