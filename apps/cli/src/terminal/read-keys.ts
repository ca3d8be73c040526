// Reads single keys until one of them ends the prompt. Keys typed before the prompt was drawn are dropped, unless the caller wants them as text.
import { emitKeypressEvents, type Key } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { Interrupt, type Tty } from './open-terminal.ts';

type Options<T> = {
  signal: AbortSignal;
  /** Passes keys from before the prompt on to `onKey`, which must tell them apart from answers. */
  isEarly?: boolean;
  /** Draws the prompt when it may be answered. */
  ready(): void;
  /** Any value but undefined ends the reading. */
  handleKey(key: Key): T | undefined;
};

export async function readKeys<T>(
  { input }: Tty,
  { signal, isEarly = false, ready, handleKey }: Options<T>,
): Promise<T> {
  signal.throwIfAborted();
  let isReady = isEarly;
  const finished = new AbortController();
  const answer = new Promise<T>((resolve, reject) => {
    const onKey = (_text: string | undefined, key: Key): void => {
      if (key.ctrl === true && key.name === 'c') reject(new Interrupt());
      const answer = isReady ? handleKey(key) : undefined;
      if (answer !== undefined) resolve(answer);
    };
    const hangUp = (): void => reject(new Interrupt());
    input.on('keypress', onKey).on('end', hangUp);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: finished.signal });
    finished.signal.addEventListener('abort', () => input.off('keypress', onKey).off('end', hangUp));
  });
  answer.catch(() => undefined);
  try {
    emitKeypressEvents(input);
    input.setRawMode(true).resume();
    // After one turn of the event loop the terminal's buffer has been read.
    await Promise.race([answer, setImmediate().then(() => setImmediate())]);
    isReady = true;
    ready();
    return await answer;
  } finally {
    finished.abort();
    input.setRawMode(false).pause();
  }
}
