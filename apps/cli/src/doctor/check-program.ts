// Is a program installed, and does it start? Asked by running it, since a name on the PATH proves little.
import { execFile } from 'node:child_process';
import type { Finding } from './finding.ts';

export type Program = {
  name: string;
  command: readonly [string, ...string[]];
  /** What it must print to be good enough. */
  accepts?: RegExp;
  purpose: string;
  get: string;
};

const patience = 10_000;

export async function checkProgram({ name, command, accepts, purpose, get }: Program): Promise<Finding> {
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
  if (accepts !== undefined && !accepts.test(output))
    return { ...finding, status: 'missing', found: `too old: ${line}`, advice: `${purpose}: ${get}` };
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
