// A turn from the command line: the model, the session and whoever answers are put together, and the turn is run to its end.
import { finishTurn, type Model, runTurn, type TurnInput, type TurnResult } from '@codelab/agent';
import { type AgentSignal, type DialectName, type SessionEvent, visibleLine } from '@codelab/protocol';
import type { Composed } from '@codelab/server';
import { agentProfile, openAgent } from '@codelab/server/agent';
import { chooseAnswer } from '../approval/choose-answer.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { tellOnce } from '../output/tell-once.ts';
import { writeText } from '../output/write-text.ts';
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
  input: (TurnInput & { problems?: readonly string[] }) | undefined;
  output(made: OutputOptions): RunOutput;
};

type OutputOptions = {
  model: string;
  root: string;
  watch(listener: (event: SessionEvent) => void): void;
};

/** The exit code. */
export async function runAgent(options: RunOptions): Promise<number> {
  const { composed, session, interruption, input, approve } = options;
  const { host } = composed;
  await checkIsHere(host.log, session);
  const profile = await agentProfile(host, session, options.profile);
  const model = await openChosenModel(options.model, profile.model, options.lastModel);
  const warn = tellOnce((problem) => writeText(2, `${visibleLine(problem)}\n`));
  warn(input?.problems ?? []);
  const live = await host.session(session);
  const root = host.workspace.root.real;
  const stops: (() => void)[] = [];
  const watch: OutputOptions['watch'] = (listener) => void stops.push(live.watch(listener));
  const output = options.output({ model: model.name, root, watch });
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
  const openModel = (name: string): Promise<Model> => openChosenModel(name);
  const { agent, talk, leave } = await openAgent({
    host,
    session,
    model,
    profile,
    emit,
    openModel,
    ...(options.dialect && { dialect: options.dialect }),
  });
  const result: TurnResult =
    input === undefined
      ? await finishTurn(agent, talk, interruption.signal)
      : await runTurn(agent, talk, input, interruption.signal);
  for (const stop of [...stops, leave]) stop();
  output.end({ ...result, session, model: model.name, tally });
  if (interruption.happened) return 130;
  return result.end === 'completed' && (approve !== 'never' || tally.refused === 0) ? 0 : 1;
}
