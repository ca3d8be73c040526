// Files that a settings file imports or names, such as the `./setup.js` of a test runner; they count as part of the settings.
import { codeName } from '../code-files.ts';
import { type FollowStep, isNew } from '../step.ts';

type Here = FollowStep & { cwd: string };

/** Any word that may be a path. */
export const anyWord = /(?:^|[\s"'`[,:=(])((?:<rootDir>\/)?(?:\.{1,2}\/)*[\w@-][\w@./-]*)/gm;

const imports = /(?:\bfrom|\brequire\(|\bimport\(?)[ \t]*["'`](\.{1,2}\/[\w@./-]+)["'`]/g;
const maxWords = 300;
const maxChars = 256 * 1024;
const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.json', '/index.js', '/index.ts'];

/** `named` matches what names files besides imports. Files that the named files import are printed as well. */
export function printMentioned(path: string, pattern: RegExp | undefined, step: Here): void {
  const text = isNew(step, `mentioned ${path}`) ? step.recorder.peek(path) : undefined;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  if (text !== undefined) printMentionedIn(text, folder, pattern, step);
}

export function printMentionedIn(
  text: string,
  folder: string,
  pattern: RegExp | undefined,
  step: Here,
): void {
  const { recorder, cwd } = step;
  if (text.length > maxChars) return;
  // Tools resolve the path from the file, from the folder they are started in or, as cargo does, from the folder around `.cargo`.
  const bases = new Set([folder, cwd, folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '']);
  const found = [...text.matchAll(imports), ...(pattern === undefined ? [] : text.matchAll(pattern))];
  for (const [, word = ''] of found.slice(0, maxWords)) {
    if (!/[./]/.test(word)) continue;
    for (const base of bases) {
      const place = recorder.quietly().resolve(base, word.replace(/^<rootDir>\//, ''));
      const files = place === undefined ? [] : endings.map((end) => place + end);
      const file = files.find((candidate) => isCode(candidate, recorder.quietly()));
      if (file !== undefined && recorder.file(file)) printMentioned(file, undefined, step);
    }
  }
}

function isCode(path: string, { names, peek }: FollowStep['recorder']): boolean {
  const at = path.lastIndexOf('/');
  if (!names(path.slice(0, Math.max(at, 0))).has(path.slice(at + 1))) return false;
  if (codeName.test(path) || /\.(?:json|ya?ml|toml|cfg|ini)$/.test(path)) return true;
  return peek(path)?.startsWith('#!') === true;
}
