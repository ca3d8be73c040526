/** The two names on a `diff --git` line, prefixes included; null when it does not hold the same name twice. */
import { patchName } from './patch-name.ts';
import { unquotePath } from './unquote-path.ts';

/**
 * Names may hold spaces, so only their equal length tells where one ends. That suffices: the line is needed only
 * where nothing else names the file, and both names are the same there.
 */
export function gitHeaderNames(text: string, patchLine: number): [string, string] | null {
  const [oldText, newText] = text.startsWith('"') ? quotedHalves(text) : equalHalves(text);
  if (oldText === undefined || newText === undefined) return null;
  const oldName = patchName(oldText, patchLine);
  const newName = patchName(newText, patchLine);
  return oldName === null || newName === null ? null : [oldName, newName];
}

function equalHalves(text: string): string[] {
  const middle = text.length >> 1;
  const isPair = text.length % 2 === 1 && text[middle] === ' ' && middle > 0;
  return isPair ? [text.slice(0, middle), text.slice(middle + 1)] : [];
}

function quotedHalves(text: string): string[] {
  const rest = unquotePath(text)?.rest;
  if (!rest?.startsWith(' "')) return [];
  return [text.slice(0, text.length - rest.length), rest.slice(1)];
}
