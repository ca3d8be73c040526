// Who listens to a session. Each has a queue of its own with a bound: whoever does not keep up is ended, the others never wait.
import type { Heard } from './gateway.ts';

const maxItems = 2000;
const maxTextChars = 4 * 1024 * 1024;
/** A model speaks faster than an eye reads, and a message for each of its words would keep the gateway busy with nothing else. */
const textEveryMs = 40;

/** The queue of one listener; it ends when it is closed or overflows. */
type Ear = AsyncIterable<Heard> & { close(): void };

export type Listeners = Disposable & { tell(heard: Heard): void; open(): Ear; readonly count: number };

export function createListeners(): Listeners {
  const ears = new Set<Own>();
  return {
    get count() {
      return ears.size;
    },
    tell(heard) {
      for (const ear of ears) ear.push(heard);
    },
    open() {
      const ear = createEar(() => ears.delete(ear));
      ears.add(ear);
      return ear;
    },
    [Symbol.dispose]() {
      for (const ear of [...ears]) ear.close();
    },
  };
}

type Own = Ear & { push(heard: Heard): void };

function createEar(onClose: () => void): Own {
  let items: Heard[] = [];
  let textChars = 0;
  let isOpen = true;
  let wake = (): void => undefined;
  let later: NodeJS.Timeout | undefined;
  let toldAt = 0;
  function close(): void {
    isOpen = false;
    onClose();
    wakeNow();
  }
  function wakeNow(): void {
    clearTimeout(later);
    later = undefined;
    toldAt = performance.now();
    wake();
  }
  // The first word comes at once; those that follow closely are told together.
  function wakeForText(): void {
    const waitMs = toldAt + textEveryMs - performance.now();
    if (waitMs <= 0) wakeNow();
    else later ??= setTimeout(wakeNow, waitMs);
  }
  return {
    close,
    push(heard) {
      const delta = deltaOf(heard);
      textChars += delta?.length ?? 0;
      if (!join(items, heard)) items.push(heard);
      if (items.length > maxItems || textChars > maxTextChars) {
        items = [];
        close();
      } else if (delta === undefined) wakeNow();
      else if (later === undefined) wakeForText();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const batch = items;
        items = [];
        textChars = 0;
        yield* batch;
        if (items.length > 0 && later === undefined) continue;
        if (!isOpen) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function deltaOf(heard: Heard): string | undefined {
  return heard.type === 'signal' && 'delta' in heard.signal ? heard.signal.delta : undefined;
}

// What a model says comes in small pieces; those that nobody has fetched yet become one.
function join(items: Heard[], heard: Heard): boolean {
  const last = items.at(-1);
  if (last?.type !== 'signal' || heard.type !== 'signal') return false;
  const [before, now] = [last.signal, heard.signal];
  if (!('delta' in before) || !('delta' in now) || before.type !== now.type) return false;
  items[items.length - 1] = { type: 'signal', signal: { ...now, delta: before.delta + now.delta } };
  return true;
}
