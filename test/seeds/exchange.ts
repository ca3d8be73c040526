// One call in the spelling of seed 000 or 004 and its answer, on whichever wire a case is played.
import { expect } from 'vitest';
import type { Client } from '../support/gateway-bench.ts';
import type { At, Json } from './seed-case.ts';

type Dialect = 'codelab' | 'agent';

type Options = {
  dialect?: Dialect;
  /** The human's answer to each approval, without its call_id; approves all by default. */
  decide?: readonly Json[];
  /** The result from the client that has the files; without it, the client can't run calls. */
  executed?: Json;
};

const approve = { type: 'hitl_decision', decision: 'approve' };
const failed = { error: { code: 'EXECUTION_FAILED', message: 'Not today.' } };

/** The fragments of seed 000 and 004 leave these two out. */
export const withCallId = (call: Json, call_id = 'call_1'): Json => ({ type: 'tool_call', call_id, ...call });

export const codeOf = (result: Json): unknown => (result.error as Json | undefined)?.code;

export async function answerTo({ stage, wire }: At, callFields: Json, options: Options = {}): Promise<Json> {
  const call = withCallId(callFields);
  const { dialect = call.arguments === undefined ? 'codelab' : 'agent' } = options;
  if (wire === 'tool') {
    const words = ['tool', String(call.tool_name), JSON.stringify(call), '--dialect', dialect];
    return (await stage.codelab([...words, '--approve', 'all'])).message;
  }
  if (wire === 'executor') return await executedBy(await pair({ stage, wire }, dialect), call, options);
  const client = await stage.socket(dialect);
  const answer = await ask(client, call, options.decide);
  await client.close();
  return answer;
}

/** Sends a call and answers what is asked about it, until it has ended. */
export async function ask(client: Client, call: Json, decide: readonly Json[] = []): Promise<Json> {
  client.send(call);
  const decisionsLeft = [...decide];
  for (;;) {
    const { seq, ...message } = await client.next(
      ['tool_call', 'tool_result'],
      (message) => message.call_id === call.call_id,
    );
    // A result without a place in the log and without an error tells how far a command is.
    if (message.type === 'tool_result' && (seq !== undefined || message.error !== undefined)) return message;
    if (message.type === 'tool_call' && message.requires_approval === true)
      client.send({ call_id: message.call_id, ...(decisionsLeft.shift() ?? approve) });
  }
}

export type Pair = { asks: Client; has: Client };

/** A client that has the files, and somebody who asks and decides, in a session of their own. */
export async function pair({ stage }: At, dialect: Dialect): Promise<Pair> {
  const session = stage.newSession();
  const has = await stage.socket(dialect, { session, role: 'executor' });
  await has.next('session_info');
  return { has, asks: await stage.socket(dialect, { session, role: 'approver' }) };
}

/** The answer to a call that the client with the files ends with the document's own message. */
async function executedBy({ asks, has }: Pair, call: Json, { executed = failed }: Options): Promise<Json> {
  asks.send(call);
  let order = await has.next(['tool_call', 'tool_result'], (message) => message.call_id === call.call_id);
  if (order.requires_approval === true) {
    asks.send({ ...approve, call_id: call.call_id });
    order = await has.next('tool_call', (message) => message.requires_approval === false);
  }
  // The handed-out call equals the requested one, with nothing added.
  const { tool_name, args, arguments: named } = order;
  expect({ tool_name, args: args ?? named }).toEqual({
    tool_name: call.tool_name,
    args: call.args ?? call.arguments,
  });
  has.send({ type: 'tool_result', ...executed, call_id: call.call_id });
  const { seq: _seq, ...result } = await asks.next('tool_result', ({ seq }) => seq !== undefined);
  for (const client of [asks, has]) await client.close();
  return result;
}
