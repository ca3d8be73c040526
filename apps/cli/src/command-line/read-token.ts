// The access token of a server: from a file, an open descriptor or the environment, which other users of the machine can't see; or from the command
// line, which they can.
import { readFileSync } from 'node:fs';
import { type Options, UsageError } from './define-command.ts';
import { writeText } from './process.ts';

export const tokenOptions = {
  token: {
    type: 'string',
    value: 'T',
    summary:
      'access token; other users can read it in the process list, so prefer --token-file (default: a new token)',
  },
  'token-file': { type: 'string', value: 'FILE', summary: 'read the access token from this file' },
  'token-fd': {
    type: 'string',
    value: 'N',
    summary: 'read the access token from this file descriptor (default: CODELAB_TOKEN)',
  },
} as const satisfies Options;

type TokenOptions = { token?: string; 'token-file'?: string; 'token-fd'?: string };

/** Undefined when there is no token. The variable is removed from the environment, so that no child process inherits it. */
export function readToken(
  command: string,
  options: TokenOptions,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { token, 'token-file': file, 'token-fd': fd } = options;
  const fromEnv = env.CODELAB_TOKEN;
  delete env.CODELAB_TOKEN;
  if ([token, file, fd].filter((source) => source !== undefined).length > 1)
    throw new UsageError('Give one of --token, --token-file and --token-fd.');
  if (token !== undefined) hideFromProcessList(command);
  const secret = token ?? ((file ?? fd) ? readFrom(file ?? fdOf(fd)) : undefined) ?? (fromEnv || undefined);
  if (secret !== undefined && !/^[\x21-\x7e]{8,}$/.test(secret))
    throw new UsageError('A token must have at least 8 characters and no spaces.');
  return secret;
}

function readFrom(source: string | number): string {
  try {
    return readFileSync(source, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The token can’t be read: ${why}.`);
  }
}

function fdOf(text = ''): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--token-fd takes the number of an open descriptor, not ${text}.`);
}

/** On Linux and macOS, setting the title overwrites the arguments. */
function hideFromProcessList(command: string): void {
  process.title = command;
  writeText(
    2,
    'codelab: --token could be seen in the list of processes. --token-file FILE, --token-fd N or CODELAB_TOKEN keep it to yourself.\n',
  );
}
