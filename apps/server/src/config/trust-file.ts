// Which workspace configurations the user trusts, each by the hash of the very text they saw.
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { digest, readWorkspaceText } from '@codelab/runtime';
import { readStateFile, writeStateFile } from './state-file.ts';

export function readTrust(home: string): Record<string, string> {
  const value = readStateFile(join(home, 'trust.json')) ?? {};
  // What can't be read trusts nobody.
  if (typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

export function setTrust(home: string, root: string, path: string, isTrusted: boolean): void {
  const trust = readTrust(home);
  const text = readWorkspaceText(root, path);
  if (isTrusted && text === undefined)
    throw new ToolError('FILE_NOT_FOUND', `This workspace has no ${path}; there is nothing to trust.`);
  if (isTrusted && text !== undefined) trust[root] = digest(text);
  else delete trust[root];
  writeStateFile(join(home, 'trust.json'), trust);
}
