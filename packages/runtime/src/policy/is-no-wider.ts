// Does a rule reach no further than the one that was proposed? By its fields alone: conditions may be added, and patterns left out of a
// list, but none may be written anew.

import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '@codelab/protocol';

/** Added to a rule they only make it speak less often. */
const conditions = ['kind', 'access', 'profile', 'cwd', 'sandboxed', 'definition'] as const;

export function isNoWider(rule: Rule, proposed: Rule): boolean {
  return (
    // Under another id it would take the place of another rule.
    rule.id === proposed.id &&
    rule.effect === proposed.effect &&
    isDeepStrictEqual(rule.tool, proposed.tool) &&
    isPartOf(rule.path, proposed.path) &&
    isPartOf(rule.command, proposed.command) &&
    conditions.every((name) => proposed[name] === undefined || isDeepStrictEqual(rule[name], proposed[name]))
  );
}

type Patterns = Rule['path'];

function isPartOf(patterns: Patterns, proposed: Patterns): boolean {
  if (proposed === undefined) return patterns === undefined;
  if (patterns === undefined) return false;
  const known = [proposed].flat();
  return [patterns].flat().every((one) => known.includes(one));
}
