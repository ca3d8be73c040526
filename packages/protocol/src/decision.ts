// Decisions about a call: the verdict of policy on its plan (allow, ask or deny) and the rule behind it; for ask the approval, recorded
// durably, and the one decision that counts.
import * as z from 'zod/mini';
import { Actor, CallGroup, CallId, Kind, Risk, RuleEffect, SessionId } from './call.ts';
import { Print, Run } from './command.ts';
import { lazily } from './input.ts';
import { Phrase } from './phrases/phrase.ts';
import { Plan } from './plan.ts';

export const RuleLayer = lazily(() => z.enum(['built-in', 'user', 'workspace', 'session']));
export type RuleLayer = z.infer<ReturnType<typeof RuleLayer>>;

const Patterns = lazily(() => z.union([z.string(), z.array(z.string()).check(z.minLength(1))]));

/** The words of one part of a command, compared one by one: a word may hold blanks. */
const WordsPattern = lazily(() =>
  z.strictObject({
    /** All words of the part; with `more`, its program and subcommand. */
    words: z.array(z.string()).check(z.minLength(1)),
    /** Any arguments may follow that are known to be harmless for the program. */
    more: z.optional(z.literal(true)),
    /** Only when the part starts in this folder of the workspace; `.` is its root. */
    cwd: z.optional(z.string()),
  }),
);
export type WordsPattern = z.infer<ReturnType<typeof WordsPattern>>;

/** A call as a rule's examples spell it. */
export const RuleExample = lazily(() =>
  z.strictObject({
    tool: z.optional(z.string()),
    kind: z.optional(Kind()),
    path: z.optional(z.string()),
    access: z.optional(z.enum(['read', 'create', 'write', 'delete'])),
    command: z.optional(z.string()),
    profile: z.optional(z.string()),
  }),
);
export type RuleExample = z.infer<ReturnType<typeof RuleExample>>;

export const Rule = lazily(() =>
  z.strictObject({
    id: z.string().check(z.regex(/^[a-z0-9][a-z0-9._:-]{0,99}$/)),
    effect: RuleEffect(),
    reason: z.string().check(z.minLength(1)),
    tool: z.optional(Patterns()),
    kind: z.optional(z.union([Kind(), z.array(Kind()).check(z.minLength(1))])),
    /** Workspace-relative globs; compared without regard to case and to invisible characters. */
    path: z.optional(Patterns()),
    access: z.optional(z.array(z.enum(['read', 'create', 'write', 'delete'])).check(z.minLength(1))),
    command: z.optional(Patterns()),
    /** Parts of a command, word by word; a part that `command` fits is covered as well. */
    words: z.optional(z.array(WordsPattern()).check(z.minLength(1))),
    /** For an allowed command: only when it starts in this folder of the workspace; `.` is its root. */
    cwd: z.optional(z.string()),
    /** For an allowed command: only inside the sandbox. */
    sandboxed: z.optional(z.literal(true)),
    profile: z.optional(Patterns()),
    /** Only while the tool has this definition: a foreign tool can change under its name. */
    definition: z.optional(z.string()),
    /** For a remembered command: the executed body of each part. A command with another body needs a new approval. */
    prints: z.optional(
      z.array(z.strictObject({ command: z.string(), files: z.array(Print()), runs: z.array(Run()) })),
    ),
    /** For a remembered foreign tool: its arguments as JSON with sorted keys, or the digest of a long one. */
    args: z.optional(z.record(z.string(), z.string())),
    /** Arguments that may have any value, beside those in `args`. */
    free: z.optional(z.array(z.string())),
    risk: z.optional(Risk()),
    matches: z.optional(z.array(RuleExample())),
    notMatches: z.optional(z.array(RuleExample())),
  }),
);
export type Rule = z.infer<ReturnType<typeof Rule>>;

export const Verdict = lazily(() =>
  z.strictObject({
    verdict: RuleEffect(),
    risk: Risk(),
    /** The id of the deciding rule, or `default:<kind>` when no rule matched. */
    rule: z.string(),
    layer: RuleLayer(),
    reason: z.string(),
    /** The sentences of the reason, for screens in other languages. Logs of before do not have them. */
    phrases: z.optional(z.array(Phrase())),
    parts: z.array(
      z.strictObject({
        text: z.string(),
        verdict: RuleEffect(),
        reason: z.string(),
        phrases: z.optional(z.array(Phrase())),
      }),
    ),
    /** Set when rules of people allow all of a command that may change something: the command counts as asked. */
    isAllowedByRules: z.optional(z.literal(true)),
  }),
);
export type Verdict = z.infer<ReturnType<typeof Verdict>>;

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
    /** When the approval expires; without a deadline it waits until decided. */
    deadline: z.optional(z.number()),
  }),
);
export type ApprovalRequest = z.infer<ReturnType<typeof ApprovalRequest>>;

export const Scope = lazily(() => z.enum(['once', 'session', 'workspace', 'user']));
export type Scope = z.infer<ReturnType<typeof Scope>>;

/**
 * How far a rule reaches. `exact`: this call; of a command also `program`: any arguments for its programs and subcommands; of an edit
 * `file`, `folder` and `all`: any editing tool, except on protected names.
 */
export const Breadth = lazily(() => z.enum(['exact', 'program', 'file', 'folder', 'all']));
export type Breadth = z.infer<ReturnType<typeof Breadth>>;

export const Remember = lazily(() =>
  z.strictObject({
    scope: Scope(),
    /** The narrowest rule by default. */
    breadth: z.optional(Breadth()),
    rule: z.optional(Rule()),
    /** For a foreign tool: arguments that may have any value from now on. */
    widen: z.optional(z.array(z.string())),
  }),
);
export type Remember = z.infer<ReturnType<typeof Remember>>;

// The capacity of a wire's frame; more would only fill the log before the tool refuses it.
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
      /** Why a client rejected without a human: the approval timed out, or the client cannot show the request. */
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
