// The texts of the profiles that come with the program, by name. The bundle carries them inside: there, a build has put them
// in the place of this file's contents.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'profiles');

export function builtInProfiles(): Record<string, string> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, `${name}.md`), 'utf8')]));
}
