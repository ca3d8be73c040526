// What a rule speaks about, in one line.
import { type Rule, visibleLine } from '@codelab/protocol';

export function ruleMatches({ tool, kind, path, access, command, cwd, sandboxed, profile }: Rule): string {
  const held = sandboxed && 'sandbox';
  const named = { tool, kind, path, access, command, in: cwd, 'only in the': held, profile };
  const parts = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${visibleLine([value].flat().join(' '))}`],
  );
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
