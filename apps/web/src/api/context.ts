// What a model is shown at every turn of a session, over the API.
import { request, segment } from './request.ts';

export type PinnedFile = { path: string; bytes: number; tokens: number };
export type ContextInfo = { files: PinnedFile[]; used_tokens: number; window_tokens: number | null };

export const contextApi = {
  get: (session: string, signal?: AbortSignal) =>
    request<ContextInfo>('GET', `/sessions/${segment(session)}/context`, { ...(signal && { signal }) }),
};
