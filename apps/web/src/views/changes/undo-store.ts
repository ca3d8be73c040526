// The undo or redo that somebody has asked for; the dialog shows it.
import { create } from 'zustand';

export type UndoDialogRequest =
  | { verb: 'undo'; turn?: number; call_id?: string; what: string }
  | { verb: 'redo'; what: string };

export const useUndoRequest = create<{ wanted: UndoDialogRequest | undefined }>(() => ({
  wanted: undefined,
}));

export function requestUndo(wanted: UndoDialogRequest | undefined): void {
  useUndoRequest.setState({ wanted });
}
