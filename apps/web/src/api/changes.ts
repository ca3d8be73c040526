// What a session changed, taking it back, and the trash, over the API.
import { request, segment } from './request.ts';

export type ChangeState = 'done' | 'undone' | 'evicted';
type ChangeOp = 'create' | 'update' | 'delete' | 'move' | 'mkdir';
export type ChangedFile = {
  path: string;
  from?: string;
  op: ChangeOp;
  state: ChangeState;
  /** It changed while a command ran; not known by whom. */
  uncertain?: boolean;
  added: number | null;
  removed: number | null;
};
export type ChangeCall = {
  call_id: string;
  tool: string;
  summary: string;
  time: string;
  state: ChangeState;
  files: ChangedFile[];
  more_files?: number;
};
export type ChangeTurn = { turn: number | null; time: string; state: ChangeState; calls: ChangeCall[] };
export type FileDiff = {
  path: string;
  from?: string;
  op: ChangeOp;
  diff: string;
  added: number | null;
  removed: number | null;
  binary?: boolean;
  truncated?: boolean;
  /** Why there is no difference to show any more. */
  gone?: string;
};
export type CallDiff = { call_id: string; tool: string; summary: string; files: FileDiff[] };
export type TakenBack = {
  files: { path: string; action: string; state: 'ready' | 'done' | 'refused'; why?: string }[];
  diff?: string;
  truncated?: boolean;
  done: boolean;
};
/** Without `turn` and `call_id`: the latest. */
export type TakeBack = { turn?: number; call_id?: string; dry_run?: boolean; force?: boolean };
export type TrashEntry = {
  trash_id: string;
  path: string;
  files: number;
  bytes: number;
  deleted_at: string;
  session: string;
};

const of = (session: string): string => `/sessions/${segment(session)}`;

export const changesApi = {
  list: (session: string) => request<{ turns: ChangeTurn[] }>('GET', `${of(session)}/changes`),
  diff: (session: string, call: string) =>
    request<CallDiff>('GET', `${of(session)}/changes/${segment(call)}`),
  undo: (session: string, body: TakeBack) => request<TakenBack>('POST', `${of(session)}/undo`, { body }),
  redo: (session: string, body: Pick<TakeBack, 'dry_run' | 'force'>) =>
    request<TakenBack>('POST', `${of(session)}/redo`, { body }),
  trash: () => request<{ entries: TrashEntry[] }>('GET', '/trash'),
  restore: (id: string) => request<unknown>('POST', `/trash/${segment(id)}/restore`, { body: {} }),
};
