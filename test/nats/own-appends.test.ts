// A gateway may hear of its own append before it is told that it is stored. Here the answer to each publish waits until it was heard of.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNatsAddress } from '../../apps/server/src/log/jetstream/address.ts';
import { type Broker, openBroker } from '../../apps/server/src/log/jetstream/broker.ts';
import { createJetStreamLog, type JetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { opened, titledEvent } from '../support/audit-bench.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';

/** A broker that counts reads, and holds each answer to a publish back. */
function watched({ js, jsm, ...broker }: Broker, hold: (subject: string) => Promise<void>) {
  const counts = { reads: 0 };
  const { streams } = jsm;
  const watchedBroker: Broker = {
    ...broker,
    js: {
      consumers: js.consumers,
      async publish(subject, ...rest) {
        const answer = await js.publish(subject, ...rest).catch((error: unknown) => ({ error }));
        await hold(subject);
        if ('error' in answer) throw answer.error;
        return answer;
      },
    },
    jsm: {
      streams: {
        info: (name) => streams.info(name),
        purge: (name, options) => streams.purge(name, options),
        async getMessage(name, query) {
          counts.reads++;
          return await streams.getMessage(name, query);
        },
      },
    },
  };
  return { broker: watchedBroker, counts };
}

describe.skipIf(natsProgram === undefined)('a gateway that hears of its own append first', () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await startNatsServers();
  });
  afterAll(async () => await servers?.[Symbol.asyncDispose]());

  /** This gateway has the session `s`. `heard` are the heads it was told of, with its own entries by then. */
  async function openOwner(name: string) {
    const address = readNatsAddress(`${servers.url}/${name}`);
    const other = createJetStreamLog(await openBroker(address), address);
    const waits = new Map<number, () => void>();
    let seen = 0;
    other.watchHeads?.((_, seq) => {
      seen = Math.max(seen, seq);
      waits.get(seq)?.();
    });
    let next = 0;
    const { broker, counts } = watched(await openBroker(address), async (subject) => {
      if (!subject.includes('.log.') || next <= seen) return;
      await new Promise<void>((resolve) => waits.set(next, resolve));
      // What the other one has heard, this one has received as well when its connection has answered.
      await broker.jsm.streams.info(broker.names.log);
    });
    const log: JetStreamLog = createJetStreamLog(broker, address);
    const ports = await log.cluster();
    ports.join('n1');
    await ports.fence('s', { node: 'n1', epoch: 1 });
    return {
      ...{ log, other, counts },
      append: async (body: typeof opened, expected: number) => {
        next = expected + 1;
        return await log.append('s', [body], { expected });
      },
      close: () => Promise.all([log.close(), other.close()]),
    };
  }

  test('is told of it after its end, and reads it without asking the servers', async () => {
    const { log, append, counts, close } = await openOwner('own');
    const told: number[] = [];
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    let ended = 0;
    log.watchHeads?.((session, seq) => {
      if (seq === 0) return;
      void log.read(session, { since: seq - 1 }).then((events) => {
        told.push(...events.map((event) => event.seq));
        if (seq === 3) resolve();
      });
    });
    await append(opened, 0);
    const before = counts.reads;
    for (const expected of [1, 2]) ended = (await append(titledEvent('t'), expected)).at(-1)?.seq ?? 0;
    await isRead;
    expect({ told, ended, reads: counts.reads - before }).toEqual({ told: [1, 2, 3], ended: 3, reads: 0 });
    await close();
  });

  test('is told of the other writer’s entry when its own append was refused', async () => {
    const { log, other, append, close } = await openOwner('refused');
    await append(opened, 0);
    const { promise: isTold, resolve } = Promise.withResolvers<number>();
    log.watchHeads?.((_, seq) => (seq === 2 ? resolve(seq) : undefined));
    // A program without a lease was first.
    await other.append('s', [titledEvent('first')], { expected: 1 });
    await expect(append(titledEvent('second'), 1)).rejects.toMatchObject({ code: 'LOG_CONFLICT' });
    expect(await isTold).toBe(2);
    expect((await log.read('s')).map(({ seq, body }) => [seq, body.type])).toEqual([
      [1, 'session.opened'],
      [2, 'session.titled'],
    ]);
    await close();
  });

  test('tells nobody any more who has stopped watching', async () => {
    const { log, other, append, close } = await openOwner('stopped');
    await append(opened, 0);
    const heads: number[] = [];
    const stop = log.watchHeads?.((_, seq) => heads.push(seq));
    // Stops while the append is under way.
    const { promise: isHeard, resolve } = Promise.withResolvers<void>();
    other.watchHeads?.((_, seq) => {
      if (seq !== 2) return;
      stop?.();
      resolve();
    });
    await Promise.all([append(titledEvent('t'), 1), isHeard]);
    await append(titledEvent('u'), 2);
    expect(heads.filter((seq) => seq > 1)).toEqual([]);
    await close();
  });
});
