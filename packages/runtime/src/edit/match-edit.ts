/** Where one edit hits: by content first, and only if that misses and it is allowed, tolerantly. */
import { findByContent, type Range, tolerantMatch } from './tolerant-match.ts';

export type Edit = { old_string: string; new_string: string; replace_all?: boolean | undefined };

export type EditMatch = { ranges: Range[]; isTolerant: boolean };

/** Without `replace_all` every place counts that the string could mean, also those that overlap. */
export function matchEdit(text: string, edit: Edit, allowsTolerant: boolean): EditMatch {
  const ranges = findByContent(text, edit.old_string, !edit.replace_all);
  if (ranges.length > 0 || !allowsTolerant) return { ranges, isTolerant: false };
  return { ranges: tolerantMatch(text, edit.old_string), isTolerant: true };
}
