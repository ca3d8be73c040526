// Files that an undo or a discard restored, but that git's index still has as the command left them: undo does not touch the index.
import { type Effect, visibleLine } from '@codelab/protocol';
import { type Host, tryReadStatus } from '@codelab/runtime';

const patienceMs = 2000;
const mostNamed = 20;

/** Empty outside a repository, and where git takes too long. */
export async function stillStaged({ workspace }: Host, effects: readonly Effect[]): Promise<string[]> {
  const touched = new Set(effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  if (touched.size === 0) return [];
  const status = await tryReadStatus(workspace, AbortSignal.timeout(patienceMs));
  // An index with the file's present content belongs to the user: the undo has restored what they staged.
  const staged = (status?.entries ?? []).filter(
    ({ index, worktree }) => !'.?'.includes(index) && (worktree !== '.' || index === 'D'),
  );
  return staged
    .flatMap(({ path, renamed_from: old }) => (old === undefined ? [path] : [old, path]))
    .filter((path) => touched.has(path));
}

export function stagedLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shownPaths = paths.slice(0, mostNamed).map(quoted).join(' ');
  const overflowMark = paths.length > mostNamed ? ' …' : '';
  return [
    `Still staged in git: ${visibleLine(paths.slice(0, mostNamed).join(', '))}${overflowMark}`,
    `To unstage: git restore --staged -- ${shownPaths}${overflowMark}`,
  ];
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${visibleLine(path).replaceAll("'", "'\\''")}'`;
}
