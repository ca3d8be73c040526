// How a call ended, in one shape for success and failure, with every effect it had on the workspace.
import * as z from 'zod/mini';
import { ErrorCode } from './errors.ts';
import { lazily } from './schema.ts';

export const FileState = lazily(() =>
  z.strictObject({
    type: z.enum(['file', 'directory', 'symlink', 'other']),
    digest: z.optional(z.string()),
    size: z.int(),
    mode: z.int(),
  }),
);
export type FileState = z.infer<ReturnType<typeof FileState>>;

export const Effect = lazily(() =>
  z.strictObject({
    op: z.enum(['create', 'update', 'delete', 'move', 'mkdir']),
    path: z.string(),
    from: z.optional(z.string()),
    before: z.nullable(FileState()),
    after: z.nullable(FileState()),
    /** A name of ours beside `path` while the effect is under way; recovery clears it. */
    temp: z.optional(z.string()),
    /** Where the removed bytes are kept. */
    trashId: z.optional(z.string()),
    /** It happened while a command ran, but nothing shows who did it; undo leaves it unless it is named. */
    uncertain: z.optional(z.literal(true)),
  }),
);
export type Effect = z.infer<ReturnType<typeof Effect>>;

export const Failure = lazily(() =>
  z.strictObject({
    code: ErrorCode(),
    message: z.string(),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
);
export type Failure = z.infer<ReturnType<typeof Failure>>;

/** A version of a file that a call has shown to its caller. */
export const Seen = lazily(() => z.strictObject({ path: z.string(), print: z.string() }));
export type Seen = z.infer<ReturnType<typeof Seen>>;

const ended = lazily(() => ({
  callId: z.string(),
  tool: z.string(),
  startedAt: z.number(),
  durationMs: z.number(),
  effects: z.array(Effect()),
}));

export const Outcome = lazily(() =>
  z.discriminatedUnion('status', [
    z.strictObject({
      ...ended(),
      status: z.literal('completed'),
      data: z.record(z.string(), z.unknown()),
      seen: z.optional(z.array(Seen())),
      /** What a human changed before it ran, told to the model. */
      changedBy: z.optional(
        z.strictObject({
          kind: z.enum(['edit', 'hunks']),
          args: z.record(z.string(), z.unknown()),
          feedback: z.optional(z.string()),
        }),
      ),
    }),
    z.strictObject({
      ...ended(),
      status: z.enum(['failed', 'rejected', 'expired', 'timed_out', 'cancelled']),
      error: Failure(),
    }),
  ]),
);
export type Outcome = z.infer<ReturnType<typeof Outcome>>;
export type EndedBadly = Exclude<Outcome, { status: 'completed' }>;
