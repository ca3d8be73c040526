// Whether a program is installed and starts. The check runs it, since a name on the PATH proves little.
import { execFile } from 'node:child_process';
import { findRipgrep } from '@codelab/runtime';
import type { DoctorFinding } from './finding.ts';

type Program = {
  name: string;
  command: readonly [string, ...string[]];
  purpose: string;
  get: string;
};

const patience = 10_000;

async function checkInstalled({ name, command, purpose, get }: Program): Promise<DoctorFinding> {
  const { code, output } = await run(command);
  const [line = ''] = output.trim().split('\n');
  const finding = { name, isRequired: false };
  if (code === 'ENOENT')
    return { ...finding, status: 'missing', found: 'not installed', advice: `${purpose}: ${get}` };
  if (code !== 0)
    return {
      ...finding,
      status: 'broken',
      found: `does not start: ${line || code}`,
      advice: `${purpose}: ${get}`,
    };
  return { ...finding, status: 'ok', found: line || 'works', advice: purpose };
}

function run([program, ...args]: readonly [string, ...string[]]): Promise<{
  code: string | number;
  output: string;
}> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: patience }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? error.signal ?? 'failed');
      resolve({ code, output: stdout || stderr });
    });
  });
}

/** Programs that CodeLab uses when they are installed. */
const install =
  process.platform === 'darwin'
    ? 'brew install'
    : process.platform === 'win32'
      ? 'winget install'
      : 'apt install';

/** The ripgrep that search uses: it comes with the package and is on no PATH. */
export async function checkPrograms(workspace: string): Promise<DoctorFinding[]> {
  const ripgrep = (await findRipgrep(workspace)) ?? 'rg';
  return await Promise.all(programs(ripgrep).map(checkInstalled));
}

const programs = (ripgrep: string): readonly Program[] => [
  {
    name: 'git',
    command: ['git', '--version'],
    purpose: 'shows what can be restored',
    get: `${install} git`,
  },
  { name: 'ripgrep', command: [ripgrep, '--version'], purpose: 'fast search', get: `${install} ripgrep` },
];
