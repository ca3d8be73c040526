// Runs the bare program: a client, two processes and the server, with the same durability as the log's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
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
      child.send('ask');
      return (await once(child, 'message'))[0] as T;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves with the time at which the last of so many messages was stored, for the process that publishes them. */
export type BareHops = AsyncDisposable & { run(messages: 1 | 2): Promise<number> };

export async function startBareHops(
  nc: Awaited<ReturnType<typeof connect>>,
  address: string,
): Promise<BareHops> {
  await (await jetstreamManager(nc)).streams.add({ name: 'hops', subjects: ['hops.*'] });
  const owner = await startChild('bare-child.ts', ['owner', address]);
  const front = await startChild('bare-child.ts', ['front', owner.url]);
  let runs = 0;
  return {
    async run(count) {
      const subject = `hops.${runs++}`;
      const body = JSON.stringify({ approval_id: subject, decision: { kind: 'approve' } });
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      await (await fetch(`${front.url}/${subject}/${count}`, request)).json();
      return await owner.ask<number>();
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
    },
  };
}
