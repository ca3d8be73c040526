// The connection to the NATS servers and the two streams of a log. What was sent and not confirmed is sent again under the same id, so
// that it is stored once.
import { randomUUID } from 'node:crypto';
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { type Clock, systemClock } from '../clock.ts';
import { type NatsAddress, type NatsAuth, readAuthFile, shownAddress } from './address.ts';
import {
  type BrokerConnection,
  createPatience,
  followStatus,
  isSignIn,
  natsFault,
  type Patiently,
  signInRefused,
  textOf,
} from './requests.ts';
import type { Bucket, StreamClient, StreamManager } from './streams.ts';

export type Broker = {
  where: string;
  js: StreamClient;
  jsm: StreamManager;
  /** Created if missing. */
  openBucket(name: string, options?: { ttlMs?: number }): Promise<Bucket>;
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  names: Names;
  /** Texts are cut into pieces of this many bytes, and no message is longer. */
  pieceBytes: number;
  isConnected(): boolean;
  /** Called after every connection that was lost and is back. Returns how to stop. */
  onReconnect(listener: () => void): () => void;
  withRetries: Patiently;
  close(): Promise<void>;
};

/** `seals`: a stream, and the subject of all its messages. */
type Names = {
  prefix: string;
  log: string;
  texts: string;
  seals: string;
  subjects: string;
  textSubjects: string;
};

const connectMs = 5000;
/** A request without an answer is repeated, which is harmless. */
const requestMs = 2000;
const piece = 256 * 1024;
/** A repeated publish is recognised for so long; an append gives up before. */
const duplicateWindowMs = 5 * 60_000;

export async function openBroker(address: NatsAddress, auth: NatsAuth = {}): Promise<Broker> {
  const where = shownAddress(address);
  const nc = await connectTo(address, auth, where);
  try {
    const [js, jsm] = [
      jetstream(nc, { timeout: requestMs }),
      await jetstreamManager(nc, { checkAPI: false, timeout: requestMs }),
    ];
    const listeners = new Set<() => void>();
    const state: BrokerConnection = { isConnected: true, waiting: new Set() };
    void followStatus(nc, state, listeners);
    const { waitMs, name } = address;
    const names = brokerNames(name);
    const clock = systemClock;
    const isClosed = (): boolean => nc.isClosed();
    const withRetries = createPatience({ isClosed, jsm, stream: names.log, where, state, waitMs, clock });
    const buckets = new Kvm(js);
    const kvOptions = { replicas: replicasOf(nc, address), history: 1, allow_direct: false };
    const broker: Broker = {
      where,
      js,
      jsm,
      openBucket: (bucket, { ttlMs: ttl } = {}) =>
        withRetries(() => buckets.create(`${name}_${bucket}`, { ...kvOptions, ...(ttl && { ttl }) })),
      clock,
      newId: randomUUID,
      names,
      pieceBytes: Math.min(piece, Math.floor((nc.info?.max_payload ?? 2 * piece) / 2)),
      isConnected: () => state.isConnected && !isClosed(),
      onReconnect(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      withRetries,
      close: () => nc.close(),
    };
    await makeStreams({ nc, jsm, names, withRetries }, address);
    return broker;
  } catch (error) {
    await nc.close();
    throw natsFault(error, where);
  }
}

export function brokerNames(name: string): Names {
  return {
    prefix: name,
    log: `${name}_log`,
    texts: `${name}_texts`,
    seals: `${name}_seals`,
    subjects: `${name}.log`,
    textSubjects: `${name}.text`,
  };
}

async function connectTo(address: NatsAddress, auth: NatsAuth, place: string): Promise<NatsConnection> {
  const { servers, user, pass, token, isTls } = address;
  const { creds, ca, cert, key } = auth;
  const text = (path: string, label: string): string => readAuthFile(path, label).toString();
  const tls = {
    ...(ca && { ca: text(ca, 'certificate authority') }),
    ...(cert && { cert: text(cert, 'certificate') }),
    ...(key && { key: text(key, 'key') }),
  };
  try {
    return await connect({
      servers,
      name: 'codelab',
      timeout: connectMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      pingInterval: 10_000,
      // Otherwise each request makes an error with a stack, in case it fails.
      noAsyncTraces: true,
      ignoreAuthErrorAbort: true,
      waitOnFirstConnect: false,
      ...(user !== undefined && { user, pass }),
      ...(token !== undefined && { token }),
      ...(creds && { authenticator: credsAuthenticator(readAuthFile(creds, 'credentials')) }),
      ...((isTls || Object.keys(tls).length > 0) && { tls }),
    });
  } catch (error) {
    if (isSignIn(error)) throw signInRefused(place);
    throw natsFault(new Error(`no server answers (${textOf(error)}); start it, or correct --log`), place);
  }
}

function replicasOf(nc: NatsConnection, { replicas }: NatsAddress): number {
  return replicas ?? (nc.info?.cluster === undefined ? 1 : 3);
}

/** Streams that are there are left as their operator has set them. */
async function makeStreams(
  {
    nc,
    jsm,
    names,
    withRetries,
  }: Pick<Broker, 'names' | 'withRetries'> & { nc: NatsConnection; jsm: JetStreamManager },
  address: NatsAddress,
): Promise<void> {
  const common = {
    storage: StorageType.File,
    num_replicas: replicasOf(nc, address),
    // A full log refuses appends; it never drops entries.
    discard: DiscardPolicy.New,
    ...(address.maxBytes !== undefined && { max_bytes: address.maxBytes }),
    deny_delete: false,
    allow_direct: true,
  };
  await makeStream(jsm, withRetries, {
    ...common,
    name: names.log,
    subjects: [`${names.subjects}.*`],
    duplicate_window: duplicateWindowMs * 1_000_000,
  });
  await makeStream(jsm, withRetries, {
    ...common,
    name: names.texts,
    subjects: [`${names.textSubjects}.*.*.*.*`],
    max_msgs_per_subject: 1,
  });
  await makeStream(jsm, withRetries, {
    ...common,
    ...{ name: names.seals, subjects: [names.seals], duplicate_window: duplicateWindowMs * 1_000_000 },
    // The number of a seal is that of its message.
    ...{ deny_delete: true, deny_purge: true },
  });
}

async function makeStream(
  jsm: JetStreamManager,
  withRetries: Patiently,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  const isThere = await jsm.streams.info(config.name).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await withRetries(() => jsm.streams.add(config), { isFirst: true });
}
