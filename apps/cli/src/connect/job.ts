// A gateway's call on its way through this machine.
import '../shared.ts';
import type { WireCall } from '@codelab/dialects';
import { digestJson, type Host } from '@codelab/runtime';

export type ExecutorJob = {
  /** The gateway's call, as it was spelled and what it means. */
  asked: WireCall;
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

export type NewJob = Pick<ExecutorJob, 'asked' | 'approvalId' | 'isOrdered' | 'isTrusted'>;

export function createJob(host: Host, given: NewJob): ExecutorJob {
  const ordered = Promise.withResolvers<void>();
  if (given.isOrdered) ordered.resolve();
  const { asked } = given;
  return {
    ...given,
    meaning: callDigest(host, asked),
    localId: asked.id,
    ordered,
    abort: new AbortController(),
    done: Promise.resolve(),
  };
}

/** What a call is, as a text to compare: with all that the tool itself fills in, since a gateway tells it with or without. */
type Call = { tool: string; args: Record<string, unknown> };

export function callDigest(host: Host, { tool, args }: Call): string {
  return digestJson([tool, withDefaults(host, { tool, args })]);
}

/** Arguments that do not fit stay as they are: the call itself will say so. */
export function withDefaults(host: Host, { tool, args }: Call): Record<string, unknown> {
  const parsed = host.tools.get(tool)?.input().safeParse(args);
  return parsed?.success ? (parsed.data as Record<string, unknown>) : args;
}
