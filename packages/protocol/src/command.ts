// A command as policy and people read it: every program it would start, each judged by itself, and how it is confined.
import * as z from 'zod/mini';
import { Risk, RuleEffect } from './call.ts';
import { lazily } from './input.ts';
import { Phrase } from './phrases/phrase.ts';

/** A file with the hash of its content, or another text that identifies the body of a command. */
export const Print = lazily(() => z.strictObject({ path: z.string(), print: z.string() }));
export type Print = z.infer<ReturnType<typeof Print>>;

/** Code that a command runs although its words do not say so: `npm test runs` and `vitest run`. */
export const Run = lazily(() => z.strictObject({ label: z.string(), text: z.string() }));
export type Run = z.infer<ReturnType<typeof Run>>;

/** The body of a part: what it would execute, as found on the disk. */
export const Execution = lazily(() =>
  z.strictObject({
    runs: z.array(Run()),
    files: z.array(Print()),
    /** Why the body could not be determined completely; then no rule can allow the part. */
    unknown: z.optional(z.string()),
  }),
);
export type Execution = z.infer<ReturnType<typeof Execution>>;

/** One program that the command would start. */
export const CommandPart = lazily(() =>
  z.strictObject({
    /** The part as written in the line. */
    text: z.string(),
    /** The program and its arguments as far as the line alone tells; rules compare them joined by blanks. */
    words: z.array(z.string()),
    /** A word is known only at run time, so no rule can allow the part by its words. */
    isDynamic: z.boolean(),
    /** `allow`: proven to change nothing; `ask`: may change something; `deny`: never runs. */
    verdict: RuleEffect(),
    /** A human is asked in every mode, whatever rules allow. */
    mustAsk: z.boolean(),
    /** For a part that needs approval: the sandbox for unasked commands contains all its effects. */
    sandboxHolds: z.optional(z.literal(true)),
    /** For a part that needs approval: it changes nothing, but what it reads is known only at run time. */
    onlyReads: z.optional(z.literal(true)),
    risk: Risk(),
    reason: z.string(),
    /** The sentences of the reason, for screens in other languages. Logs of before do not have them. */
    phrases: z.optional(z.array(Phrase())),
    /** The folder the part would start in, relative to the workspace, when the line alone tells. */
    cwd: z.optional(z.string()),
    /** The nesting depth of the part in the parts before it; 0 when missing. */
    depth: z.optional(z.int()),
    /**
     * The program and subcommand by which a rule with any arguments knows this part; absent when one of its words is not known to be
     * harmless for that program.
     */
    program: z.optional(z.array(z.string())),
    /** Present for a part that may change something. */
    execution: z.optional(Execution()),
  }),
);
export type CommandPart = z.infer<ReturnType<typeof CommandPart>>;

/** How a running command is confined; `why` says why there is no sandbox, `unheld` why the command can't run unasked in this one. */
export const Confinement = lazily(() =>
  z.strictObject({
    sandbox: z.enum(['bubblewrap', 'util-linux', 'seatbelt', 'none']),
    network: z.boolean(),
    /** With the network: the only reachable hosts. */
    hosts: z.optional(z.array(z.string())),
    why: z.optional(z.string()),
    unheld: z.optional(z.string()),
    /** It goes on after its call, so undo won't know its changes. */
    unrecorded: z.optional(z.literal(true)),
  }),
);
export type Confinement = z.infer<ReturnType<typeof Confinement>>;

export const Command = lazily(() =>
  z.strictObject({
    line: z.string(),
    cwd: z.string(),
    parts: z.array(CommandPart()),
    confinement: Confinement(),
  }),
);
export type Command = z.infer<ReturnType<typeof Command>>;
