// Files of the workspace for a screen: one folder, one text, saving it, and finding by a few letters.
import * as z from 'zod/mini';
import { route } from './route.ts';
import { countFromOne, filePath, lazily, time } from './shared.ts';

const base = '/api/v1/files';

const FolderEntry = lazily(() =>
  z.strictObject({
    name: z.string(),
    path: z.string(),
    type: z.string(),
    size: z.optional(z.number()),
    modified: z.optional(time()),
  }),
);
export type FolderEntry = z.infer<ReturnType<typeof FolderEntry>>;

const TextFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    text: z.string(),
    size: z.number(),
    modified: z.optional(time()),
    /** Saving needs it: a file that changed since is not overwritten. */
    fingerprint: z.string(),
    line_ending: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
    encoding: z.enum(['utf-8', 'utf-8-bom']),
  }),
);
export type TextFile = z.infer<ReturnType<typeof TextFile>>;

const SavedFile = lazily(() =>
  z.strictObject({ call_id: z.string(), path: z.string(), size: z.number(), fingerprint: z.string() }),
);
export type SavedFile = z.infer<ReturnType<typeof SavedFile>>;

export const fileRoutes = {
  list: route({
    id: 'listFolder',
    method: 'GET',
    path: base,
    summary: 'One folder, folders first',
    query: () => z.object({ path: z._default(filePath(), '.') }),
    answer: lazily(() =>
      z.strictObject({ path: z.string(), entries: z.array(FolderEntry()), truncated: z.boolean() }),
    ),
  }),
  read: route({
    id: 'readFile',
    method: 'GET',
    path: `${base}/content`,
    summary: 'A text file, with the fingerprint that saving it needs',
    query: () => z.object({ path: filePath() }),
    answer: TextFile,
  }),
  save: route({
    id: 'saveFile',
    method: 'PUT',
    path: `${base}/content`,
    summary: 'Saves a text file as a call of the session, which can be undone',
    body: () =>
      z.strictObject({
        path: filePath(),
        text: z.string(),
        /** As reading gave it; null or left out: there is no such file yet. */
        fingerprint: z.nullish(z.string().check(z.maxLength(200))),
        session_id: z.string().check(z.minLength(1), z.maxLength(200)),
        /** `exact`: the text knows how each of its lines ends; otherwise the file does. */
        line_endings: z._default(z.enum(['keep', 'exact']), 'keep'),
      }),
    answer: SavedFile,
  }),
  find: route({
    id: 'findFiles',
    method: 'GET',
    path: `${base}/find`,
    summary: 'Files whose paths fit a few letters, the best first',
    query: () =>
      z.object({
        query: z._default(z.string().check(z.maxLength(200)), ''),
        limit: z._default(countFromOne(200), 20),
      }),
    answer: lazily(() => z.strictObject({ files: z.array(z.string()) })),
  }),
};
