export type BareRecord = {
  append(entries: readonly object[], options?: { isSynced?: boolean }): void;
};
export function openRecord(file: string): BareRecord;
