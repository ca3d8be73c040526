// Scripted users: send a message, decide about the command that needs approval, and follow the session to its end. Each request goes to any
// gateway that the load balancer considers ready, and is sent again elsewhere without an answer.
import type { SessionEvent } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';
import { brokerNames } from '../../apps/server/src/log/jetstream/broker.ts';
import { approve, reject } from './gateway/bodies.ts';
import type { ServedSession } from './gateway/served-session.ts';
import { createProcess, type SimProcess } from './machine/process.ts';
import type { FinalView } from './session-record.ts';
import type { GatewayNode, World } from './world.ts';

const answerMs = 25_000;
const retryMs = 1000;
const thinkMs = 4000;
/** Longer than any gateway keeps an unused session open. */
const keptMs = 60_000;
const subjectOf = (session: string): string => `${brokerNames('codelab').subjects}.${session}`;
const rejectedShare = 0.1;
const secondPersonShare = 0.1;

export type User = FinalView & { isDone: boolean };

type SendRequest = <T>(work: (session: ServedSession) => Promise<T>) => Promise<T>;

/** Arrives at a moment of the given minutes; the result reports the progress. */
export function startUser(world: World, session: string): User {
  const user: User = { session, seq: 0, hash: '', isDone: false };
  const at = world.random.between(0, world.options.minutes * 60_000);
  world.scheduler.after(at, () => {
    const process = createProcess(world.scheduler, { name: 'user' });
    void useSession(world, process, user);
  });
  return user;
}

async function useSession(world: World, process: SimProcess, user: User): Promise<void> {
  const { random, laws, options } = world;
  const { session } = user;
  const request = requester(world, process, session);
  const events = createSeen();
  const finished = new AbortController();
  const following = followSession({ world, user, request, finished: finished.signal, onEvent: events.note });
  for (let turn = 1; turn <= options.turns; turn++) {
    const callId = `${session}-c${turn}`;
    await request((served) => served.take(callId, turn));
    laws.acknowledgedMessage({ session, callId });
    await events.when(`approval.requested ${callId}`);
    await process.clock.rest(random.wait(thinkMs));
    const people = random.chance(secondPersonShare) ? ['anna', 'ben'] : ['anna'];
    await Promise.all(
      people.map(async (who) => {
        const decision = random.chance(rejectedShare) ? reject : approve;
        // The error means that another person, or this decision before its answer was lost, was first: the log has the result.
        const isHeld = await request((served) =>
          served.decide(callId, decision, who).then(() => true, ignoreDecided),
        );
        if (isHeld) laws.acknowledgedDecision({ session, callId, by: who });
      }),
    );
    await events.when(`call.finished ${callId}`);
  }
  finished.abort();
  await following;
  user.isDone = true;
  laws.atEnd(user);
  world.scheduler.after(keptMs, () => world.server.store.drop(subjectOf(session)));
}

function ignoreDecided(error: unknown): false {
  if (error instanceof ToolError && error.code === 'ALREADY_DECIDED') return false;
  throw error;
}

type Seen = { note(event: SessionEvent): void; when(eventName: string): Promise<void> };

function createSeen(): Seen {
  const names = new Set<string>();
  const waiters = new Map<string, () => void>();
  return {
    note({ body }) {
      if (!('callId' in body)) return;
      const eventName = `${body.type} ${body.callId}`;
      names.add(eventName);
      waiters.get(eventName)?.();
    },
    when: (eventName) =>
      new Promise((resolve) => {
        if (names.has(eventName)) resolve();
        else waiters.set(eventName, resolve);
      }),
  };
}

type Following = {
  world: World;
  user: User;
  request: SendRequest;
  finished: AbortSignal;
  onEvent(event: SessionEvent): void;
};

async function followSession({ world, user, request, finished, onEvent }: Following): Promise<void> {
  while (!finished.aborted) {
    for (const event of await request((served) => served.events(user.seq))) {
      if (event.seq !== user.seq + 1) {
        // A repeated event is skipped; a missing event breaks a law.
        if (event.seq > user.seq)
          world.laws.breaks(`${user.session}: a user saw ${event.seq} after ${user.seq}`);
        continue;
      }
      user.seq = event.seq;
      user.hash = event.hash;
      onEvent(event);
    }
  }
}

/** Repeats the request until it is answered. */
function requester(world: World, process: SimProcess, session: string): SendRequest {
  const { random, network, nodes, counts } = world;
  return async (work) => {
    for (;;) {
      const all = [...nodes.values()];
      const ready = all.filter(({ front }) => front.isReady);
      const node = random.pick(ready.length > 0 ? ready : all);
      counts.requests++;
      try {
        return await once({ node, process, network, session, work });
      } catch {
        counts.retries++;
        await process.clock.rest(random.between(0.5, 1.5) * retryMs);
      }
    }
  };
}

type Once<T> = {
  node: GatewayNode;
  process: SimProcess;
  network: World['network'];
  session: string;
  work(session: ServedSession): Promise<T>;
};

function once<T>({ node, process, network, session, work }: Once<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const cancel = process.clock.after(answerMs, () => reject(new Error('no answer')));
  const lose = (): void => reject(new Error('the connection was closed'));
  const ends = [node.ended, node.front.cut.signal];
  if (ends.some(({ aborted }) => aborted)) lose();
  for (const end of ends) end.addEventListener('abort', lose, { once: true });
  network.send(process.name, node.process, () =>
    node.serve({ session, work }, (answer) =>
      network.send(node.process.name, process, () => {
        if ('value' in answer) resolve(answer.value);
        else reject(answer.error);
      }),
    ),
  );
  return promise.finally(() => {
    cancel();
    for (const end of ends) end.removeEventListener('abort', lose);
  });
}
