// Runs `undo` or `redo`, in a session of its own unless one is named. Typing the command is the human's consent; a rule that denies still denies.
import { type Effect, type ToolCall, ToolError } from '@codelab/protocol';
import { type Host, randomId, runConsented } from '@codelab/runtime';
import { userName } from '../approval/user-name.ts';
import type { Interruption } from '../tool-call/interruption.ts';

export type TakeBack = { verb: 'undo' | 'redo'; args: Record<string, unknown>; session?: string };

/** The data of the call, with what really happened to the files. */
export type TakenBack = {
  data: {
    taken_back: { session: string; call_id: string; paths: string[] }[];
    refused: { path: string; reason: string }[];
  };
  effects: Effect[];
};

export async function takeBack(
  host: Host,
  { verb, args, session = randomId() }: TakeBack,
  interruption: Interruption,
): Promise<TakenBack> {
  const id = randomId();
  const by = { who: userName(), via: `codelab ${verb}` };
  const call: ToolCall = { id, session, tool: verb, args, dialect: 'codelab', by };
  const outcome = await runConsented(host, call, by, interruption.signal);
  if (outcome.status === 'completed')
    return { data: outcome.data as TakenBack['data'], effects: outcome.effects };
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}
