// The used part of JetStream, implemented by the client of a server and by a simulation.
import type { OrderedConsumerOptions, PurgeOpts, StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';

export type StreamClient = {
  publish(
    subject: string,
    payload: string | Uint8Array,
    options: { headers?: MsgHdrs; msgID?: string; expect?: { lastSubjectSequence: number } },
  ): Promise<{ seq: number }>;
  consumers: { get(stream: string, options: Partial<OrderedConsumerOptions>): Promise<StreamConsumer> };
};

type StreamConsumer = {
  consume(options: {
    max_messages: number;
    idle_heartbeat: number;
    expires: number;
  }): Promise<AsyncIterable<ConsumedMessage> & { stop(): void }>;
  fetch(options: { max_messages: number; expires: number }): Promise<AsyncIterable<ConsumedMessage>>;
  delete(): Promise<boolean>;
};

export type ConsumedMessage = {
  subject: string;
  seq: number;
  data: Uint8Array;
  headers?: MsgHdrs | undefined;
  info: { pending: number };
};

export type StoredMessage = Pick<StoredMsg, 'header' | 'seq' | 'data'>;

/** The last message of a subject, the one at a place in the stream, or the first of a subject from there on. */
export type MessageQuery = { last_by_subj: string } | { seq: number; next_by_subj?: string };

export type StreamManager = {
  streams: {
    info(stream: string): Promise<{ state: { last_seq: number } }>;
    getMessage(stream: string, query: MessageQuery): Promise<StoredMessage | null>;
    purge(stream: string, options: PurgeOpts): Promise<unknown>;
  };
};

/** A KV bucket; `watch` yields the present entries, then every change. */
export type Bucket = {
  get(key: string): Promise<{ revision: number; string(): string } | null>;
  put(key: string, text: string, options?: { previousSeq: number }): Promise<number>;
  delete(key: string): Promise<void>;
  watch(): Promise<AsyncIterable<{ key: string; operation: string; string(): string }> & { stop(): void }>;
};
