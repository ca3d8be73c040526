// Keeps a command from starting more processes than it may: the kernel refuses the next one, before anybody has to look.
import { release } from 'node:os';
import { systemProgram } from './system-program.ts';

/** What stands before a command inside its own user namespace; nothing where the limit would hold for others or not at all. */
export function boundProcesses(most: number): string[] {
  if (!isCountedApart()) return [];
  known ??= systemProgram('prlimit') ?? { why: 'prlimit is not installed.' };
  return 'path' in known ? [known.path, `--nproc=${most}:${most}`, '--'] : [];
}

let known: ReturnType<typeof systemProgram>;

// Since 5.14 the processes of a user are counted for each user namespace. Root's are not limited at all.
function isCountedApart(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const isNew = major > 5 || (major === 5 && minor >= 14);
  return process.platform === 'linux' && isNew && process.geteuid?.() !== 0;
}
