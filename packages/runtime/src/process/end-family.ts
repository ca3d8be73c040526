// Ends a command with everything it started: asked first, killed after the grace. Returns when none of them is left.
import { setTimeout as wait } from 'node:timers/promises';
import { type Ancestor, findFamily, type Member, signalFamily } from './family.ts';

// A killed process is gone at once, unless the kernel waits for a disk; more is not waited for.
const killMs = 3000;

export async function endFamily(
  ancestor: Ancestor,
  { graceMs, first = 'SIGTERM' }: { graceMs: number; first?: NodeJS.Signals },
): Promise<void> {
  const members = findFamily(ancestor);
  if (members.length === 0) return;
  signalFamily(ancestor, politely(members), first);
  if (await isGone(ancestor, graceMs, () => undefined)) return;
  const kill = (left: readonly Member[]): void => signalFamily(ancestor, left, 'SIGKILL');
  kill(findFamily(ancestor));
  await isGone(ancestor, killMs, kill);
}

/** For one that is held in a sandbox and must not go on: its first process takes all others with it. */
export function killAtOnce({ pid }: Pick<Ancestor, 'pid'>): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

// The sandbox's own processes take everything with them at once; it ends by itself with what runs in it.
function politely(members: readonly Member[]): readonly Member[] {
  const inside = members.filter(({ name }) => name !== 'bwrap' && name !== 'unshare');
  const isHeld = inside.length < members.length && inside.length > 0;
  return isHeld ? inside.map((member) => ({ ...member, group: 0 })) : members;
}

async function isGone(
  ancestor: Ancestor,
  ms: number,
  again: (left: readonly Member[]) => void,
): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pause = 2; ; pause = Math.min(2 * pause, 50)) {
    const left = findFamily(ancestor);
    if (left.length === 0) return true;
    const remaining = deadline - performance.now();
    if (remaining <= 0) return false;
    again(left);
    await wait(Math.min(pause, remaining));
  }
}
