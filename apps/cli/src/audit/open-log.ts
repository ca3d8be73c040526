// Opens the session log without a workspace: reading the record needs nothing else.
import { visibleLine } from '@codelab/protocol';
import { defaultHome, openStoredLog, type StoredLog, userAnchors } from '@codelab/server';
import { writeText } from '../command-line/process.ts';

/** `root` is the workspace whose repository may hold an anchor. */
export async function openLog(root?: string): Promise<OpenLog> {
  return await openLogAt(process.env.CODELAB_LOG, root);
}

export type OpenLog = StoredLog & AsyncDisposable;

/** `words` is the address of the log; undefined means the log of the home. */
export async function openLogAt(words: string | undefined, root?: string): Promise<OpenLog> {
  const home = defaultHome();
  const onProblem = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const anchors = anchorsOf(home, root, onProblem);
  const { env } = process;
  const log = await openStoredLog({ home, words, env, sealing: { anchors, onProblem } });
  return { ...log, [Symbol.asyncDispose]: () => log.close() };
}

/** Unreadable settings must not keep the record from being read. */
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
