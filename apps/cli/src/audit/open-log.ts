// The session log alone, without a workspace: reading the record needs nothing else.
import { visibleLine } from '@codelab/protocol';
import { defaultHome, logFile, openSqliteLog, type SqliteLog, userAnchors } from '@codelab/server';
import { writeText } from '../output/write-text.ts';

/** `root` is the workspace whose repository may hold an anchor. */
export function openLog(root?: string): SqliteLog & AsyncDisposable {
  const home = defaultHome();
  const onProblem = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const anchors = anchorsOf(home, root, onProblem);
  const log = openSqliteLog(home, logFile(process.env.CODELAB_LOG), { anchors, onProblem });
  return { ...log, [Symbol.asyncDispose]: () => log.close() };
}

/** Settings that can't be read are no reason not to read the record. */
function anchorsOf(
  home: string,
  root: string | undefined,
  onProblem: (text: string) => void,
): ReturnType<typeof userAnchors> {
  try {
    return userAnchors(home, root);
  } catch (error) {
    onProblem(`No anchor is used: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}
