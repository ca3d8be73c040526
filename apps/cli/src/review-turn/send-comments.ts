// Sends the comments of a review as a turn of the reviewed session.
import { composeOptions } from '../command-line/compose-options.ts';
import { lastTurn } from '../run/choose-session.ts';
import type { SentComments } from './review-source.ts';

type Sending = {
  workspace?: string;
  model?: string;
  approve?: string;
  session: string;
  comments: SentComments;
};

/** The exit code of the turn. */
export async function sendComments({ session, comments, ...options }: Sending): Promise<number> {
  const { startRun } = await import('../run/start-run.ts');
  return await startRun(options, async ({ compose, said, run }) => {
    await using composed = await compose(composeOptions(options));
    const last = await lastTurn(composed.log, session);
    const begun = { composed, session, ...(last && { profile: last.profile, lastModel: last.model }) };
    const { message, clear } = comments;
    const code = await run({ ...begun, said: said(message, 'codelab review') });
    // The comments stay in the draft until the log has them.
    const events = await composed.log.read(session);
    if (events.some(({ body }) => body.type === 'turn.started' && body.text === message)) clear();
    return code;
  });
}
