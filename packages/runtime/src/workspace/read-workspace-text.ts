// Reads one small text file of a workspace for ourselves, under the same path rules as any tool.
import { ToolError } from '@codelab/protocol';
import { openRegular, readWhole } from './read-bytes.ts';
import { decodeText } from './text.ts';
import { Workspace } from './workspace.ts';

const maxConfigBytes = 1024 * 1024;

/** Undefined when there is no such file. */
export function readWorkspaceText(root: string, path: string): string | undefined {
  using workspace = Workspace.open(root);
  return readText(workspace, path, { maxBytes: maxConfigBytes, followLast: false });
}

export function readText(
  workspace: Workspace,
  path: string,
  { maxBytes, followLast }: { maxBytes: number; followLast: boolean },
): string | undefined {
  using place = workspace.locate(path, { followLast, access: 'read', pathChars: 4096 });
  if (place.stat === undefined) return undefined;
  using file = openRegular(place);
  if (file.stat.size > maxBytes)
    throw new ToolError('FILE_TOO_LARGE', `${path} is larger than ${maxBytes} bytes.`);
  return decodeText(readWhole(file, path), path).text;
}
