// The files held back from an unasked command, as fields of its result.
import * as z from 'zod/mini';

export const HeldBack = () =>
  z.strictObject({
    path: z.string(),
    /** A new file is moved away; a changed one is restored where its old content was kept. */
    change: z.enum(['new', 'changed']),
    why: z.string(),
    /** The quarantine slot that holds it. */
    trash_id: z.string(),
  });
export type HeldBack = z.infer<ReturnType<typeof HeldBack>>;

export const HeldBackList = () => z.optional(z.array(HeldBack()));

const mostNamed = 5;

export function heldBackNotes(heldFiles: readonly HeldBack[], callId: string): string[] {
  if (heldFiles.length === 0) return [];
  const shownFiles = heldFiles.slice(0, mostNamed).map(({ path, change }) => `${path} (${change})`);
  const names =
    shownFiles.join(', ') + (heldFiles.length > mostNamed ? ` and ${heldFiles.length - mostNamed} more` : '');
  return [
    `Held back, because the command ran unasked and these files control what runs on this machine: ${names}. ` +
      `A person can restore them: call restore_held_back with call_id ${JSON.stringify(callId)}, or run \`codelab held restore ${callId}\`.`,
  ];
}
