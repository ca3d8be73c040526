// One turn of a session at a time, across processes: two that go on with one conversation would each not know what the other did.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Owner, ToolError } from '@codelab/protocol';
import { type Host, isAlive, randomId, sha256 } from '@codelab/runtime';

type Holder = { owner: Owner; id: string };

export async function holdTurn(host: Host, session: string): Promise<Disposable> {
  const { home, lock, closing } = host;
  const file = fileOf(home, session);
  const own: Holder = { owner: host.owner(), id: randomId() };
  await lock.hold(() => {
    refuseDuringTurn(home, session);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(own), { mode: 0o600 });
  });
  const release = (): void => {
    closing.removeEventListener('abort', release);
    if (holderIn(file)?.id === own.id) rmSync(file, { force: true });
  };
  // A host that closes carries out nothing more.
  closing.addEventListener('abort', release);
  return { [Symbol.dispose]: release };
}

/** For those who could not live with one either. */
export function refuseDuringTurn(home: string, session: string): void {
  const holder = liveHolder(home, session);
  if (holder === undefined) return;
  throw new ToolError(
    'STALE',
    `Another turn of this session is under way, in process ${holder.owner.pid}. Wait for its end, or go on in another session.`,
  );
}

/** Somebody, here or in another process, is at a turn of the session. */
export function isTurnHeld({ home }: Pick<Host, 'home'>, session: string): boolean {
  return liveHolder(home, session) !== undefined;
}

function liveHolder(home: string, session: string): Holder | undefined {
  const holder = holderIn(fileOf(home, session));
  return holder !== undefined && isAlive(holder.owner, home) ? holder : undefined;
}

function fileOf(home: string, session: string): string {
  return join(home, 'turns', sha256(session));
}

// One whose writer died before it was whole names nobody.
function holderIn(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
