// The bounded queue of one subscriber, in order. Beyond the bound, only the numbers of log entries are kept, since they can be read from the log
// again; of signals, which are stored nowhere, the oldest is dropped.
import type { SessionMessage } from '@codelab/protocol';

/** `log`: here the entries up to this one are to be read from the log. */
export type Waiting = SessionMessage | { type: 'log'; through: number };

type SubscriptionQueue = {
  readonly next: Waiting | undefined;
  take(): Waiting | undefined;
  add(heard: SessionMessage, weight: () => number): void;
};

const queueLimits = { events: 256, signals: 256, weight: 4 * 1024 * 1024 };

/** `speech` counts the replies of the model: when a part of a reply is dropped, the rest of it is dropped as well, so that no reply has a hole. */
type Item = { waiting: Waiting; weight: number; speech: number };

export function createSubscriptionQueue(limits: typeof queueLimits = queueLimits): SubscriptionQueue {
  const queue = createItems();
  const { sums } = queue;
  let speech = 0;
  let muted = -1;

  function dropOldestSignal(): void {
    const items = queue.all();
    const oldest =
      items.find(({ waiting }) => isBulk(waiting)) ?? items.find(({ waiting }) => isPassing(waiting));
    if (oldest === undefined) return;
    if (deltaOf(oldest.waiting) !== undefined) muted = oldest.speech;
    queue.replace(items.filter((item) => item !== oldest && !isMuted(item)));
  }

  function isMuted({ waiting, speech: of }: Item): boolean {
    return of === muted && deltaOf(waiting) !== undefined;
  }

  function isOver(): boolean {
    return sums.events > limits.events || sums.signals > limits.signals || sums.weight > limits.weight;
  }

  return {
    get next() {
      return queue.all()[0]?.waiting;
    },
    take: () => queue.shift()?.waiting,
    add(heard, weight) {
      if (endsSpeech(heard)) speech++;
      if (deltaOf(heard) !== undefined && speech === muted) return;
      // A subscriber that must read from the log reads the later entries there as well.
      const waiting = sums.places > 0 ? placeOf(heard) : heard;
      // The first item is delivered next, whatever its size.
      const itemWeight = queue.all().length === 0 || waiting.type === 'log' ? 0 : weight();
      queue.add({ waiting, weight: itemWeight, speech });
      if (isOver() && sums.events > 0) queue.replace(queue.all().map(withPlace));
      while (isOver() && sums.signals > 0) dropOldestSignal();
    },
  };
}

type Items = {
  all(): readonly Item[];
  readonly sums: Readonly<Sums>;
  /** Merges the item with the last one where both are parts of one text. */
  add(item: Item): void;
  shift(): Item | undefined;
  replace(left: readonly Item[]): void;
};

/** `places`: how many of the items are to be read from the log. */
type Sums = { events: number; signals: number; places: number; weight: number };

/** The waiting items, and their number by kind. */
function createItems(): Items {
  let items: Item[] = [];
  const sums: Sums = { events: 0, signals: 0, places: 0, weight: 0 };

  function count({ waiting, weight }: Item, by: 1 | -1): void {
    if (waiting.type === 'event') sums.events += by;
    else if (waiting.type === 'log') sums.places += by;
    else sums.signals += by;
    sums.weight += by * weight;
  }

  function push(item: Item): void {
    items.push(item);
    count(item, 1);
  }

  return {
    all: () => items,
    sums,
    add(item) {
      const last = items.at(-1);
      const joined = last && join(last.waiting, item.waiting);
      if (last === undefined || joined === undefined) return push(item);
      last.waiting = joined;
      last.weight += item.weight;
      sums.weight += item.weight;
    },
    shift() {
      const item = items.shift();
      if (item !== undefined) count(item, -1);
      return item;
    },
    replace(remaining) {
      items = [];
      Object.assign(sums, { events: 0, signals: 0, places: 0, weight: 0 });
      for (const item of remaining) {
        const last = items.at(-1);
        const isMore = last?.waiting.type === 'log' && item.waiting.type === 'log';
        if (isMore) last.waiting = item.waiting;
        else push(item);
      }
    },
  };
}

function placeOf(waiting: Waiting): Waiting {
  return waiting.type === 'event' ? { type: 'log', through: waiting.event.seq } : waiting;
}

function withPlace(item: Item): Item {
  return item.waiting.type === 'event' ? { ...item, waiting: placeOf(item.waiting), weight: 0 } : item;
}

function isPassing({ type }: Waiting): boolean {
  return type !== 'event' && type !== 'log';
}

/** Items that matter less than state changes: they arrive in pieces, and the log has the whole in the end. */
function isBulk(waiting: Waiting): boolean {
  return waiting.type === 'signal' && waiting.signal.type !== 'status';
}

export function deltaOf(waiting: Waiting): string | undefined {
  return waiting.type === 'signal' && 'delta' in waiting.signal ? waiting.signal.delta : undefined;
}

function endsSpeech(heard: SessionMessage): boolean {
  if (heard.type !== 'event') return false;
  const { body } = heard.event;
  return body.type === 'model.replied' || body.type === 'turn.started' || body.type === 'turn.ended';
}

// Streamed text arrives in small pieces; unread ones are joined. So are two positions without an item in between.
function join(before: Waiting, now: Waiting): Waiting | undefined {
  if (before.type === 'log' && now.type === 'log') return now;
  if (before.type !== 'signal' || now.type !== 'signal') return undefined;
  const [earlier, later] = [before.signal, now.signal];
  if (!('delta' in earlier) || !('delta' in later) || earlier.type !== later.type) return undefined;
  return { type: 'signal', signal: { ...later, delta: earlier.delta + later.delta } };
}

/** The memory a value holds, roughly and in few steps: its texts count. */
const perValue = 16;

export function charsIn(value: unknown): number {
  if (typeof value === 'string') return perValue + value.length;
  if (typeof value !== 'object' || value === null) return perValue;
  const items = value as Record<string, unknown>;
  let sum = perValue;
  for (const key in items) sum += charsIn(items[key]);
  return sum;
}
