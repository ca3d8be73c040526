// The options of a call, checked before anything is opened.
import { CallId, SessionId } from '@codelab/protocol';
import { UsageError } from '../command-line/usage-error.ts';

type Given = { 'call-id'?: string; session?: string; profile?: string; timeout?: string };
type Settings = {
  callId: string | undefined;
  session: string | undefined;
  profile: string | undefined;
  timeoutMs: number | undefined;
};

// What timers can count to.
const maxSeconds = 2_147_483;

export function readCallOptions({ 'call-id': callId, session, profile, timeout }: Given): Settings {
  if (callId !== undefined && !CallId().safeParse(callId).success)
    throw new UsageError('--call-id must have 1 to 200 characters, none of them a control character.');
  if (session !== undefined && !SessionId().safeParse(session).success)
    throw new UsageError(
      '--session must be 1 to 128 letters, digits, `.`, `_` or `-`, beginning with a letter or digit.',
    );
  return { callId, session, profile, timeoutMs: toMs(timeout) };
}

function toMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds > 0 && seconds <= maxSeconds))
    throw new UsageError(`--timeout must be a number of seconds, more than 0 and at most ${maxSeconds}.`);
  return Math.ceil(seconds * 1000);
}
