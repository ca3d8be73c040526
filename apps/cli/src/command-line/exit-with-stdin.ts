// Ends a server when its standard input closes: the parent holds the other end of the pipe, so the pipe closes even when the parent is killed.

import { UsageError } from './define-command.ts';
import type { Interruption } from './process.ts';

/** After this time the server exits on its own, in case no process is left to kill it. */
const endMs = 5000;

export function exitWithStdin(options: { 'token-fd'?: string }, interruption: Interruption): Disposable {
  if (options['token-fd'] === '0')
    throw new UsageError('--exit-with-stdin watches descriptor 0: give --token-fd another one.');
  const { stdin } = process;
  const forget = (): void => {
    for (const name of ends) stdin.off(name, onClosed);
  };
  function onClosed(): void {
    forget();
    setTimeout(() => process.exit(1), endMs).unref();
    interruption.interrupt();
  }
  for (const name of ends) stdin.once(name, onClosed);
  stdin.on('error', () => undefined).resume();
  return {
    [Symbol.dispose]() {
      forget();
      // An open standard input would keep the process from ending.
      stdin.destroy();
    },
  };
}

// A pipe emits both events, a file only `end`, and a stream that fails only `close`.
const ends = ['end', 'close'] as const;
