// What a person is about to take back or bring again; the dialog shows it.
import { create } from 'zustand';

export type Wanted =
  | { verb: 'undo'; turn?: number; call_id?: string; what: string }
  | { verb: 'redo'; what: string };

export const useWanted = create<{ wanted: Wanted | undefined }>(() => ({ wanted: undefined }));

export function wantTakeBack(wanted: Wanted | undefined): void {
  useWanted.setState({ wanted });
}
