// After a program has exited: takes in what it had printed, and ends whatever it left running. That would work on without
// anybody knowing, and it may hold the pipes.
import { endFamily } from './family.ts';
import type { Child } from './spawn-child.ts';

// What is in the pipes is there within milliseconds; later, somebody else holds them.
const drainMs = 100;

export async function clearUp(child: Omit<Child, 'stdin' | 'resume'>, graceMs: number): Promise<void> {
  const isSilent = await within(drainMs, child.silent);
  await endFamily(child, { graceMs });
  if (!isSilent) await within(drainMs, child.silent);
  child.close();
}

function within(ms: number, done: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
