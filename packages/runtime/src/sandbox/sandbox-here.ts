// What this machine holds commands in. Loaded when it is asked: most programs never do.
import type { Confinement } from '@codelab/protocol';

export async function sandboxHere(): Promise<Confinement> {
  const { confinementOf } = await import('./confine.ts');
  return confinementOf(false);
}
