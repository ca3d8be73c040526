// Replaces the one place where a string stands; a replacement by nothing takes the line's end along.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { failureText } from './failure-text.ts';

export function edit(paths: PathSpelling): WireTool {
  return {
    name: 'Edit',
    tool: 'edit_file',
    input: () => z.strictObject({ file_path: z.string(), old_string: z.string(), new_string: z.string() }),
    names: { file_path: 'path' },
    toCore: ({ file_path, ...strings }, { isLasting }) => ({
      path: paths.toCore(file_path as string),
      ...strings,
      eat_newline: true,
      include_original: true,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: ({ original, structured_patch }, { file_path, old_string, new_string }) => ({
      filePath: file_path,
      oldString: old_string,
      newString: new_string,
      originalFile: original,
      structuredPatch: structured_patch,
    }),
    failed: failureText,
  };
}
