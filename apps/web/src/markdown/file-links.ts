// Workspace paths in a text, such as `lib/a.ts:42` or a picture's: their position, file, line and column.

export type FilePlace = { path: string; line?: number | undefined; column?: number | undefined };

/** A path has a folder or a known kind of name; a bare word with a dot, such as a domain, is none. */
const shape = /^(?:\.\/)?((?:[\w@.+-]+\/)*[\w@.+-]*\.[A-Za-z][\w]{0,9})(?::(\d{1,6}))?(?::(\d{1,6}))?$/;
const kinds =
  /\.(?:[cm]?[jt]sx?|json|md|ya?ml|toml|py|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|css|html|svg|sql|vue|txt|lock|ipynb)$/;

export function filePlace(text: string): FilePlace | undefined {
  if (text.length > 300 || text.includes('//') || text.includes('..')) return undefined;
  const found = shape.exec(text);
  const path = found?.[1];
  // Node.js, Vue.js: names of products.
  if (found?.[2] === undefined && /^[A-Z][a-z]+\.js$/.test(text)) return undefined;
  if (path === undefined || !(path.includes('/') || kinds.test(path)) || !kinds.test(path)) return undefined;
  return { path, line: numberOf(found?.[2]), column: numberOf(found?.[3]) };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

type Part = string | { text: string; place: FilePlace };

/** A line of output cut at the paths in it; those below `root` may be absolute. */
export function splitAtPaths(line: string, root = ''): Part[] {
  const parts: Part[] = [];
  let plain = '';
  for (const word of line.split(/((?:file:\/\/(?=\/)|\.\/)?[\w@.+/-]+\.[A-Za-z]\w{0,9}(?::\d{1,6}){0,2})/)) {
    // Stacks of ES modules have addresses instead of paths.
    const path = word.replace(/^file:\/\//, '');
    const isOwn = root !== '' && path.startsWith(`${root}/`);
    const place = word.length > 3 ? filePlace(isOwn ? path.slice(root.length + 1) : path) : undefined;
    if (place === undefined) plain += word;
    else {
      if (plain !== '') parts.push(plain);
      plain = '';
      parts.push({ text: word, place });
    }
  }
  if (plain !== '') parts.push(plain);
  return parts;
}

type From = { folder: string; root: string };

const pictureEndings = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** Undefined for another address, a path out of the workspace, or a file that is no picture. A leading slash means the workspace itself, as on GitHub. */
export function picturePath(source: string, { folder, root }: From): string | undefined {
  if (source.length > 1000 || /^[a-z][a-z\d+.-]*:|^\/\/|\\/i.test(source)) return undefined;
  const [plain = ''] = source.split(/[?#]/, 1);
  const target = decoded(plain);
  const isOwn = root !== '' && target.startsWith(`${root}/`);
  const parts: string[] = target.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const part of (isOwn ? target.slice(root.length) : target).split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  const path = parts.join('/');
  return pictureEndings.test(path) ? path : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
