// A call on its way through the steps, with the events that have not reached the log yet.
import type { EventBody, Limits, Plan, Risk, ToolCall, Verdict } from '@codelab/protocol';
import type { Profile } from '../profiles/profile.ts';
import type { Planned, Tool } from './define-tool.ts';
import type { ChangedBy } from './ending.ts';
import type { Host } from './host.ts';
import type { LiveSession } from './live-session.ts';

export type Args = Record<string, unknown>;

export type Journey = {
  host: Host;
  call: ToolCall;
  session: LiveSession;
  limits: Limits;
  signal: AbortSignal;
  startedAt: number;
  roles: readonly Profile[];
  unsaved: EventBody[];
  /** Done once the outcome is in the log. */
  afterRecord: (() => void)[];
  changedBy: ChangedBy | undefined;
  /** What a human has agreed to by editing it themselves. */
  consent: Consent | undefined;
};

/** Up to which risk, and on what basis; the arguments are those they were shown. */
type Consent = { risk: Risk; basis: Plan['basis']; shown: Args };

export type Judged = { tool: Tool; args: Args; input: unknown; planned: Planned<unknown>; verdict: Verdict };

/** May run; `answer` is what a human chose, for tools that ask. */
export type Ready = Judged & { wasAsked: boolean; answer?: string; take?: readonly number[] };

/** Has to be looked at again: with other arguments, or because what it touches has changed. */
export type Again = { again: Args; why: string | undefined };

/** What an approval is about. */
export type Subject = { call: ToolCall; tool: Tool; args: Args; plan: Plan };
