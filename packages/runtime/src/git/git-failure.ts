// Turns git's error output into one of our errors.
import { because, type Command, type Phrase, type Risk, ToolError } from '@codelab/protocol';
import { maskCredentials, type ProgramRun } from './run-program.ts';

const maxChars = 2000;

export function gitFailure({
  stderr,
  exitCode,
  isCut,
}: Pick<ProgramRun, 'stderr' | 'exitCode' | 'isCut'>): ToolError {
  if (isCut) {
    return new ToolError('FILE_TOO_LARGE', 'The output of git is too large. Name a narrower `path`.', {
      reason: 'git_output',
    });
  }
  if (/not a git repository/.test(stderr))
    return new ToolError(
      'GIT_NOT_INITIALIZED',
      'This workspace is not in a git repository. Run `git init` first.',
    );
  return new ToolError('GIT_ERROR', phraseOf(stderr, exitCode), {
    reason: reasonOf(stderr),
    exit_code: exitCode,
  });
}

function phraseOf(stderr: string, exitCode: number): string {
  switch (reasonOf(stderr)) {
    case 'owner':
      return 'The repository belongs to another user, so git does not trust it. If you do, add it to safe.directory yourself.';
    case 'locked':
      return `Another git process is running here, or one has crashed: ${firstLine(stderr)} Wait for it; if none runs, remove the lock by hand.`;
    case 'identity':
      return `git does not know whose commit this is. Run \`git config user.name "Your Name"\` and \`git config user.email you@example.com\`, then commit again.`;
    default:
      return `git says: ${maskCredentials(firstLine(stderr)) || `exit code ${exitCode}`}`;
  }
}

function reasonOf(stderr: string): 'owner' | 'locked' | 'identity' | 'git' {
  if (/dubious ownership/.test(stderr)) return 'owner';
  if (/\.lock': File exists/.test(stderr)) return 'locked';
  if (/Please tell me who you are|empty ident name|unable to auto-detect email/.test(stderr))
    return 'identity';
  return 'git';
}

// git prints hints and warnings before and after the error itself.
function firstLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^(hint|warning):/.test(line));
  const errorLines = lines.filter((line) => /^(fatal|error):/.test(line));
  const text = (errorLines.length > 0 ? errorLines : lines).join('\n');
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

/** The command line of a change that git would make, for policy and approvals. */
const reason = 'git runs without hooks, filters, signing and network.';

export function gitCommand(words: readonly string[], judged: { risk: Risk; reason: Phrase }): Command {
  const argv = ['git', ...words];
  const line = argv.map(quote).join(' ');
  const verdict = { verdict: 'ask', isDynamic: false, mustAsk: false } as const;
  return {
    line,
    cwd: '.',
    parts: [{ text: line, words: argv, ...verdict, risk: judged.risk, ...because(judged.reason) }],
    confinement: { sandbox: 'none', network: false, why: reason },
  };
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
