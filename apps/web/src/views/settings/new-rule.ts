// A rule from what somebody filled in. Its id says what it is about and is not likely to be taken.
import type { Rule, RuleEffect } from '@codelab/protocol';

export type RuleDraft = {
  effect: RuleEffect;
  about: 'command' | 'path' | 'tool';
  pattern: string;
  reason: string;
};

const longestId = 60;

/** `mark` keeps two rules about the same apart. */
export function newRule({ effect, about, pattern, reason }: RuleDraft, mark: string): Rule {
  const slug = pattern
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestId);
  const id = [effect, about, slug, mark].filter((part) => part !== '').join('-');
  return { id, effect, reason: reason.trim(), [about]: pattern.trim() };
}
