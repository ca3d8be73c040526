// The arguments with which a call does only what is left of its diff. Numbers can name whole hunks; after a split or an edit
// the arguments themselves must say it, which only some can. Told by what the arguments are, not by the tool's name.

import { applyHunks, type DiffFile, ToolError, writeDiff } from '@codelab/protocol';
import { readWorkspaceText } from '@codelab/runtime';
import type { Asking } from '../approval/asking.ts';

type Args = Record<string, unknown>;

/** Undefined when the files no longer are what the diff says. */
export type Carry = (files: readonly DiffFile[]) => Args | undefined;

export function carryDiff(asking: Asking, files: readonly DiffFile[]): Carry | undefined {
  const { args, plan } = asking.approval;
  // A question is asked anew when its arguments change, so that the human would have to answer twice.
  if (plan.question !== undefined) return undefined;
  if (typeof args.diff === 'string') return (left) => ({ ...args, diff: writeDiff(left) });
  const carry: Carry = (left) => withContent(asking, left);
  return typeof args.content === 'string' && files.length === 1 && isCarried(asking, carry(files))
    ? carry
    : undefined;
}

function withContent({ host, approval }: Asking, files: readonly DiffFile[]): Args | undefined {
  const [touch, ...others] = approval.plan.touches;
  if (touch === undefined || others.length > 0) return undefined;
  try {
    const before = readWorkspaceText(host.workspace.root.real, touch.path) ?? '';
    const content = applyHunks(before, files[0]?.hunks ?? []);
    return content === undefined ? undefined : { ...approval.args, content, keep_line_endings: false };
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function isCarried({ host, approval }: Asking, args: Args | undefined): boolean {
  return args !== undefined && host.tools.get(approval.tool)?.input().safeParse(args).success === true;
}
