// Saves a file that a person has edited on a screen: a recorded call of their session, approved by them, that can be undone. It succeeds only while
// the file is the one they saw.
import { randomUUID } from 'node:crypto';
import type { SaveResult } from '@codelab/api';
import {
  type ApprovalRequest,
  type DecidedBy,
  type Outcome,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { answerApproval, defaultProfile, type Host, runCall } from '@codelab/runtime';

export type Save = {
  session: string;
  path: string;
  text: string;
  /** The fingerprint of the text they saw; null when there was no file. */
  fingerprint: string | null;
  /** The lines keep the endings they have in the text. */
  isExact: boolean;
  by: DecidedBy;
};

export async function saveWorkspaceFile(host: Host, save: Save): Promise<SaveResult> {
  const outcome = await write(host, save);
  if (outcome.status !== 'completed') {
    const { code, message, details } = outcome.error;
    throw new ToolError(code, message, details);
  }
  const { callId: call_id, data, effects } = outcome;
  const print = effects.find(({ path }) => path === data.path)?.after?.digest ?? save.fingerprint ?? '';
  return { call_id, path: String(data.path), size: Number(data.bytes_written), fingerprint: print };
}

async function write(host: Host, save: Save): Promise<Outcome> {
  const { session, path, text, fingerprint, isExact, by } = save;
  // Many editors normalise line endings, so those of the file are kept; a new file is written as received.
  const asIs = isExact || fingerprint === null;
  const content = asIs ? text : text.replace(/\r\n?/g, '\n');
  const call: ToolCall = {
    id: `save_${randomUUID()}`,
    session,
    tool: 'write_file',
    args: {
      path,
      content,
      create: fingerprint === null,
      keep_line_endings: !asIs,
      // The fingerprint of the version that the person saw decides, not what the model has read.
      check_seen: false,
    },
    dialect: 'codelab',
    profile: defaultProfile,
    requiresApproval: true,
    by,
  };
  return await runCall(host, call, host.closing, async (approval) => {
    if (!isAboutVersion(approval, fingerprint)) throw stale(path);
    await answerApproval(host, { session, approvalId: approval.id, decision: { kind: 'approve' }, by });
  });
}

/** Whether the approval is about the version that the person saw; after a change of the file it has another basis and is not approved. */
function isAboutVersion({ plan }: ApprovalRequest, fingerprint: string | null): boolean {
  const [basis] = plan.basis;
  return fingerprint === null
    ? basis?.print === 'absent'
    : basis?.print.startsWith(`${fingerprint}:`) === true;
}

export function stale(path: string): ToolError {
  return new ToolError(
    'STALE',
    `${path} was changed by someone else since you opened it, and was not overwritten. Open it again.`,
  );
}
