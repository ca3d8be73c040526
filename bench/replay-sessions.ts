// Recorded sessions for `npm run replay`, and a scratch folder with the files that one names, so that the code its commands would run can
// be followed.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

export type Step = { run: string } | { edit: string } | { create: string } | { delete: string };
/** `root`: the folder that the recorded paths begin with; `files`: those that were there, such as installed programs. */
export type Session = { id: string; ecosystem: string; root?: string; files?: string[]; steps: Step[] };

export function ownSessions(): Session[] {
  const folder = join(import.meta.dirname, '..', 'fixtures', 'sessions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return files.flatMap((name) => readSessions(readFileSync(join(folder, name), 'utf8')));
}

function readSessions(text: string): Session[] {
  const found: Session[] = [];
  for (const line of text.split('\n')) {
    const [, ecosystem = '', id = ''] = /^# (\w+): (.*)$/.exec(line) ?? [];
    const rest = line.slice(2).replaceAll('\\n', '\n');
    if (id !== '') found.push({ id, ecosystem, steps: [] });
    else if (line.startsWith('$ ')) found.at(-1)?.steps.push({ run: rest });
    else if (line.startsWith('~ ')) found.at(-1)?.steps.push({ edit: rest });
    else if (line.startsWith('+ ')) found.at(-1)?.steps.push({ create: rest });
    else if (line.startsWith('- ')) found.at(-1)?.steps.push({ delete: rest });
  }
  return found;
}

export function readJsonLines(file: string): Session[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Session);
}

/** The files that the session edits, and those that its commands would run: scripts, and manifests with the tasks that are named. */
export function scratchFor({ steps, files = [] }: Session): string {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'codelab-replay-'));
  spawnSync('git', ['init', '--quiet', scratch]);
  const createFile = (path: string, text = 'text\n'): void => {
    const inside = normalize(path);
    if (/^(\/|\.\.)/.test(inside) || inside.endsWith('/')) return;
    try {
      mkdirSync(join(scratch, dirname(inside)), { recursive: true });
      writeFileSync(join(scratch, inside), text, { flag: 'wx', mode: 0o755 });
    } catch {
      // When a name is a file in one step and a folder in another, the first one stays.
    }
  };
  const lines = steps.flatMap((step) => ('run' in step ? [step.run] : []));
  for (const folder of ['', ...lines.flatMap(foldersIn)]) {
    const scriptPaths = lines.flatMap((line) => scriptsIn(line));
    createFile(join(folder, 'package.json'), JSON.stringify({ scripts: tasks(lines, packageScripts) }));
    createFile(join(folder, 'Makefile'), makefile(tasks(lines, makeTargets)));
    for (const path of scriptPaths) createFile(join(folder, path));
  }
  for (const step of steps) if ('edit' in step) createFile(step.edit);
  for (const path of files)
    createFile(
      path,
      path.endsWith('package.json') ? JSON.stringify({ scripts: tasks(lines, packageScripts) }) : undefined,
    );
  return scratch;
}

export function removeScratch(scratch: string): void {
  rmSync(scratch, { recursive: true, force: true });
}

/** `cd packages/ui && …` */
function foldersIn(line: string): string[] {
  return [...line.matchAll(/\bcd\s+([\w@][\w@./-]*)\s*(?:&&|;)/g)].map(([, folder = '']) => folder);
}

/** `python scripts/x.py`, `./gradlew`, `php artisan`: files that are run. */
function scriptsIn(line: string): string[] {
  const run =
    /(?<![\w/.-])((?:\.\/)?[\w@][\w@./-]*\.(?:py|js|mjs|cjs|ts|sh|rb|php|pl|jar|lua)|\.\/[\w][\w./-]*|artisan|bin\/\w+)(?![\w/])/g;
  return [...line.matchAll(run)].map(([, path = '']) => path);
}

const packageScripts = /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:run(?:-script)?\s+)?([\w:.-]+)/g;
const makeTargets = /\bmake\s+(?:-\S+\s+)*([\w.-]+)/g;

function tasks(lines: readonly string[], pattern: RegExp): Record<string, string> {
  const names = lines.flatMap((line) => [...line.matchAll(pattern)].map(([, name = '']) => name));
  return Object.fromEntries(['test', 'start', ...names].map((name) => [name, `echo ${name}`]));
}

function makefile(targets: Record<string, string>): string {
  return Object.entries({ all: 'echo all', ...targets })
    .map(([name, text]) => `${name}:\n\t${text}\n`)
    .join('');
}
