// Other paths of a call: `runConsented` for a call that a person makes themselves; `planOnly` ends at the verdict, `readUnrecorded` runs a
// call without changes and without a record, and `inspect` reads as a plan does.
import {
  type DecidedBy,
  type Limits,
  type Outcome,
  type Plan,
  type Seen,
  type ToolCall,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import { tellDiagnostic } from '../lsp/tell-diagnostic.ts';
import { isEffectful, type PlanContext } from '../tool/define-tool.ts';
import { defaultProfile, rolesOf } from '../tool/profile.ts';
import { answerApproval } from './ask-human.ts';
import type { CallScope, ToolArguments } from './call-run.ts';
import type { Host } from './host.ts';
import { planContext } from './plan-call.ts';
import { runUnrecorded } from './run-and-record.ts';
import { assess, runCall } from './run-call.ts';
import type { LiveSession } from './session/live-session.ts';

/** A person makes the call: their request is the consent, recorded under their name. A deny rule still applies. */
export async function runConsented(
  host: Host,
  call: ToolCall,
  by: DecidedBy,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const { id, session } = call;
  let isAnswered = false;
  // Also without an approval: the record must say that the person caused the call.
  return await runCall(host, { ...call, requiresApproval: true }, signal, async (approval) => {
    // The person agreed to the state when they asked, not to a later one.
    if (isAnswered) throw changedMeanwhile(id);
    isAnswered = true;
    const decision = { kind: 'approve' as const };
    await answerApproval(host, { session, approvalId: approval.id, decision, by }).catch(unlessDecided);
  });
}

// Ignores the error when another decision on this approval was first; that one holds.
function unlessDecided(error: unknown): void {
  if (!(error instanceof ToolError && error.code === 'ALREADY_DECIDED')) throw error;
}

function changedMeanwhile(id: string): ToolError {
  return new ToolError(
    'STALE',
    `What the call ${id} touches was changed in the meantime, so it was not carried out. Look again.`,
  );
}

/** Plans and judges: what a human would be asked, and why. Nothing is asked, run or recorded. `unsavedTexts` replace the session's. */
export async function planOnly(
  host: Host,
  call: Omit<ToolCall, 'id'>,
  unsavedTexts?: ReadonlyMap<string, string>,
): Promise<{ plan: Plan; verdict: Verdict }> {
  const limits = host.limits(call.dialect);
  const live = await host.session(call.session);
  const roles = await rolesOf(host.profiles, live, call);
  const signal = AbortSignal.timeout(limits.runMs);
  const session = unsavedTexts === undefined ? live : withTexts(live, unsavedTexts);
  const view: CallScope = { host, call, session, limits, signal, roles };
  const { planned, verdict } = await assess(view, call.args);
  return { plan: planned.plan, verdict };
}

function withTexts(live: LiveSession, unsavedTexts: ReadonlyMap<string, string>): CallScope['session'] {
  const { id, mode, rules, isElsewhere } = live;
  const seen = live.seen.bind(live);
  const latest = live.latest.bind(live);
  return { id, mode, rules, isElsewhere, seen, latest, outcome: live.outcome.bind(live), unsavedTexts };
}

type UnrecordedRead = {
  tool: 'read_file' | 'list_files' | 'find_files' | 'search_in_project' | 'git.status';
  args: ToolArguments;
  /** Larger limits, where a screen may show more than a model gets. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
};

// No session can have this name, so no session rules apply.
const noSession: CallScope['session'] = {
  ...{ id: '-', mode: undefined, rules: [], isElsewhere: false, unsavedTexts: new Map() },
  seen: () => undefined,
  latest: async () => undefined,
  outcome: async () => undefined,
};

/** Reads the workspace for a person. What a rule would ask about has to be a recorded call. */
export async function readUnrecorded(
  host: Host,
  { tool, args, ...options }: UnrecordedRead,
): Promise<{ data: ToolArguments; seen: readonly Seen[] }> {
  const limits = { ...host.limits('codelab'), ...options.limits };
  const ends = [AbortSignal.timeout(limits.runMs), ...(options.signal ? [options.signal] : [])];
  const roles = await host.profiles.find(defaultProfile);
  const signal = AbortSignal.any(ends);
  const view: CallScope = { host, call: { tool, args }, session: noSession, limits, signal, roles };
  const judged = await assess(view, args);
  const { verdict, reason, rule } = judged.verdict;
  if (verdict !== 'allow' || isEffectful(judged.planned))
    throw new ToolError('PERMISSION_DENIED', reason, { rule, verdict });
  const { data, seen = [] } = await runUnrecorded(view, judged);
  return { data, seen };
}

/** Reads what a plan of this session may read, for a view of the files without a tool. */
export async function inspect<T>(
  host: Host,
  { session: id, limits: more }: { session: string; limits?: Partial<Limits> },
  read: (context: PlanContext) => T | Promise<T>,
): Promise<T> {
  const session = await host.session(id);
  const roles = await host.profiles.find(defaultProfile);
  const limits = { ...host.limits('codelab'), ...more };
  return await read(planContext({ host, session, limits, roles, signal: AbortSignal.timeout(limits.runMs) }));
}

// Diagnostics after an edit: the errors and warnings that the edit introduced, where a language server was already running.

/** Empty when there are no diagnostics, or none arrive in time. */
export async function tellNewDiagnostics(
  host: Host,
  { id, session }: { id: string; session: string },
): Promise<string> {
  const servers = host.lsp.tellsAfterEdits ? host.lsp.opened() : undefined;
  if (servers === undefined) return '';
  const diagnostics = await inspect(host, { session }, (context) => servers.edits.after(id, context));
  if (diagnostics.length === 0) return '';
  return `\n\nNew since this edit:\n${diagnostics.map((diagnostic) => tellDiagnostic(diagnostic.path, diagnostic)).join('\n')}`;
}
