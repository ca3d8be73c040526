// What a dialect's own file says: the strict form of each message. Everything else is the same for all.
import type { ApprovalRequest, Decision, EndedBadly, Outcome } from '@codelab/protocol';
import type { AskedCall, Json } from '../dialect.ts';

export type Asked = Pick<AskedCall, 'id' | 'wire'>;

/** A successful end, already in the wire's words. */
export type Answer = {
  result: Json | string;
  metadata: Json | undefined;
  ending: Json | undefined;
  /** What a human changed before it ran; absent when nothing. */
  changedBy: Json | undefined;
  outcome: Extract<Outcome, { status: 'completed' }>;
};

export type Writer = {
  call(call: AskedCall): Json;
  /** `args` are those the human decides about: the caller's, unless the call was edited since. */
  approval(asked: AskedCall, approval: ApprovalRequest, args: Json): Json;
  decision(callId: string, decision: Decision): Json;
  completed(asked: Asked, answer: Answer): Json;
  /** Missing where there is no form for it. */
  progress?(asked: Asked, result: Json | string): Json;
  /** `said` is what the tool's row answers in the place of a result. */
  endedBadly(asked: Asked, outcome: EndedBadly, said: Json | string | undefined): Json;
};
