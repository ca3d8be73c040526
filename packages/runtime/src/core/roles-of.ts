// The roles that hold for a call: its own, and those of every agent above it. So a sub-agent never has more than who started it.
import { type ToolCall, ToolError } from '@codelab/protocol';
import { defaultProfile, type Profile, type ProfileSource } from '../tool/profile.ts';
import type { LiveSession } from './live-session.ts';

type Asking = Pick<ToolCall, 'agent' | 'profile'>;

export async function rolesOf(
  profiles: ProfileSource,
  session: LiveSession,
  call: Asking,
): Promise<readonly Profile[]> {
  const own = await profiles.find(call.profile ?? defaultProfile);
  if (call.agent === undefined) return own;
  const above = session.openCalls.get(call.agent);
  if (above?.state !== 'running')
    throw new ToolError('CANCELLED', 'The sub-agent that makes this call has ended.');
  return [...own, ...(await rolesOf(profiles, session, above.call))];
}
