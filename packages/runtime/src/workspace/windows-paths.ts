// Paths as Windows reads them: valid names, and where a path begins. Pure text, so that it works on any system.
import { win32 } from 'node:path';

/** The rules by which a path is read: those of this system, unless a test chooses others. */
export type PathFlavour = 'posix' | 'windows';

/** Where a Windows path begins. `drive-relative` (`C:a`) depends on a hidden current folder of that drive, `rooted` (`\a`) on the current drive. */
export type WindowsStart = 'relative' | 'drive' | 'drive-relative' | 'rooted' | 'unc' | 'device';

export function windowsStart(path: string): WindowsStart {
  const text = path.replaceAll('/', '\\');
  // `\\?\` and `\\.\` disable the rules or name devices; `\??\` is the kernel's spelling.
  if (/^\\\\[?.](\\|$)|^\\\?\?\\/.test(text)) return 'device';
  if (text.startsWith('\\\\')) return 'unc';
  if (/^[a-z]:\\/i.test(text)) return 'drive';
  if (/^[a-z]:/i.test(text)) return 'drive-relative';
  return text.startsWith('\\') ? 'rooted' : 'relative';
}

/** Why a name can't be used on Windows, or would mean another file; undefined when it is fine. */
export function windowsNameFault(name: string): string | undefined {
  if (name.includes(':')) return 'names a stream or a drive with `:`';
  if (/[<>"|?*]|\p{Cc}/u.test(name)) return 'holds a character that names can’t have on this system';
  if (/[. ]$/.test(name)) return 'has a name that ends with a dot or a blank, which this system drops';
  // Device names remain device names with an extension or trailing blanks. Superscript digits count as digits.
  if (/^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i.test(name))
    return 'names a device of this system';
  // The target of a short name can't be told from the text.
  if (/~\d/.test(name)) return 'may be a short name for another file';
  return undefined;
}

/**
 * A path below the workspace with `/` between its names, from a caller's path with either slash. Absolute paths inside the root become
 * relative, whatever their case; all others stay as they are, to be refused.
 */
export function fromWindows(root: string, path: string): string {
  const start = windowsStart(path);
  if (start === 'relative') return path.replaceAll('\\', '/');
  const isPlain = start === 'drive' || start === 'unc';
  // Resolved by text alone, `..` might pass through a link.
  if (!isPlain || path.split(/[\\/]/).includes('..')) return path;
  const inside = win32.relative(root, path);
  const isInside = !inside.startsWith('..') && windowsStart(inside) === 'relative';
  return isInside ? inside.replaceAll('\\', '/') || '.' : path;
}
