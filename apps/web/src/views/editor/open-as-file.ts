// Opens a text as a file that is not on the disk yet: in the editor, under a free name, and saved only when its reader saves it.
import { sessionFiles } from '../../session/session-files.ts';
import { loadViewTexts } from '../../text/language.ts';
import { openFile } from '../files/open-file.ts';
import { dispatchToBuffer, openBuffer, stateOf } from './buffers.ts';
import { putFile, useOpenFiles } from './open-files.ts';

/** `ending`: of the name, without its dot. */
export async function openAsFile(text: string, ending: string): Promise<void> {
  const [path] = await Promise.all([freeName(ending), loadViewTexts()]);
  const disk = { text: '', encoding: 'utf-8', line_ending: 'lf', fingerprint: null } as const;
  openBuffer(path, '', false);
  putFile(path, { status: 'ready', disk, isReadOnly: false, isSaving: false, theirs: undefined });
  if (stateOf(path)?.doc.length === 0)
    dispatchToBuffer(path, { changes: { from: 0, insert: text.endsWith('\n') ? text : `${text}\n` } });
  openFile(path);
}

async function freeName(ending: string): Promise<string> {
  const { entries } = await sessionFiles.list('.');
  const taken = new Set([...entries.map(({ name }) => name), ...useOpenFiles.getState().files.keys()]);
  for (let number = 1; ; number++) {
    const path = `untitled-${number}.${ending}`;
    if (!taken.has(path)) return path;
  }
}
