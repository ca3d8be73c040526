// The modes as text: a sentence for menus, and a few words for the status line.
import type { PolicyMode } from '@codelab/protocol';
import { type Host, sandboxAdvice, sandboxHere } from '@codelab/runtime';

export const modeMeanings: Record<PolicyMode, string> = {
  strict: 'every change and every command is asked',
  balanced: 'ask each time: what only reads runs, every change is asked',
  review: 'let it work, then review: edits that can be undone and commands in the sandbox run unasked',
  trusted: 'like review, and skills of the workspace run unasked too',
};

/** The few words after the name of the mode. */
export const modeHints: Record<PolicyMode, string> = {
  strict: 'asks before every change and command',
  balanced: 'asks before each change',
  review: 'works, then you review',
  trusted: 'works, skills of the workspace included',
};

// The warning for a mode that lets commands run on a machine without a sandbox.

/** Empty where there is a sandbox, and in modes that ask anyway. */
export async function unheldNote({ sandbox }: Pick<Host, 'sandbox'>, mode: PolicyMode): Promise<string[]> {
  if (mode !== 'review' && mode !== 'trusted') return [];
  const said = 'Not sandboxed here: commands that may change something are still asked.';
  if (sandbox === 'off') return [`${said} To change that: codelab config unset sandbox`];
  const here = await sandboxHere();
  return here.sandbox === 'none' ? [`${said} To change that: ${sandboxAdvice(here)}.`] : [];
}
