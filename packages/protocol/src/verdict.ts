// The verdict of policy on one plan (allow, ask or deny) and the rule that decides it.
import * as z from 'zod/mini';
import { Kind, Risk, RuleEffect } from './call.ts';
import { Print, Run } from './command.ts';
import { Phrase } from './phrases/phrase.ts';
import { lazily } from './schema.ts';

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
    /** For a command that is allowed: only when it starts in this folder of the workspace; `.` is its root. */
    cwd: z.optional(z.string()),
    /** For a command that is allowed: only inside the sandbox. */
    sandboxed: z.optional(z.literal(true)),
    profile: z.optional(Patterns()),
    /** Only while the tool has this definition: the definition of a foreign tool can change under its name. */
    definition: z.optional(z.string()),
    /** For a remembered command: what each of its parts executed then. A command with another body is asked about again. */
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
