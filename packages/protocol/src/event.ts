// The session log's entries. A session is nothing but the ordered list of these.
import * as z from 'zod/mini';
import { Actor, CallId, policyModes, SessionId, ToolCall } from './call.ts';
import { conversationEvents } from './conversation/conversation-event.ts';
import { ApprovalRequest, DecidedBy, Decision, Rule, Verdict } from './decision.ts';
import { lazily } from './input.ts';
import { DialectName } from './limits.ts';
import { Effect, Outcome } from './outcome.ts';
import { Plan } from './plan.ts';

/** The process that runs a call; when it is gone without an outcome, the call's outcome is unknown. */
export const Owner = lazily(() =>
  z.strictObject({
    host: z.string(),
    pid: z.int(),
    /** On Linux the boot id and the start tick, elsewhere `unknown`. */
    startedAt: z.string(),
    /** The Linux pid namespace: a recreated container has another one, in which its pids mean other processes. */
    pidNamespace: z.optional(z.string()),
  }),
);
export type Owner = z.infer<ReturnType<typeof Owner>>;

/** A client that runs calls. A named one is the same when it reconnects, and remembers the calls it has begun. */
export const Executor = lazily(() =>
  z.strictObject({ id: z.string(), who: z.string(), isNamed: z.boolean() }),
);
export type Executor = z.infer<ReturnType<typeof Executor>>;

export const RecoveredFile = lazily(() =>
  z.strictObject({ path: z.string(), action: z.enum(['restored', 'failed']) }),
);
export type RecoveredFile = z.infer<ReturnType<typeof RecoveredFile>>;

/** For a session in a git worktree: the workspace it was made from, its branch, and the branch's first commit. */
export const SessionWorktree = lazily(() =>
  z.strictObject({ of: z.string(), branch: z.string(), base: z.string() }),
);
export type SessionWorktree = z.infer<ReturnType<typeof SessionWorktree>>;

export const EventBody = lazily(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('session.opened'),
      workspace: z.string(),
      title: z.optional(z.string()),
      /** The owner of the session where several people share a gateway; without the field, the operator. */
      owner: z.optional(z.string()),
      /** A client that has the files carries out the calls of the session, not the machine that holds the log. */
      executor: z.optional(z.literal('client')),
      /** The dialect whose tools that client has; the plugin's when the field is missing. */
      dialect: z.optional(DialectName()),
      /** The earlier conversation is read from that session, up to that entry. */
      forkedFrom: z.optional(z.strictObject({ session: SessionId(), seq: z.int() })),
      /** `workspace` is a worktree that CodeLab made. */
      worktree: z.optional(SessionWorktree()),
    }),
    ...conversationEvents(),
    ...callEvents(),
    ...approvalEvents(),
    z.strictObject({ type: z.literal('rule.remembered'), rule: Rule(), by: DecidedBy() }),
    /** The mode applies from the next call on; a session without this entry has the mode of its gateway. */
    z.strictObject({ type: z.literal('mode.changed'), mode: z.enum(policyModes), by: DecidedBy() }),
    ...terminalEvents(),
    ...worktreeEvents(),
  ]),
);
export type EventBody = z.infer<ReturnType<typeof EventBody>>;

const callEvents = () =>
  [
    z.strictObject({ type: z.literal('call.received'), call: ToolCall() }),
    z.strictObject({ type: z.literal('call.planned'), callId: CallId(), plan: Plan(), verdict: Verdict() }),
    z.strictObject({
      type: z.literal('call.started'),
      callId: CallId(),
      owner: Owner(),
      args: z.record(z.string(), z.unknown()),
      intents: z.array(Effect()),
      /** The quarantine slot that keeps the old contents while the call runs and afterwards. */
      slot: z.string(),
    }),
    /** On the disk before the client gets the call, so that no second client gets the same call. */
    z.strictObject({ type: z.literal('call.taken'), callId: CallId(), executor: Executor() }),
    z.strictObject({
      type: z.literal('call.finished'),
      callId: CallId(),
      outcome: Outcome(),
      turn: z.optional(z.int()),
    }),
    /** After a power failure: files of a finished call that the disk had lost, written again from its journal. */
    z.strictObject({ type: z.literal('call.recovered'), callId: CallId(), files: z.array(RecoveredFile()) }),
  ] as const;

// A person's own terminal: that it was opened and how it ended. Neither input nor output is recorded.
/** `exited`: the shell ended; `closed`: a person closed it; `stopped`: the gateway ended or the session was deleted; `failed`: never started. */
const TerminalEnd = lazily(() => z.enum(['exited', 'closed', 'stopped', 'failed']));
export type TerminalEnd = z.infer<ReturnType<typeof TerminalEnd>>;

const terminalEvents = () =>
  [
    z.strictObject({
      type: z.literal('terminal.opened'),
      terminal: z.string(),
      by: Actor(),
      shell: z.string(),
      cwd: z.string(),
    }),
    z.strictObject({
      type: z.literal('terminal.closed'),
      terminal: z.string(),
      end: TerminalEnd(),
      /** The person who closed the terminal. */
      by: z.optional(Actor()),
      exitCode: z.nullable(z.int()),
      signal: z.optional(z.string()),
      /** The number of printed bytes. */
      bytes: z.int(),
    }),
  ] as const;

const worktreeEvents = () =>
  [
    /** `before` and `commit`: the commits of branch `into` before and after the merge. */
    z.strictObject({
      type: z.literal('worktree.merged'),
      by: Actor(),
      branch: z.string(),
      into: z.string(),
      before: z.string(),
      commit: z.string(),
    }),
    /** `files`: how many were not committed and are gone; `commits`: how many were in no other branch when the branch was deleted. */
    z.strictObject({
      type: z.literal('worktree.dropped'),
      by: Actor(),
      branch: z.nullable(z.string()),
      isBranchDeleted: z.boolean(),
      files: z.int(),
      commits: z.int(),
    }),
  ] as const;

const approvalEvents = () =>
  [
    z.strictObject({ type: z.literal('approval.requested'), callId: CallId(), approval: ApprovalRequest() }),
    z.strictObject({
      type: z.literal('approval.warned'),
      callId: CallId(),
      approvalId: z.string(),
      secondsLeft: z.int(),
    }),
    z.strictObject({
      type: z.literal('approval.decided'),
      callId: CallId(),
      approvalId: z.string(),
      decision: Decision(),
      by: DecidedBy(),
    }),
    z.strictObject({ type: z.literal('approval.expired'), callId: CallId(), approvalId: z.string() }),
  ] as const;

export const SessionEvent = lazily(() =>
  z.strictObject({
    session: SessionId(),
    seq: z.int().check(z.positive()),
    time: z.number(),
    hash: z.string(),
    body: EventBody(),
  }),
);
export type SessionEvent = z.infer<ReturnType<typeof SessionEvent>>;
