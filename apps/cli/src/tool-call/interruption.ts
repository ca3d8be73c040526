// Ctrl-C and the termination signals as one AbortSignal. The first cancels cleanly; a second one ends the process at once.

export type Interruption = Disposable & {
  signal: AbortSignal;
  /** Whether a person or the system asked for the end, as opposed to a failure of our own. */
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
