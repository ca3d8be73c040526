// Changes of a session's calls, undo and redo, and deleted files that can still be restored.
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { lazily, time } from '../shared.ts';

const base = '/api/v1/sessions/{id}';

/** `evicted`: the old content is no longer stored, so the change cannot be undone. */
const ChangeState = lazily(() => z.enum(['done', 'undone', 'evicted']));
export type ChangeState = z.infer<ReturnType<typeof ChangeState>>;

const op = () => z.enum(['create', 'update', 'delete', 'move', 'mkdir']);
/** Number of lines; null when they cannot be counted. */
const lines = () => ({ added: z.nullable(z.number()), removed: z.nullable(z.number()) });

const ChangedFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    from: z.optional(z.string()),
    op: op(),
    state: ChangeState(),
    /** The file changed while a command ran; who changed it is unknown. */
    uncertain: z.optional(z.literal(true)),
    ...lines(),
  }),
);
export type ChangedFile = z.infer<ReturnType<typeof ChangedFile>>;

const ChangedCall = lazily(() =>
  z.strictObject({
    call_id: z.string(),
    tool: z.string(),
    summary: z.string(),
    time: time(),
    state: ChangeState(),
    files: z.array(ChangedFile()),
    /** The number of unlisted files. */
    more_files: z.optional(z.number()),
  }),
);
export type ChangedCall = z.infer<ReturnType<typeof ChangedCall>>;

const ChangeTurn = lazily(() =>
  z.strictObject({
    /** Null for a call of a person, which belongs to no turn. */
    turn: z.nullable(z.number()),
    time: time(),
    state: ChangeState(),
    calls: z.array(ChangedCall()),
  }),
);
export type ChangeTurn = z.infer<ReturnType<typeof ChangeTurn>>;

const FileDiff = lazily(() =>
  z.strictObject({
    path: z.string(),
    from: z.optional(z.string()),
    op: op(),
    diff: z.string(),
    ...lines(),
    binary: z.optional(z.literal(true)),
    truncated: z.optional(z.literal(true)),
    /** Why there is no diff any more. */
    gone: z.optional(z.string()),
  }),
);
export type FileDiff = z.infer<ReturnType<typeof FileDiff>>;

const CallDiff = lazily(() =>
  z.strictObject({
    call_id: z.string(),
    tool: z.string(),
    summary: z.string(),
    files: z.array(FileDiff()),
  }),
);
export type CallDiff = z.infer<ReturnType<typeof CallDiff>>;

const UndoResult = lazily(() =>
  z.strictObject({
    files: z.array(
      z.strictObject({
        path: z.string(),
        action: z.enum(['restore', 'remove', 'move', 'none']),
        /** The path it goes back to, when it was moved. */
        to: z.optional(z.string()),
        state: z.enum(['ready', 'done', 'refused']),
        why: z.optional(z.string()),
      }),
    ),
    diff: z.optional(z.string()),
    truncated: z.optional(z.boolean()),
    done: z.boolean(),
  }),
);
export type UndoResult = z.infer<ReturnType<typeof UndoResult>>;

const TrashEntry = lazily(() => z.strictObject(trashFields()));
export type TrashEntry = z.infer<ReturnType<typeof TrashEntry>>;

const trashFields = () => ({
  trash_id: z.string(),
  path: z.string(),
  files: z.number(),
  bytes: z.number(),
  deleted_at: time(),
  session: z.string(),
  call_id: z.string(),
});

const undoOptions = () => ({
  dry_run: z._default(z.boolean(), false),
  force: z._default(z.boolean(), false),
});

export const changeRoutes = {
  list: defineRoute({
    id: 'listChanges',
    method: 'GET',
    path: `${base}/changes`,
    summary: 'What the calls of a session changed, newest turn first',
    answer: lazily(() => z.strictObject({ turns: z.array(ChangeTurn()) })),
  }),
  diff: defineRoute({
    id: 'getChangeDiff',
    method: 'GET',
    path: `${base}/changes/{call}`,
    summary: 'What one call changed, as a unified diff for each file',
    answer: CallDiff,
  }),
  undo: defineRoute({
    id: 'undoChanges',
    method: 'POST',
    path: `${base}/undo`,
    summary: 'Undoes the file changes of a turn or call of the session',
    body: () =>
      z.strictObject({
        turn: z.optional(z.int().check(z.positive())),
        /** Selects the turn and all later ones. */
        from_turn: z.optional(z.int().check(z.positive())),
        call_id: z.optional(z.string().check(z.maxLength(200))),
        paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
        ...undoOptions(),
      }),
    isBodyOptional: true,
    answer: UndoResult,
  }),
  redo: defineRoute({
    id: 'redoChanges',
    method: 'POST',
    path: `${base}/redo`,
    summary: 'Redoes the last undo of the session',
    body: () => z.strictObject(undoOptions()),
    isBodyOptional: true,
    answer: UndoResult,
  }),
  trash: defineRoute({
    id: 'listTrash',
    method: 'GET',
    path: '/api/v1/trash',
    summary: 'Deleted files that are still stored, newest first',
    answer: lazily(() => z.strictObject({ entries: z.array(TrashEntry()) })),
  }),
  restore: defineRoute({
    id: 'restoreFromTrash',
    method: 'POST',
    path: '/api/v1/trash/{trash}/restore',
    summary: 'Restores a deleted file; refused when the path exists',
    answer: lazily(() => z.strictObject({ ...trashFields(), restored: z.literal(true) })),
  }),
};
