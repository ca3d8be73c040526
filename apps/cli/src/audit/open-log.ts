// The session log alone, without a workspace: reading the record needs nothing else.
import { visibleLine } from '@codelab/protocol';
import { defaultHome, openStoredLog, type StoredLog, userAnchors } from '@codelab/server';
import { writeText } from '../output/write-text.ts';

/** `root` is the workspace whose repository may hold an anchor. */
export async function openLog(root?: string): Promise<OpenLog> {
  return await openLogAt(process.env.CODELAB_LOG, root);
}

export type OpenLog = StoredLog & AsyncDisposable;

/** `words`: which one; undefined means the home's own. */
export async function openLogAt(words: string | undefined, root?: string): Promise<OpenLog> {
  const home = defaultHome();
  const onProblem = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const anchors = anchorsOf(home, root, onProblem);
  const { env } = process;
  const log = await openStoredLog({ home, words, env, sealing: { anchors, onProblem } });
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
