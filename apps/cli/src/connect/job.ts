// A gateway's call on its way through this machine.
import '../shared.ts';
import type { AskedCall } from '@codelab/dialects';
import type { Host } from '@codelab/runtime';
import { meaningOf } from './meaning-of.ts';

export type Job = {
  /** The gateway's call, as it was spelled and what it means. */
  asked: AskedCall;
  /** What is to be carried out, as a text to compare: what was asked, or what the human here made of it. */
  meaning: string;
  /** The gateway's question about it, while it waits for a decision. */
  approvalId: string | undefined;
  /** The gateway has said: now. Until then nothing is carried out, whatever was decided here. */
  isOrdered: boolean;
  ordered: PromiseWithResolvers<void>;
  /** A human at the gateway approved just these arguments, and that counts here. */
  isTrusted: boolean;
  /** Its id in the local session. */
  localId: string;
  abort: AbortController;
  done: Promise<void>;
};

export type GivenJob = Pick<Job, 'asked' | 'approvalId' | 'isOrdered' | 'isTrusted'>;

export function createJob(host: Host, given: GivenJob): Job {
  const ordered = Promise.withResolvers<void>();
  if (given.isOrdered) ordered.resolve();
  const { asked } = given;
  return {
    ...given,
    meaning: meaningOf(host, asked),
    localId: asked.id,
    ordered,
    abort: new AbortController(),
    done: Promise.resolve(),
  };
}
