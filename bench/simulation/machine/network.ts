// A network between processes: latency with a tail, packets that are sent again after a loss, and cuts in one direction or both. What goes by a
// connection arrives in order, after the cut if there is one; a single request is lost.
import type { SimProcess } from './process.ts';
import type { Random, Scheduler } from './scheduler.ts';

export type Network = {
  /** One separate request or answer; lost where the link is cut. */
  send(from: string, to: SimProcess, work: () => void): void;
  /** Over a connection: in order, and held back while the link is cut. Returns false once the connection was reset. */
  stream(from: string, to: SimProcess, work: () => void): void;
  cut(from: string, to: string): void;
  heal(from: string, to: string): void;
  /** Drops everything in flight on the connections between these two. */
  reset(a: string, b: string): void;
  readonly messages: number;
};

export type NetworkOptions = {
  latencyMs: number;
  /** Share of packets that have to be sent again. */
  loss: number;
};

const resendMs = 200;

type Way = { isCut: boolean; lastAt: number; held: (() => void)[]; generation: number };

export function createNetwork(
  { scheduler, random }: { scheduler: Scheduler; random: Random },
  { latencyMs, loss }: NetworkOptions,
): Network {
  const links = new Map<string, Way>();
  const counts = { messages: 0 };

  function wayOf(from: string, to: string): Way {
    const key = `${from}>${to}`;
    const found = links.get(key);
    if (found !== undefined) return found;
    const newLink: Way = { isCut: false, lastAt: 0, held: [], generation: 0 };
    links.set(key, newLink);
    return newLink;
  }
  const latency = (): number =>
    latencyMs * 0.5 + random.wait(latencyMs * 0.5) + (random.chance(loss) ? resendMs : 0);

  return {
    get messages() {
      return counts.messages;
    },
    send(from, to, work) {
      counts.messages++;
      // Users share links, so that a hundred thousand of them need no memory.
      if (links.get(`${from}>${to.name}`)?.isCut) return;
      scheduler.after(latency(), () => to.run(work));
    },
    stream(from, to, work) {
      counts.messages++;
      const link = wayOf(from, to.name);
      const { generation } = link;
      const deliver = (): void => {
        const at = Math.max(link.lastAt, scheduler.now + latency());
        link.lastAt = at;
        scheduler.after(at - scheduler.now, () => {
          if (link.generation === generation) to.run(work);
        });
      };
      if (link.isCut) link.held.push(deliver);
      else deliver();
    },
    cut(from, to) {
      wayOf(from, to).isCut = true;
    },
    heal(from, to) {
      const link = wayOf(from, to);
      link.isCut = false;
      for (const deliver of link.held.splice(0)) deliver();
    },
    reset(a, b) {
      for (const link of [wayOf(a, b), wayOf(b, a)]) {
        link.generation++;
        link.held = [];
      }
    },
  };
}
