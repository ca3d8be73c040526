// Does a rule reach no further than the one that was proposed? By its fields alone: conditions may be added, and patterns left out of a
// list, but none may be written anew.

import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '@codelab/protocol';

/** Added to a rule they only make it speak less often. */
const conditions = ['kind', 'access', 'profile', 'cwd', 'sandboxed', 'definition', 'prints'] as const;

export function isNoWider(rule: Rule, proposed: Rule): boolean {
  return (
    // Under another id it would take the place of another rule.
    rule.id === proposed.id &&
    rule.effect === proposed.effect &&
    isDeepStrictEqual(rule.tool, proposed.tool) &&
    isPartOf(rule.path, proposed.path) &&
    isPartOf(rule.command, proposed.command) &&
    isNoWiderIn(rule, proposed) &&
    conditions.every((name) => proposed[name] === undefined || isDeepStrictEqual(rule[name], proposed[name]))
  );
}

/** Each argument that is fixed stays so, and none is left free that was not. */
function isNoWiderIn(rule: Rule, { args, free = [] }: Rule): boolean {
  if (args === undefined) return true;
  const isFixed = Object.entries(args).every(([name, value]) => rule.args?.[name] === value);
  return isFixed && (rule.free ?? []).every((name) => free.includes(name));
}

type Patterns = Rule['path'];

function isPartOf(patterns: Patterns, proposed: Patterns): boolean {
  if (proposed === undefined) return patterns === undefined;
  if (patterns === undefined) return false;
  const known = [proposed].flat();
  return [patterns].flat().every((one) => known.includes(one));
}
