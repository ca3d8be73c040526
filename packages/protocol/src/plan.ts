// The effects of a call, computed by reading only. A human judges this; `basis` are the inputs of the computation.
import * as z from 'zod/mini';
import { Risk } from './call.ts';
import { Command } from './command.ts';
import { lazily } from './input.ts';
import { type DraftTexts, Phrase } from './phrases/phrase.ts';

export const Access = lazily(() => z.enum(['read', 'create', 'write', 'delete']));
export type Access = z.infer<ReturnType<typeof Access>>;

/** A place the call touches: the path the caller named, and where it really leads inside the workspace. */
export const Touch = lazily(() =>
  z.strictObject({
    asked: z.string(),
    path: z.string(),
    access: Access(),
  }),
);
export type Touch = z.infer<ReturnType<typeof Touch>>;

export const BlastRadius = lazily(() =>
  z.strictObject({
    files: z.int(),
    directories: z.int(),
    bytes: z.int(),
    /** The space on the disk: without holes, and a file with several names once. Older logs do not have it. */
    diskBytes: z.optional(z.int()),
    /** Files that git does not have, so only the quarantine can restore them; null when there is no readable git index. */
    untracked: z.nullable(z.int()),
    linksLeaving: z.int(),
  }),
);
export type BlastRadius = z.infer<ReturnType<typeof BlastRadius>>;

export const Diff = lazily(() =>
  z.strictObject({
    text: z.string(),
    additions: z.int(),
    deletions: z.int(),
    hunks: z.int(),
    truncated: z.boolean(),
  }),
);
export type Diff = z.infer<ReturnType<typeof Diff>>;

export const Question = lazily(() => z.strictObject({ message: z.string(), actions: z.array(z.string()) }));
export type Question = z.infer<ReturnType<typeof Question>>;

/** The sentences of the texts with these names, for screens in other languages; null for a note that others wrote. */
const PlanPhrases = lazily(() =>
  z.strictObject({
    summary: z.optional(z.array(Phrase())),
    riskReason: z.optional(z.array(Phrase())),
    notes: z.optional(z.array(z.nullable(z.array(Phrase())))),
  }),
);

export const Plan = lazily(() =>
  z.strictObject({
    summary: z.string(),
    risk: Risk(),
    riskReason: z.string(),
    touches: z.array(Touch()),
    notes: z.array(z.string()),
    phrases: z.optional(PlanPhrases()),
    diff: z.optional(Diff()),
    command: z.optional(Command()),
    blast: z.optional(BlastRadius()),
    question: z.optional(Question()),
    /** Fingerprints of everything the plan read; a decision holds only while they stay the same. */
    basis: z.array(z.strictObject({ path: z.string(), print: z.string() })),
  }),
);
export type Plan = z.infer<ReturnType<typeof Plan>>;

/** A plan as a tool writes it, with phrases for its texts. */
export type PlanDraft = Omit<Plan, keyof DraftTexts | 'phrases'> & DraftTexts;
