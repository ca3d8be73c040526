// `apply_patch <<'EOF' … EOF` as a shell line. There is no such program; models that know it from elsewhere mean the tool.

/** The patch that is all of a shell line, its paths below the folder it is given in; undefined for any other line. */
export function shellPatch(command: string, cwd: string): string | undefined {
  const [, folder = '.', call = ''] =
    /^\s*(?:cd\s+([\w./-]+)\s*&&\s*)?(apply_patch\s[\s\S]*)$/.exec(command) ?? [];
  const patch = hereDocument(call) ?? quoted(call);
  if (patch === undefined) return undefined;
  const folders = [cwd, folder].filter((part) => part !== '.');
  if (/^\s*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )/.test(patch))
    return folders.reduceRight(below, patch);
  return folders.length === 0 && /^\s*(?:diff --git |--- )/.test(patch) ? patch : undefined;
}

/** Its end may be missing: then the shell would warn and take the rest of the line. */
function hereDocument(call: string): string | undefined {
  const head = /^apply_patch\s+<<-?[ \t]*(["']?)(\w+)\1[ \t]*\r?\n/.exec(call);
  if (head === null) return undefined;
  const lines = call.slice(head[0].length).split('\n');
  const end = lines.findIndex((line) => line.trim() === head[2]);
  if (end === -1) return lines.join('\n');
  const isAll = lines.slice(end + 1).every((line) => line.trim() === '');
  return isAll ? lines.slice(0, end).join('\n') : undefined;
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
