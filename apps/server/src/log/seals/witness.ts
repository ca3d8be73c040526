// The basis for judging seals: the key here, further trusted keys, and the note of the latest seal.
import { type AuditKey, openAuditKey } from './audit-key.ts';
import { readNote, readNoteAsNamed, type SealNote, trustedKeys } from './seal-note.ts';

export type Witness = {
  keys: string;
  file: string;
  key: AuditKey | undefined;
  trusted: ReadonlySet<string>;
  note: SealNote | undefined;
  /** The note of the path as written, where that has become a link. */
  noteAsNamed: SealNote | undefined;
  /** Unreadable parts, in sentences. */
  problems: string[];
};

/** Must be called before the log is read: a log that is sealed meanwhile has everything noted here and more. */
export function openWitness({ keys, file }: { keys: string; file: string }): Witness {
  const problems: string[] = [];
  function attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
  return {
    keys,
    file,
    note: attempt(() => readNote(keys, file)),
    noteAsNamed: attempt(() => readNoteAsNamed(keys, file)),
    key: attempt(() => openAuditKey(keys, { make: false })),
    trusted: attempt(() => trustedKeys(keys)) ?? new Set(),
    problems,
  };
}
