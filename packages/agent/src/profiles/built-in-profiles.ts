// The texts of the built-in profiles, by name. In the bundle, the build replaces the contents of this file by the texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'profiles');

export function builtInProfiles(): Record<string, string> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, `${name}.md`), 'utf8')]));
}
