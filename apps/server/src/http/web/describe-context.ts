// The model's context at every turn of a session: pinned files with their sizes, and the used part of its window.
import { Conversation } from '@codelab/agent';
import type { ContextUse, PinnedFile } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Host, readBoundedText, readHead } from '@codelab/runtime';
import { unsavedText } from '../../agent/context/context-files.ts';
import { createLocalHost } from '../../agent/local-host.ts';
import { openTurnLog } from '../../agent/turn-log.ts';
import type { Gateway, SharedSession } from '../../sessions/gateway.ts';

// A rule of thumb; the provider's own count is used wherever it is known.
const charsPerToken = 3;
const maxPinnedBytes = 256 * 1024;

export async function describeContext(gateway: Gateway, session: SharedSession): Promise<ContextUse> {
  const { host } = session;
  const tools = createLocalHost(host, session.id);
  const conversation = new Conversation((outcome) => tools.tell(outcome));
  for (const event of (await openTurnLog(host, session.id)).events) conversation.apply(event);
  return {
    files: await Promise.all([...conversation.pinned].map((path) => describeFile(session, path))),
    used_tokens: conversation.tokensWith(0),
    window_tokens: await roomOf(gateway, session),
    branch: await branchOf(session),
  };
}

const gitMs = 3000;

/** Null where there is no repository, or the files are with a client. */
async function branchOf({ host, client }: SharedSession): Promise<string | null> {
  if (client !== undefined) return null;
  try {
    return (await readHead(host.workspace, AbortSignal.timeout(gitMs))).branch;
  } catch {
    return null;
  }
}

async function describeFile({ host, id }: SharedSession, path: string): Promise<PinnedFile> {
  const unsaved = await unsavedText(host, id, path);
  return unsaved === undefined
    ? { path, ...sizeOf(host, path) }
    : { path, ...sizeOfText(unsaved), is_unsaved: true };
}

function sizeOfText(text: string): { bytes: number; tokens: number } {
  return { bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / charsPerToken) };
}

/** Zero for a file that is gone or no longer text: the model does not get it either. */
function sizeOf({ workspace }: Host, path: string): { bytes: number; tokens: number } {
  try {
    return sizeOfText(readBoundedText(workspace, path, { maxBytes: maxPinnedBytes, followLast: true }) ?? '');
  } catch (error) {
    if (error instanceof ToolError) return { bytes: 0, tokens: 0 };
    throw error;
  }
}

/** Null when there is no model to ask, for want of a key. */
async function roomOf({ openModel }: Gateway, { host, profile }: SharedSession): Promise<number | null> {
  try {
    const { model } = await host.profiles.role(profile);
    return (await openModel(model)).contextTokens;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
