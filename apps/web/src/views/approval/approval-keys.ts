// Which answers an approval takes, and the keys for them. They work only while the card itself has the focus.

import type { ToolEntry } from '@codelab/api';
import type { ApprovalRequest } from '@codelab/protocol';

export type ApprovalAction = 'approve' | 'edit' | 'review' | 'reject' | 'always';

const keys: Readonly<Record<string, ApprovalAction>> = {
  a: 'approve',
  e: 'edit',
  h: 'review',
  r: 'reject',
  w: 'always',
};

type Press = {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
};

/** In other alphabets the place of the key tells. A key that is held down decides nothing. */
export function actionFor(press: Press): ApprovalAction | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey || press.repeat) return undefined;
  const letter = /^[a-z]$/.test(press.key) ? press.key : /^Key([A-Z])$/.exec(press.code)?.[1]?.toLowerCase();
  return letter === undefined ? undefined : keys[letter];
}

export function actionsFor(approval: ApprovalRequest, tool: ToolEntry | undefined): ApprovalAction[] {
  const review: ApprovalAction[] = canTakeHunks(approval, tool) ? ['review'] : [];
  if (approval.plan.question !== undefined) return [...review, 'reject'];
  return ['approve', 'edit', ...review, 'reject', 'always'];
}

/** A diff that is not all there can't be chosen from. */
export function canTakeHunks({ plan }: ApprovalRequest, tool: ToolEntry | undefined): boolean {
  const { diff, question } = plan;
  if (diff === undefined || diff.truncated || diff.text === '') return false;
  return question !== undefined || tool?.takes_hunks === true;
}
