// Copies a stream out of a nats-server and back, by the requests that `nats stream backup` and `nats stream restore` send.
import { createInbox, type NatsConnection } from '@nats-io/transport-node';

export type StreamBackup = { config: object; state: object; chunks: Uint8Array[] };

const chunkBytes = 64 * 1024;

export async function backupStream(nc: NatsConnection, stream: string): Promise<StreamBackup> {
  const inbox = createInbox();
  const chunks: Uint8Array[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const subscription = nc.subscribe(inbox, {
    callback: (_, message) => {
      // A message without data is the end.
      if (message.data.length === 0) return resolve();
      chunks.push(message.data);
      message.respond();
    },
  });
  const snapshotRequest = { deliver_subject: inbox, no_consumers: true, chunk_size: chunkBytes };
  const { config, state } = await request(
    nc,
    `$JS.API.STREAM.SNAPSHOT.${stream}`,
    JSON.stringify(snapshotRequest),
  );
  await ended;
  subscription.unsubscribe();
  return { config: config ?? {}, state: state ?? {}, chunks };
}

export async function restoreStream(
  nc: NatsConnection,
  stream: string,
  { config, state, chunks }: StreamBackup,
): Promise<void> {
  const subject = `$JS.API.STREAM.RESTORE.${stream}`;
  const { deliver_subject: to = '' } = await request(nc, subject, JSON.stringify({ config, state }));
  for (const chunk of chunks) await nc.request(to, chunk, { timeout: 10_000 });
  await request(nc, to, '');
}

type Answer = { config?: object; state?: object; deliver_subject?: string; error?: { description: string } };

async function request(nc: NatsConnection, subject: string, body: string): Promise<Answer> {
  const answer = (await nc.request(subject, body, { timeout: 10_000 })).json<Answer>();
  if (answer.error !== undefined) throw new Error(`${subject}: ${answer.error.description}`);
  return answer;
}
