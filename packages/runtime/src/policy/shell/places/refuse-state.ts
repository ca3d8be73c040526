// Refuses a command in which a word names CodeLab's own state folder. A program that finds the way there by itself is kept out by the
// sandbox, which hides the folder.
import { homedir } from 'node:os';
import {
  holdsState,
  leadsToState,
  type StateFolder,
  stateFolderError,
  stateFolders,
} from '../../../workspace/state-folder.ts';
import type { Argument } from '../argument.ts';
import type { Scene } from '../scene.ts';
import type { ResolvedPlace } from './resolve-place.ts';

export function refuseState(args: readonly Argument[], { workspace, cwds }: Scene): void {
  const { state, real } = workspace.root;
  if (state === undefined) return;
  const leads = (path: string): boolean =>
    path.startsWith('/')
      ? leadsToState(state, path)
      : (cwds ?? ['']).some((cwd) => leadsToState(state, `${real}/${cwd}/${path}`));
  for (const { kind, value, text } of args) {
    const word = kind === 'exact' ? value : expandHome(text.replaceAll(/["']/g, ''), state);
    // `--out=PATH` and `-oPATH` name one as well; code in a word may name it anywhere.
    const paths = [word, word.replace(/^[^=]*=/, ''), word.replace(/^-\w/, '')].filter((path) => path !== '');
    if (
      stateFolders(state).some(({ real }) => word.includes(real)) ||
      paths.some((path) => !path.includes('\0') && leads(path))
    )
      throw stateFolderError();
  }
}

/** Refuses what takes a whole folder when the state folder is in it. */
export function refuseHoldingState(places: readonly ResolvedPlace[], { workspace }: Scene): void {
  const { state, real } = workspace.root;
  if (state === undefined) return;
  for (const place of places)
    if (place.kind === 'inside' && place.isFolder && holdsState(state, `${real}/${place.path}`))
      throw stateFolderError();
}

// The variables that lead there; what others hold, only running would tell, and a human is asked.
function expandHome(text: string, { real, keys }: StateFolder): string {
  return text
    .replace(/^(.*?=)?(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, (_, before: string = '') => before + homedir())
    .replace(
      /^(.*?=)?\$(?:CODELAB_(HOME|KEYS)|\{CODELAB_(HOME|KEYS)\})(?=\/|$)/,
      (all, before: string = '', bare?: string, braced?: string) => {
        const folder = (bare ?? braced) === 'HOME' ? real : keys?.real;
        return folder === undefined ? all : before + folder;
      },
    );
}
