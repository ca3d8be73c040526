// Runs one turn to its end: reports its recorded start to those who wait for it, and a failure to everybody in the session.
import type { TurnResult } from '@codelab/agent';
import { type AgentSignal, cancellation, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { OpenTurn, TurnMessage } from '../../agent/open-turn.ts';
import type { SayOptions } from '../gateway.ts';

type PlayOptions = {
  host: Host;
  id: string;
  emit(signal: AgentSignal): void;
  notice(text: string): void;
  onFault(error: unknown): void;
};
type Playing = { turn: OpenTurn; message: TurnMessage | undefined; how: SayOptions; stop: AbortController };
type OnFailure = ((error: unknown) => void) | undefined;

/** With `untilRecorded`, resolves once the turn is in the log. */
export async function beginPlay(
  options: PlayOptions,
  playing: Playing,
  onEnd: () => void,
): Promise<{ ended: Promise<TurnResult> }> {
  const { turn, how } = playing;
  const isAwaited = how.untilRecorded && !turn.talk.isTurnOpen;
  using record = isAwaited ? await watchStart(options) : undefined;
  const ended = play(options, playing, record?.fail).finally(onEnd);
  if (record !== undefined) await Promise.race([record.started, ended]);
  return { ended };
}

async function play(
  options: PlayOptions,
  { turn, message, how, stop }: Playing,
  onFailure: OnFailure,
): Promise<TurnResult> {
  const cancel = (): void => stop.abort(message && cancellation(message.by));
  if (how.signal?.aborted) cancel();
  how.signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await (message === undefined ? turn.resume(stop.signal) : turn.start(message, stop.signal));
  } catch (error) {
    onFailure?.(error);
    return { turn: turn.talk.turn, end: 'failed', text: '', message: fail(options, error) };
  } finally {
    how.signal?.removeEventListener('abort', cancel);
  }
}

/** Another process may hold the turn: all subscribers learn why there is no reply. */
export function fail({ notice, emit, onFault }: PlayOptions, error: unknown): string {
  // A queued message that was removed or delivered elsewhere begins no turn here.
  if (error instanceof ToolError && error.details?.reason === 'not_queued') return error.message;
  emit({ type: 'status', status: 'error' });
  if (error instanceof ToolError) {
    notice(error.message);
    return error.message;
  }
  onFault(error);
  return 'Something went wrong in the gateway.';
}

type StartRecord = Disposable & { started: Promise<void>; fail(error: unknown): void };

/** `started` resolves when the next turn is in the log, and rejects when it failed before. */
async function watchStart({ host, id }: { host: Host; id: string }): Promise<StartRecord> {
  const live = await host.session(id);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = live.watch(({ body }) => {
    if (body.type === 'turn.started' && body.agent === undefined) resolve();
  });
  return { started: promise, fail: reject, [Symbol.dispose]: stop };
}
