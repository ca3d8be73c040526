// follow-session.py as a process: its received messages, and messages to send.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;
type Address = { port: number; token: string; session: string };

export type PythonClient = AsyncDisposable & {
  send(message: object): void;
  /** The next message that was not taken yet and fits. */
  next(type: string, matches?: (message: Json) => boolean): Promise<Json>;
  /** The log's messages, which every client must receive. */
  lasting(): Json[];
};

export function followInPython({ port, token, session }: Address): PythonClient {
  const file = join(import.meta.dirname, 'follow-session.py');
  const child = spawn('python3', [file, '127.0.0.1', String(port), token, session], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const received: Json[] = [];
  const takenMessages = new Set<Json>();
  let checkReceived = (): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    received.push(JSON.parse(line) as Json);
    checkReceived();
  });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    lasting: () => received.filter(({ seq }) => seq !== undefined),
    async next(type, matches = () => true) {
      for (const deadline = Date.now() + 20_000; ; ) {
        const found = received.find(
          (message) => message.type === type && !takenMessages.has(message) && matches(message),
        );
        if (found !== undefined) {
          takenMessages.add(found);
          return found;
        }
        if (Date.now() > deadline) throw new Error(`no ${type} in ${JSON.stringify(received.slice(-8))}`);
        await Promise.race([
          new Promise<void>((resolve) => (checkReceived = resolve)),
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
