// Hooks that a workspace brings and that nobody has agreed to are not run; whoever works there is told so.
import type { LoadedConfig } from '@codelab/server';

export function untrustedHooks({ untrustedHooks: count }: Pick<LoadedConfig, 'untrustedHooks'>): string[] {
  if (count === 0) return [];
  const are = count === 1 ? '1 hook of this workspace is' : `${count} hooks of this workspace are`;
  return [`${are} not run. Read .codelab/config.json, then trust it with \`codelab policy trust\`.`];
}
