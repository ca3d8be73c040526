// An approval, recorded durably, and the one decision that counts.
import * as z from 'zod/mini';
import { Actor, CallGroup, CallId, Kind, SessionId } from './call.ts';
import { Plan } from './plan.ts';
import { lazily } from './schema.ts';
import { Rule, Verdict } from './verdict.ts';

export const ApprovalRequest = lazily(() =>
  z.strictObject({
    id: z.string(),
    callId: CallId(),
    session: SessionId(),
    tool: z.string(),
    kind: Kind(),
    args: z.record(z.string(), z.unknown()),
    plan: Plan(),
    verdict: Verdict(),
    /** Why the approval is asked again: what changed since the last time. */
    again: z.optional(z.string()),
    /** Hash over everything a decision is about; a call that no longer matches it is asked again. */
    binding: z.string(),
    /** The calls of a reply that are asked about together; a screen can show them as one question. */
    group: z.optional(CallGroup()),
    requestedAt: z.number(),
    /** When the approval expires; without a deadline it waits until it is decided. */
    deadline: z.optional(z.number()),
  }),
);
export type ApprovalRequest = z.infer<ReturnType<typeof ApprovalRequest>>;

export const Scope = lazily(() => z.enum(['once', 'session', 'workspace', 'user']));
export type Scope = z.infer<ReturnType<typeof Scope>>;

/**
 * How far a rule reaches. `exact`: this call; of a command also `program`: any arguments for its programs and subcommands; of an edit `file`,
 * `folder` and `all`: by any tool that edits, as far as no protected name is touched.
 */
export const Breadth = lazily(() => z.enum(['exact', 'program', 'file', 'folder', 'all']));
export type Breadth = z.infer<ReturnType<typeof Breadth>>;

export const Remember = lazily(() =>
  z.strictObject({
    scope: Scope(),
    /** Without one the rule is the narrowest. */
    breadth: z.optional(Breadth()),
    rule: z.optional(Rule()),
    /** For a foreign tool: arguments that may have any value from now on. */
    widen: z.optional(z.array(z.string())),
  }),
);
export type Remember = z.infer<ReturnType<typeof Remember>>;

// As much as a frame of the wires may hold; more would only fill the log before the tool refuses it.
const maxEditedHunks = 10_000;
const maxEditedChars = 10 * 1024 * 1024;

/** A hunk that is taken with other text: the new text in place of its old lines, context and line ends included. */
export const HunkEdit = lazily(() =>
  z.strictObject({ hunk: z.int().check(z.positive()), text: z.string().check(z.maxLength(maxEditedChars)) }),
);
export type HunkEdit = z.infer<ReturnType<typeof HunkEdit>>;

const HunkEdits = lazily(() =>
  z.array(HunkEdit()).check(
    z.maxLength(maxEditedHunks),
    z.refine((edits) => edits.reduce((sum, { text }) => sum + text.length, 0) <= maxEditedChars),
  ),
);

export const Decision = lazily(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('approve'), remember: z.optional(Remember()) }),
    z.strictObject({
      kind: z.literal('edit'),
      args: z.record(z.string(), z.unknown()),
      feedback: z.optional(z.string()),
    }),
    z.strictObject({
      kind: z.literal('hunks'),
      /** Numbers of the hunks to take, from 1, across files in order. */
      take: z.array(z.int().check(z.positive())),
      /** Hunks whose text was changed: edited by hand, or taken in part. */
      edits: z.optional(HunkEdits()),
      feedback: z.optional(z.string()),
    }),
    z.strictObject({
      kind: z.literal('reject'),
      feedback: z.optional(z.string()),
      /** Why a client rejected without a human: nobody answered in time, or the client cannot show the request. */
      cause: z.optional(z.enum(['timeout', 'invalid'])),
      remember: z.optional(Remember()),
    }),
    z.strictObject({ kind: z.literal('answer'), action: z.string() }),
  ]),
);
export type Decision = z.infer<ReturnType<typeof Decision>>;

/** The hunks of a diff that a human takes, and the text of those they edited. */
export type HunkChoice = Pick<Extract<Decision, { kind: 'hunks' }>, 'take' | 'edits'>;

export const DecidedBy = Actor;
export type DecidedBy = Actor;
