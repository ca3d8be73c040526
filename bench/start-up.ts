// The duration of a newcomer's command as a whole process on this Node, against a minimal Node process.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const launcher = join(import.meta.dirname, '..', 'apps', 'cli', 'bin', 'codelab.js');

export async function startUp(): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, 'a.txt'), 'hello\n');
  const env = { ...process.env, CODELAB_HOME: place.home };
  const run = (args: string[]): string => {
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: place.root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
    return stdout;
  };
  const tool = [launcher, 'tool', 'read_file', '{"path":"a.txt"}'];
  const subjects = [() => run(tool), () => run(['-e', '0'])];
  return [
    costRow('codelab tool read_file, whole process', 'node -e 0', await costs(subjects, 40), 2.2),
    memory(run),
  ];
}

const limitMb = 90;

function memory(run: (args: string[]) => string): Row {
  const script = `process.argv.splice(1, 1, ...${JSON.stringify([launcher, 'tool', 'read_file', '{"path":"a.txt"}'])});
    process.on('exit', () => process.stdout.write('\\n' + process.memoryUsage().rss));
    await import(${JSON.stringify(launcher)});`;
  const rss = Number(run(['--input-type=module', '-e', script, 'x']).trim().split('\n').at(-1)) / 1024 / 1024;
  return {
    name: 'memory of the CLI after a call',
    ours: `${rss.toFixed(0)} MB`,
    baseline: `limit ${limitMb} MB`,
    ratio: rss / limitMb,
    goal: 1,
  };
}
