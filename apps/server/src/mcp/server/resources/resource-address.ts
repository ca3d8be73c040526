// The URIs of resources: files of the workspace, the log of the caller's own session, and the whole output of its commands.

export type ResourceAddress =
  | { kind: 'file'; path: string }
  | { kind: 'log'; session: string }
  | { kind: 'output'; session: string; callId: string };

export const fileTemplate = 'codelab://files/{+path}';

const patterns = {
  file: /^codelab:\/\/files\/(.+)$/,
  log: /^codelab:\/\/sessions\/([^/]+)\/log$/,
  output: /^codelab:\/\/sessions\/([^/]+)\/output\/([^/]+)$/,
};
const maxChars = 16_384;

export function writeAddress(address: ResourceAddress): string {
  switch (address.kind) {
    case 'file':
      return `codelab://files/${address.path.split('/').map(encodeURIComponent).join('/')}`;
    case 'log':
      return `codelab://sessions/${encodeURIComponent(address.session)}/log`;
    case 'output':
      return `codelab://sessions/${encodeURIComponent(address.session)}/output/${encodeURIComponent(address.callId)}`;
  }
}

/** Undefined for a URI that is not ours. The path is not checked here: the tool that reads it does that. */
export function readResourceAddress(uri: string): ResourceAddress | undefined {
  if (uri.length > maxChars) return undefined;
  const [, path] = decoded(patterns.file.exec(uri));
  if (path !== undefined) return { kind: 'file', path };
  const [, logged] = decoded(patterns.log.exec(uri));
  if (logged !== undefined) return { kind: 'log', session: logged };
  const [, session, callId] = decoded(patterns.output.exec(uri));
  return session === undefined || callId === undefined ? undefined : { kind: 'output', session, callId };
}

function decoded(found: RegExpExecArray | null): string[] {
  try {
    return (found ?? []).map(decodeURIComponent);
  } catch {
    return [];
  }
}
