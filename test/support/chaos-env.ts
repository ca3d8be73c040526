// The environment of a process that is to be killed, or to kill itself.
import { join } from 'node:path';
import type { Fault } from './chaos-fault.ts';

export const preload = join(import.meta.dirname, 'chaos-fault.ts');

// Started many times over, its sources are read once.
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'codelab-chaos');

export function chaosEnv(fault: Fault | undefined): NodeJS.ProcessEnv {
  return { CHAOS_FAULT: JSON.stringify(fault ?? null), NODE_COMPILE_CACHE: cache };
}
