// What a rule speaks about, in one line.
import { type Rule, visibleLine } from '@codelab/protocol';

export function ruleMatches({ tool, kind, path, access, command, profile }: Rule): string {
  const parts = Object.entries({ tool, kind, path, access, command, profile }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${visibleLine([value].flat().join(' '))}`],
  );
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
