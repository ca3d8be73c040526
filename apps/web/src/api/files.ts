// Files of the workspace over the API: one folder, one text, saving it.
import { request } from './request.ts';

export type FolderEntry = { name: string; path: string; type: string; size?: number; modified?: string };
export type Folder = { path: string; entries: FolderEntry[]; truncated: boolean };
type LineEnding = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';
export type TextOfFile = {
  path: string;
  text: string;
  size: number;
  fingerprint: string;
  line_ending: LineEnding;
  encoding: 'utf-8' | 'utf-8-bom';
};
/** `fingerprint` null: there is no such file yet. */
type Save = { path: string; text: string; fingerprint: string | null; session_id: string };

export const filesApi = {
  list: (path: string) => request<Folder>('GET', '/files', { query: { path } }),
  read: (path: string) => request<TextOfFile>('GET', '/files/content', { query: { path } }),
  /** The bytes are what the page says: it knows how each line ended. */
  save: (save: Save) =>
    request<{ call_id: string; path: string; size: number; fingerprint: string }>('PUT', '/files/content', {
      body: { ...save, line_endings: 'exact' },
    }),
};
