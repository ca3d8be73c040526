// What a call leaves in the log, and the programs that it starts: the least program for the same work repeats both.
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import type { EventBody, SessionLog } from '@codelab/protocol';

export type Program = { file: string; args: readonly string[] };
export type Traces = { bodies: readonly EventBody[]; programs: readonly Program[] };

/** `call` makes one call of the session, which has made one before. */
export async function tracesOf(
  log: SessionLog,
  session: string,
  call: () => Promise<unknown>,
): Promise<Traces> {
  const started: ChildProcess[] = [];
  const note = (message: unknown): void => {
    started.push((message as { process: ChildProcess }).process);
  };
  const since = (await log.read(session, { since: 0 })).at(-1)?.seq ?? 0;
  subscribe('child_process', note);
  try {
    await call();
  } finally {
    unsubscribe('child_process', note);
  }
  const events = await log.read(session, { since });
  return {
    bodies: events.map(({ body }) => body),
    programs: started.map(({ spawnfile, spawnargs }) => ({ file: spawnfile, args: spawnargs.slice(1) })),
  };
}

/** The only program of that name among those that a call has started. */
export function programNamed({ programs }: Traces, ...names: readonly string[]): Program {
  const program = programs.find(({ file }) => names.includes(basename(file)));
  if (program === undefined) throw new Error(`The call has not started ${names.join(' or ')}.`);
  return program;
}

/** Runs a program as a bare Node program would. `take` returns false to end it. */
export function runBare(
  { file, args }: Program,
  cwd: string,
  take: (chunk: Buffer) => boolean = () => true,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!take(chunk)) child.kill('SIGKILL');
    });
    child.once('error', reject).once('close', () => resolve());
  });
}

/** Counts lines; false from the given number on. */
export function upTo(lines: number): (chunk: Buffer) => boolean {
  let seen = 0;
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen++;
    return seen < lines;
  };
}
