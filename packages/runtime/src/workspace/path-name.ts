// Judges the spelling of a path before the disk is touched: what comes out is a list of plain names below the root.
import { ToolError } from '@codelab/protocol';

const maxNameBytes = 255;

/** The names of a relative path; `.` and doubled slashes vanish, everything else is taken literally and never trimmed or decoded. */
export function parsePath(asked: string, limits: { pathChars: number }): string[] {
  if (asked === '') throw invalid(asked, 'is empty', 'empty');
  if (asked.includes('\0')) throw invalid(asked, 'holds a NUL character', 'characters');
  // A character is at most two code units; only what could fit is counted.
  if (asked.length > 2 * limits.pathChars || [...asked].length > limits.pathChars)
    throw invalid(asked, `has more than ${limits.pathChars} characters`, 'length');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(asked)) throw invalid(asked, 'is a URL', 'url');
  if (asked.startsWith('/')) throw outside(asked, 'absolute');

  const names: string[] = [];
  let hasParent = false;
  for (const name of asked.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      hasParent = true;
      if (names.pop() === undefined) throw outside(asked, 'traversal');
      continue;
    }
    if (Buffer.byteLength(name) > maxNameBytes)
      throw invalid(asked, `has a name of more than ${maxNameBytes} bytes`, 'length');
    if (process.platform === 'win32' && isWindowsDevice(name))
      throw invalid(asked, 'is not a file name on this system', 'characters');
    names.push(name);
  }
  if (hasParent) throw invalid(asked, 'holds `..`', 'traversal');
  return names;
}

function isWindowsDevice(name: string): boolean {
  return /[:<>"|?*\\]|[ .]$|~\d/.test(name) || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name);
}

function invalid(asked: string, fault: string, reason: string): ToolError {
  return new ToolError(
    'INVALID_PATH',
    `The path ${JSON.stringify(shorten(asked))} ${fault}. Give a relative path inside the workspace.`,
    { reason },
  );
}

export function outside(asked: string, reason: 'absolute' | 'traversal' | 'symlink'): ToolError {
  return new ToolError(
    'PATH_OUTSIDE_WORKSPACE',
    `The path ${JSON.stringify(shorten(asked))} leads out of the workspace.`,
    { reason },
  );
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
