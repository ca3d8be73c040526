// A turn from the command line: the model, the session and whoever answers are put together, and the turn is run to its end.
import { type AgentSignal, type DialectName, type SessionEvent, visibleLine } from '@codelab/protocol';
import type { Composed } from '@codelab/server';
import { openTurn, type Said } from '@codelab/server/agent';
import { chooseAnswer } from '../approval/choose-answer.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { tellOnce, writeText } from '../output/write-text.ts';
import type { Interruption } from '../tool-call/interruption.ts';
import { openChosenModel } from './open-model.ts';
import type { RunOutput } from './run-output.ts';
import { createTally } from './tally.ts';

export type RunOptions = {
  composed: Composed;
  session: string;
  model: string | undefined;
  profile: string | undefined;
  /** What the session was run with last: used when neither the user nor the profile names one. */
  lastModel?: string;
  approve: string | undefined;
  dialect?: DialectName;
  interruption: Interruption;
  /** Undefined goes on with the turn that is open. */
  said: Said | undefined;
  output(made: OutputOptions): RunOutput;
};

type OutputOptions = {
  model: string;
  root: string;
  watch(listener: (event: SessionEvent) => void): void;
};

/** The exit code. */
export async function runAgent(options: RunOptions): Promise<number> {
  const { composed, session, interruption, said, approve } = options;
  const { host, agents } = composed;
  await checkIsHere(host.log, session);
  const warn = tellOnce((problem) => writeText(2, `${visibleLine(problem)}\n`));
  const live = await host.session(session);
  const tally = createTally();
  const answer = chooseAnswer({ host, how: approve, isOneOff: false, interruption });
  const emit = (signal: AgentSignal): void => {
    tally.count(signal);
    // By then it is known whose tools could not be listed.
    if (signal.type === 'status') warn(host.foreign?.problems() ?? []);
    output.show(signal);
    if (signal.type === 'approval')
      answer(signal.approval, interruption.signal).catch((error: unknown) => interruption.fail(error));
  };
  const { profile, lastModel, dialect } = options;
  const turn = await openTurn({
    host,
    agents,
    session,
    profile,
    model: options.model,
    lastModel,
    openModel: openChosenModel,
    dialect,
    emit,
    notice: (problem) => warn([problem]),
  });
  const model = turn.agent.model.name;
  const stops: (() => void)[] = [];
  const watch: OutputOptions['watch'] = (listener) => void stops.push(live.watch(listener));
  const output = options.output({ model, root: host.workspace.root.real, watch });
  const { signal } = interruption;
  const result = await (said === undefined ? turn.resume(signal) : turn.start(said, signal));
  for (const stop of stops) stop();
  output.end({ ...result, session, model, tally });
  if (interruption.happened) return 130;
  return result.end === 'completed' && (approve !== 'never' || tally.refused === 0) ? 0 : 1;
}
