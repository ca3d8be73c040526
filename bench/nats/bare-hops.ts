// Runs the bare program: a client, two processes and the server, with the same durability as the log's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { connect } from '@nats-io/transport-node';

export type Child = AsyncDisposable & {
  url: string;
  /** Resolves with its answer to a message; one question at a time. */
  ask<T>(): Promise<T>;
};

export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), args);
  const exited = once(child, 'exit');
  const [url] = await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
  ]);
  return {
    url: String(url),
    async ask<T>() {
      child.send('marks');
      return (await once(child, 'message'))[0] as T;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves when a consumer has seen the last of so many messages. */
export type BareHops = AsyncDisposable & { run(messages: 1 | 2): Promise<void> };

export async function startBareHops(
  nc: Awaited<ReturnType<typeof connect>>,
  address: string,
): Promise<BareHops> {
  await (await jetstreamManager(nc)).streams.add({ name: 'hops', subjects: ['hops.*'] });
  const owner = await startChild('bare-child.ts', ['owner', address]);
  const front = await startChild('bare-child.ts', ['front', owner.url]);
  const consumer = await jetstream(nc).consumers.get('hops', { headers_only: true });
  const messages = await consumer.consume({ max_messages: 2000 });
  const seen = new Map<string, () => void>();
  void (async () => {
    for await (const { subject } of messages) seen.get(subject)?.();
  })();
  let runs = 0;
  return {
    async run(count) {
      const subject = `hops.${runs++}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      let left = count;
      seen.set(subject, () => (--left > 0 ? undefined : resolve()));
      const body = JSON.stringify({ approval_id: subject, decision: { kind: 'approve' } });
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answered = fetch(`${front.url}/${subject}/${count}`, request).then((answer) => answer.json());
      await promise;
      seen.delete(subject);
      // The answer may come later, as that to a decision.
      void answered.catch(() => undefined);
    },
    async [Symbol.asyncDispose]() {
      messages.stop();
      await front[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
    },
  };
}
