// The modes as text: a sentence for menus, and a few words for the status line.
import type { PolicyMode } from '@codelab/protocol';
import { type Host, sandboxAdvice, sandboxHere } from '@codelab/runtime';

export const modeMeanings: Record<PolicyMode, string> = {
  strict: 'asks before every change and every command',
  balanced: 'reading runs without asking; asks before every change',
  review: 'edits that can be undone and sandboxed commands run without asking; you review afterwards',
  trusted: 'like review, and runs skills of the workspace without asking',
};

/** The few words after the name of the mode. */
export const modeHints: Record<PolicyMode, string> = {
  strict: 'asks before every change and command',
  balanced: 'asks before each change',
  review: 'works, then you review',
  trusted: 'works, then you review; trusts this workspace’s skills',
};

// The warning for a mode that lets commands run on a machine without a sandbox.

/** Empty where there is a sandbox, and in modes that ask anyway. */
export async function unheldNote({ sandbox }: Pick<Host, 'sandbox'>, mode: PolicyMode): Promise<string[]> {
  if (mode !== 'review' && mode !== 'trusted') return [];
  const warning = 'Not sandboxed here: commands that may change something are still asked.';
  if (sandbox === 'off') return [`${warning} To change that: codelab config unset sandbox`];
  const current = await sandboxHere();
  return current.sandbox === 'none' ? [`${warning} To change that: ${sandboxAdvice(current)}.`] : [];
}
