// The process of a command: its output, and the signals that end it.
import { writeSync } from 'node:fs';

// Prints without losing output: straight to the descriptor, which is 5 ms faster than opening Node's stream; when the descriptor
// can't take more, through the stream, which waits for a slow reader.

let isStreaming = false;

/** Whether output waits for a slow reader, so that the process must not exit. */
export function hasUnwritten(): boolean {
  return isStreaming;
}

export function writeText(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    const code = codeOf(error);
    // The reader has closed the pipe, as `head` does, so the output has nowhere to go.
    if (code === 'EPIPE') return;
    if (code !== 'EAGAIN') throw error;
    const stream = fd === 1 ? process.stdout : process.stderr;
    stream.on('error', (late) => {
      if (codeOf(late) !== 'EPIPE') throw late;
    });
    isStreaming = true;
    stream.write(bytes.subarray(written));
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

// Ctrl-C and the termination signals as one AbortSignal. The first cancels cleanly; a second one ends the process at once.

export type Interruption = Disposable & {
  signal: AbortSignal;
  /** Whether a person or the system requested the end, as opposed to a failure of our own. */
  readonly happened: boolean;
  interrupt(): void;
  fail(reason: unknown): void;
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function createInterruption(): Interruption {
  const controller = new AbortController();
  let happened = false;
  const stopListening = (): void => {
    for (const name of signals) process.off(name, interrupt);
  };
  function interrupt(): void {
    happened = true;
    stopListening();
    controller.abort();
  }
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: controller.signal,
    get happened() {
      return happened;
    },
    interrupt,
    fail: (reason) => controller.abort(reason),
    [Symbol.dispose]: stopListening,
  };
}

/** For a chat, which handles keys and signals itself. */
export function interruptionBy(signal: AbortSignal): Interruption {
  const controller = new AbortController();
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    get happened() {
      return signal.aborted;
    },
    interrupt: () => controller.abort(),
    fail: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => undefined,
  };
}
