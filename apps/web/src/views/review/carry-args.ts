// Whether, and how, a part of a hunk or an edited one can be said with the call's own arguments. Told by what they are, not by the tool's name.

import { type ApprovalRequest, applyHunks, type DiffFile, writeDiff } from '@codelab/protocol';
import { ApiError } from '../../api/api-error.ts';
import { request } from '../../api/request.ts';
import type { ToolLine } from '../../api/workbench.ts';
import type { Carry } from './review-decision.ts';

type Args = Record<string, unknown>;
type Content = { text: string; fingerprint: string };

/** Undefined when only whole hunks can be taken. */
export function carryArgs(
  approval: ApprovalRequest,
  tool: ToolLine | undefined,
  files: readonly DiffFile[],
): Carry | undefined {
  const { args, plan } = approval;
  // A question is asked anew when its arguments change, so that the human would have to answer twice.
  if (plan.question !== undefined || tool?.takes_hunks !== true) return undefined;
  if (typeof args.diff === 'string') return async (left) => ({ ...args, diff: writeDiff(left) });
  const spell = spellerOf(args);
  if (spell === undefined || files.length !== 1 || plan.touches.length !== 1) return undefined;
  return async (left) => {
    const before = await textBefore(approval);
    const after = before === undefined ? undefined : applyHunks(before, left[0]?.hunks ?? []);
    return before === undefined || after === undefined ? undefined : spell(before, after);
  };
}

/** How these arguments say one text in the place of another. */
function spellerOf(args: Args): ((before: string, after: string) => Args) | undefined {
  if (typeof args.content === 'string')
    return (_before, content) => ({ ...args, content, keep_line_endings: false });
  if (typeof args.old_string === 'string' && typeof args.new_string === 'string')
    return (old_string, new_string) => ({ ...args, old_string, new_string, replace_all: false });
  if (Array.isArray(args.edits))
    return (old_string, new_string) => ({ ...args, edits: [{ old_string, new_string, replace_all: false }] });
  return undefined;
}

async function textBefore({ plan }: ApprovalRequest): Promise<string | undefined> {
  const [touch] = plan.touches;
  if (touch === undefined) return undefined;
  if (touch.access === 'create') return '';
  try {
    const query = { path: touch.path };
    const { text, fingerprint } = await request<Content>('GET', '/files/content', { query });
    // Only what the diff was made from: the file may be another by now, or lie with a client and not here.
    const basis = plan.basis.find(({ path }) => path === touch.path);
    return basis?.print.startsWith(`${fingerprint}:`) === true ? text : undefined;
  } catch (error) {
    if (error instanceof ApiError && !error.isOffline) return undefined;
    throw error;
  }
}
