// Where a part stands: in which folder, when that is known, and how deep inside other parts.
import type { CommandPart } from '@codelab/protocol';
import type { Scene } from './scene.ts';

export function standingIn({ cwds, depth }: Scene): Pick<CommandPart, 'cwd' | 'depth'> {
  const [cwd] = cwds ?? [];
  return {
    ...(cwds?.length === 1 && { cwd: cwd === '' || cwd === undefined ? '.' : cwd }),
    ...(depth > 0 && { depth }),
  };
}
