// The end of a call, in one shape for success and failure, with every effect on the workspace.
import * as z from 'zod/mini';
import { Actor, type ToolCall } from './call.ts';
import { ErrorCode, ToolError } from './errors.ts';
import { lazily } from './input.ts';

export const FileState = lazily(() =>
  z.strictObject({
    type: z.enum(['file', 'directory', 'symlink', 'other']),
    digest: z.optional(z.string()),
    size: z.int(),
    mode: z.int(),
    /** Of a folder that came back whole: a digest over what is in it, but for the content of files. */
    inside: z.optional(z.string()),
    /** Of a file without a digest, and of the newest file in a folder that came back whole: when it was last written. */
    mtimeMs: z.optional(z.int()),
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
    /** The quarantine item of the removed bytes. */
    trashId: z.optional(z.string()),
    /** The change happened while a command ran, but nothing shows who made it; undo leaves the file unless a caller names it. */
    uncertain: z.optional(z.literal(true)),
    /** A command renamed the entry to `path`: its old name, or null when undo does not cover the place where it was. */
    oldName: z.optional(z.nullable(z.string())),
    /** The same about the entry that an undo removed or replaced, for its redo. */
    oldNameBefore: z.optional(z.nullable(z.string())),
    /** `after` is what somebody had made of what a call left, brought back by an undo or redo: only force replaces it again. */
    changed: z.optional(z.literal(true)),
    /** The same about `before`, for the redo. */
    changedBefore: z.optional(z.literal(true)),
    /**
     * While an undo or redo is under way: the call that it reverses, and the path of it that is as before once this change is made, if any.
     */
    reverses: z.optional(
      z.strictObject({ session: z.string(), callId: z.string(), path: z.optional(z.string()) }),
    ),
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
      /** The human's changes before the call ran; the model gets them. */
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

// The status of a call that failed with a code.
export function statusOf(code: ErrorCode): EndedBadly['status'] {
  switch (code) {
    case 'REJECTED':
      return 'rejected';
    case 'APPROVAL_EXPIRED':
      return 'expired';
    case 'TIMEOUT':
      return 'timed_out';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return 'failed';
  }
}

// The abort reason of a cancellation: it names the person, and the log records it.
export function cancellation(by: Actor): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled.', { by });
}

/** The person in the abort reason of a `cancellation`. */
export function cancelledBy({ reason }: AbortSignal): Actor | undefined {
  if (!(reason instanceof ToolError) || reason.code !== 'CANCELLED') return undefined;
  return Actor().safeParse(reason.details?.by).data;
}

/** The common part of all notes on irreversible effects of a command. */
export const lossNote = "and undo can't bring";

/** The irreversible effects of a command, from its result: people must see them, not only the model. */
export function lossNotes(outcome: Outcome | undefined): string[] {
  const { notes } = reportOf(outcome);
  return Array.isArray(notes) ? notes.filter(isLossNote) : [];
}

export function isLossNote(note: unknown): note is string {
  return typeof note === 'string' && note.includes(lossNote);
}

/** The number of a command's changes beyond its recorded effects. */
export function notRecordedIn(outcome: Outcome): number {
  const { not_recorded: count } = reportOf(outcome);
  return typeof count === 'number' && outcome.effects.length > 0 ? count : 0;
}

/** The result of a call, or what its failure says besides the message. */
function reportOf(outcome: Outcome | undefined): Record<string, unknown> {
  if (outcome === undefined) return {};
  return (outcome.status === 'completed' ? outcome.data : outcome.error.details) ?? {};
}

// A command that failed because of the sandbox, and how the same command runs outside of it once a person agrees.
/** The start of each note that names the sandbox as the cause. */
export const sandboxCause = 'Because of the sandbox';

/** Failures that the sandbox caused, from the command's result. */
export function sandboxCauses(outcome: Outcome | undefined): string[] {
  const notes = outcome?.status === 'completed' ? outcome.data.notes : undefined;
  if (!Array.isArray(notes)) return [];
  return notes.filter((note) => typeof note === 'string' && note.startsWith(sandboxCause));
}

/** The call that asks to run the command outside; undefined where the sandbox was not in its way. */
export function outsideCall(
  { tool, args }: Pick<ToolCall, 'tool' | 'args'>,
  outcome: Outcome | undefined,
): Pick<ToolCall, 'tool' | 'args'> | undefined {
  // An MCP server may write such a note into its result, but no sandbox of ours holds its tools.
  if (tool.startsWith('mcp:') || typeof args.command !== 'string') return undefined;
  return sandboxCauses(outcome).length > 0 ? { tool, args: { ...args, sandbox: 'off' } } : undefined;
}
