// A small repository with sources, docs and secrets, for commands that are read or run.
import { execFileSync } from 'node:child_process';
import { scratchFolder } from './scratch-folder.ts';

const source = 'foo: bar\nexport const x = 1;\n// TODO hello world\n';

export function sampleRepository(extraFiles: Record<string, string> = {}): ReturnType<typeof scratchFolder> {
  const files = {
    'src/a.ts': source,
    'src/b.ts': `${source}export const y = 2;\n`,
    'docs/x.md': '# x\n',
    'README.md': source,
    'package.json': '{"name":"sample","version":"1.0.0","scripts":{"test":"true"}}\n',
    '.env': 'SECRET=1\n',
    ...extraFiles,
  };
  const scratch = scratchFolder({ files });
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.org', ...args], {
      cwd: scratch.root,
      stdio: 'ignore',
    });
  };
  git('init', '-b', 'main');
  git('add', '-A');
  git('commit', '-m', 'one');
  git('commit', '--allow-empty', '-m', 'two');
  git('config', 'user.name', 'me');
  return scratch;
}
