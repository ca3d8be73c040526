// What a rule speaks about, in one line.
import { type Rule, visibleLine } from '@codelab/protocol';

export function ruleMatches(rule: Rule): string {
  const { tool, kind, path, access, command, cwd, sandboxed, profile, args, free, prints } = rule;
  const held = sandboxed && 'sandbox';
  const fixed = args && Object.entries(args).map(([name, value]) => `${name}=${value}`);
  const files = prints?.flatMap((one) => one.files.map((file) => file.path));
  const named = { tool, kind, path, access, command, in: cwd, 'only in the': held, profile };
  const conditions = { with: fixed, 'any value of': free, 'while these stay as they were:': files };
  const parts = Object.entries({ ...named, ...conditions }).flatMap(([name, value]) =>
    value === undefined || value.length === 0 ? [] : [`${name} ${visibleLine([value].flat().join(' '))}`],
  );
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
