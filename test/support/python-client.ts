// follow-session.py as a process: what it heard, and what it is to say.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;
type Address = { port: number; token: string; session: string };

export type PythonClient = AsyncDisposable & {
  send(message: object): void;
  /** The next message that was not taken yet and fits. */
  next(type: string, fits?: (message: Json) => boolean): Promise<Json>;
  /** What is in the log, as everybody must hear it. */
  lasting(): Json[];
};

export function followInPython({ port, token, session }: Address): PythonClient {
  const file = join(import.meta.dirname, 'follow-session.py');
  const child = spawn('python3', [file, '127.0.0.1', String(port), token, session], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const heard: Json[] = [];
  const taken = new Set<Json>();
  let look = (): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.push(JSON.parse(line) as Json);
    look();
  });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    lasting: () => heard.filter(({ seq }) => seq !== undefined),
    async next(type, fits = () => true) {
      for (const deadline = Date.now() + 20_000; ; ) {
        const found = heard.find((one) => one.type === type && !taken.has(one) && fits(one));
        if (found !== undefined) {
          taken.add(found);
          return found;
        }
        if (Date.now() > deadline) throw new Error(`no ${type} in ${JSON.stringify(heard.slice(-8))}`);
        await Promise.race([
          new Promise<void>((resolve) => (look = resolve)),
          new Promise((resolve) => setTimeout(resolve, 1000)),
        ]);
      }
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
