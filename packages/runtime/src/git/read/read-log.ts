// Reads the newest commits field by field; no field can contain the NUL that separates them.
import type { Workspace } from '../../workspace/workspace.ts';
import { pathSpecs } from '../find-repository.ts';
import { gitFailure } from '../git-failure.ts';
import { runGit } from '../run-git.ts';

type Commit = {
  hash: string;
  author: string;
  email: string;
  date: string;
  subject: string;
  body: string;
};

type LogRequest = {
  workspace: Workspace;
  signal: AbortSignal;
  limit: number;
  maxBytes: number;
  path: string | undefined;
};

const format = ['%H', '%an', '%ae', '%aI', '%s', '%b'].join('%x00');

export async function readLog({ workspace, signal, limit, maxBytes, path }: LogRequest): Promise<Commit[]> {
  const ran = await runGit({
    workspace,
    signal,
    maxBytes,
    args: [
      'log',
      '-z',
      `--format=tformat:${format}`,
      '--no-patch',
      '--no-decorate',
      `--max-count=${limit}`,
      'HEAD',
      '--',
      ...pathSpecs(workspace, path === undefined ? [] : [path]),
    ],
  });
  if (ran.exitCode === 0 && !ran.isCut) return parse(ran.stdout.toString());
  if (isUnborn(ran.stderr)) return [];
  throw gitFailure(ran);
}

/** Whether git failed because HEAD has no commit yet. */
export function isUnborn(stderr: string): boolean {
  return /bad revision 'HEAD'|ambiguous argument 'HEAD'|does not have any commits yet/.test(stderr);
}

function parse(text: string): Commit[] {
  const fields = text.split('\0');
  const commits: Commit[] = [];
  for (let i = 0; i + 6 <= fields.length; i += 6) {
    const [hash = '', author = '', email = '', date = '', subject = '', body = ''] = fields.slice(i, i + 6);
    commits.push({ hash, author, email, date, subject, body: body.replace(/\n+$/, '') });
  }
  return commits;
}
