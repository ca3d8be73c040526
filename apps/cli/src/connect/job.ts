// A gateway's call while it runs on this machine.
import '../shared.ts';
import type { WireCall } from '@codelab/dialects';
import { digestJson, type Host } from '@codelab/runtime';

export type ExecutorJob = {
  /** The gateway's call: its message, and the matching core call. */
  call: WireCall;
  /** The call to run, as a text to compare: as it was requested, or as the user here edited it. */
  meaning: string;
  /** The gateway's approval for the call, while it is pending. */
  approvalId: string | undefined;
  /** The gateway has ordered the call. Nothing runs before, whatever was decided here. */
  isOrdered: boolean;
  ordered: PromiseWithResolvers<void>;
  /** A person at the gateway approved exactly these arguments, and that approval counts here. */
  isTrusted: boolean;
  /** The call's id in the local session. */
  localId: string;
  abort: AbortController;
  finished: Promise<void>;
};

export type NewJob = Pick<ExecutorJob, 'call' | 'approvalId' | 'isOrdered' | 'isTrusted'>;

export function createJob(host: Host, newJob: NewJob): ExecutorJob {
  const ordered = Promise.withResolvers<void>();
  if (newJob.isOrdered) ordered.resolve();
  const { call } = newJob;
  return {
    ...newJob,
    meaning: callDigest(host, call),
    localId: call.id,
    ordered,
    abort: new AbortController(),
    finished: Promise.resolve(),
  };
}

/** A call as a text to compare, with the tool's defaults filled in, since a gateway may send them or leave them out. */
type Call = { tool: string; args: Record<string, unknown> };

export function callDigest(host: Host, { tool, args }: Call): string {
  return digestJson([tool, withDefaults(host, { tool, args })]);
}

/** Invalid arguments stay unchanged: the call itself reports them. */
export function withDefaults(host: Host, { tool, args }: Call): Record<string, unknown> {
  const parsed = host.tools.get(tool)?.input().safeParse(args);
  return parsed?.success ? (parsed.data as Record<string, unknown>) : args;
}
