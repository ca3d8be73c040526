// Reads single keys until one of them settles the matter. What was typed before the prompt stood there does not count, unless it is wanted as text.
import { emitKeypressEvents, type Key } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { Interrupt, type Tty } from './open-terminal.ts';

type Options<T> = {
  signal: AbortSignal;
  /** Keys from before the prompt stood there are heeded, too: whoever does knows how to take them. */
  isEarly?: boolean;
  /** Draws the prompt once it may be answered. */
  ready(): void;
  /** Anything but undefined ends the reading. */
  heed(key: Key): T | undefined;
};

export async function readKeys<T>(
  { input }: Tty,
  { signal, isEarly = false, ready, heed }: Options<T>,
): Promise<T> {
  signal.throwIfAborted();
  let isReady = isEarly;
  const done = new AbortController();
  const answer = new Promise<T>((resolve, reject) => {
    const onKey = (_text: string | undefined, key: Key): void => {
      if (key.ctrl === true && key.name === 'c') reject(new Interrupt());
      const found = isReady ? heed(key) : undefined;
      if (found !== undefined) resolve(found);
    };
    const hangUp = (): void => reject(new Interrupt());
    input.on('keypress', onKey).on('end', hangUp);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    done.signal.addEventListener('abort', () => input.off('keypress', onKey).off('end', hangUp));
  });
  answer.catch(() => undefined);
  try {
    emitKeypressEvents(input);
    input.setRawMode(true).resume();
    // One turn of the event loop hands over what lay in the terminal's buffer.
    await Promise.race([answer, setImmediate().then(() => setImmediate())]);
    isReady = true;
    ready();
    return await answer;
  } finally {
    done.abort();
    input.setRawMode(false).pause();
  }
}
