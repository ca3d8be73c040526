// `apply_patch <<'EOF' … EOF` as a shell line. There is no such program; models that know it from elsewhere mean the tool.
import { hereDocument } from './read-envelope.ts';

/** The patch that is all of a shell line, its paths below the folder it is given in; undefined for any other line. */
export function shellPatch(command: string, cwd: string): string | undefined {
  const [, folder = '.', call = ''] =
    /^\s*(?:cd\s+([\w./-]+)\s*&&\s*)?(apply_patch\s[\s\S]*)$/.exec(command) ?? [];
  const patch = hereDocument(call.replace(/^apply_patch\s+/, '')) ?? quoted(call);
  if (patch === undefined) return undefined;
  const folders = [cwd, folder].filter((part) => part !== '.');
  if (/^\s*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )/.test(patch))
    return folders.reduceRight(below, patch);
  return folders.length === 0 && /^\s*(?:diff --git |--- )/.test(patch) ? patch : undefined;
}

function quoted(call: string): string | undefined {
  return /^apply_patch\s+'([^']*)'\s*$/.exec(call)?.[1];
}

function below(patch: string, folder: string): string {
  const base = folder.replace(/\/+$/, '');
  return patch.replace(
    /^(\*\*\* (?:(?:Add|Delete|Update) File|Move to): )(?!\/)(.*)$/gm,
    (_line, mark: string, path: string) => `${mark}${base}/${path}`,
  );
}
