// `codelab connect` as a process with its own files and home, and its output as JSON lines.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { codelabProgram } from './codelab-program.ts';

type Json = Record<string, unknown>;

export type ConnectBench = AsyncDisposable & {
  child: ChildProcess;
  printed: Json[];
  errors: string[];
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** The next line of this event that was not taken yet. */
  next(event: string, matches?: (line: Json) => boolean): Promise<Json>;
};

type Options = { url: string; root: string; home: string; session?: string; args?: readonly string[] };

export function connectBench({ url, root, home, session = 's1', args = [] }: Options): ConnectBench {
  const words = [codelabProgram, 'connect', url, '--session', session, '--json', ...args];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, CODELAB_HOME: home, CODELAB_TOKEN: 'secret-token' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: Json[] = [];
  const errors: string[] = [];
  const takenLines = new Set<Json>();
  let checkPrinted = (): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(JSON.parse(line) as Json);
    checkPrinted();
  });
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    printed,
    errors,
    ended,
    async next(event, matches = () => true) {
      for (;;) {
        const found = printed.find((line) => line.event === event && !takenLines.has(line) && matches(line));
        if (found !== undefined) {
          takenLines.add(found);
          return found;
        }
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(
            () => reject(new Error(`no ${event} in ${JSON.stringify([printed, errors])}`)),
            15_000,
          );
          checkPrinted = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
