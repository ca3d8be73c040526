/** The one failure of reading or applying a patch, with the place in the patch in front of the message. */
import { ToolError } from '@codelab/protocol';

type Place = {
  path?: string;
  /** Numbered from 1 within the file. */
  hunk?: number;
  /** Line of the patch, numbered from 1. */
  patchLine?: number;
};

export function patchFailure(
  message: string,
  place: Place = {},
  details: Record<string, unknown> = {},
): ToolError {
  const { path, hunk, patchLine } = place;
  const parts: string[] = [];
  if (path !== undefined) parts.push(clip(path));
  if (hunk !== undefined) parts.push(`hunk ${hunk}`);
  if (patchLine !== undefined) parts.push(`line ${patchLine} of the patch`);
  const where = parts.length === 0 ? '' : `${parts.join(', ')}: `;
  return new ToolError('PATCH_APPLY_FAILED', `${where}${message}`, { ...place, ...details });
}

/** A hostile patch may hold names and lines of any length; a message does not. */
function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
