// Ends a server when its standard input closes: the pipe that its parent holds closes with the parent, also when that is killed.
import type { Interruption } from '../tool-call/interruption.ts';
import { UsageError } from './define-command.ts';

/** Nobody is left who could kill a server that does not end in time. */
const endMs = 5000;

export function exitWithStdin(given: { 'token-fd'?: string }, interruption: Interruption): Disposable {
  if (given['token-fd'] === '0')
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
      // Left open, it would keep the process from ending.
      stdin.destroy();
    },
  };
}

// A pipe says both; a file only that it ended, and one that fails only that it closed.
const ends = ['end', 'close'] as const;
