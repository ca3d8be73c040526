// Explains when a command failed because of the sandbox, and what to do about it: its own error ("Read-only file system", "Could not
// resolve host") would send a model looking for the cause in the wrong place. Only the output is used: whether a path exists outside the
// sandbox is not checked, because a command could probe for anything that way.
import { type Confinement, sandboxCause, visibleLine } from '@codelab/protocol';
import { shorten } from '../process/capture-output.ts';
import { userHomes } from '../workspace/state-folder.ts';

type FailedCommand = { stdout: string; stderr: string; exit_code: number | null };

type SandboxState = {
  confinement: Confinement;
  /** The command ran unasked. */
  isUnasked: boolean;
  /** Files of the workspace that are empty or closed for the command, because they may hold secrets. */
  hidden: readonly string[];
  /** The file system of the workspace, whatever the sandbox does. */
  isWorkspaceReadOnly?: () => boolean;
};

const mostChars = 32 * 1024;
const mostNotes = 3;
const outside = 'or with `sandbox: "off"`, which a person must approve';

export function sandboxNotes({ stdout, stderr, exit_code }: FailedCommand, state: SandboxState): string[] {
  if (exit_code === 0 || state.confinement.sandbox === 'none') return [];
  const lines = `${stdout.slice(-mostChars)}\n${stderr.slice(-mostChars)}`.split('\n').filter(isFault);
  const causeNotes = causes.flatMap((cause) => {
    const note = lines.map((line) => cause(line, state)).find((text) => text !== undefined);
    if (note === undefined) return [];
    return [note === readOnlyWorkspace ? note : `${sandboxCause}: ${note}`];
  });
  return causeNotes.slice(0, mostNotes);
}

// Most lines of a long output are no error, so one test excludes them.
const anyFault =
  /read-only|EROFS|resol|lookup|getaddrinfo|EAI_|ENOTFOUND|unreachable|ENETUNREACH|service not known|hostname|refused|no such file|ENOENT|permitted|denied|EACCES|EPERM|privilege|setuid|uid is not 0|docker|usable sandbox|new connection/i;

function isFault(line: string): boolean {
  return anyFault.test(line);
}

type Cause = (line: string, state: SandboxState) => string | undefined;

const readOnlyWorkspace =
  'The file system of the workspace is read-only, also without the sandbox. Mount it writable, or work in a copy.';

const readOnly: Cause = (line, { isUnasked, isWorkspaceReadOnly }) => {
  if (!/read-only file system|EROFS/i.test(line)) return undefined;
  if (isWorkspaceReadOnly?.()) return readOnlyWorkspace;
  const place = placeIn(line) ?? 'a place that it writes to';
  const next = isUnasked
    ? 'Write in the workspace or in /tmp, change a protected file with an edit tool, or call it again with `requires_approval`'
    : 'Write in the workspace or in /tmp, or call it again';
  return `${place} is read-only. ${next}, ${outside}.`;
};

const noNetwork: Cause = (line, { confinement: { network } }) => {
  const isLookup =
    /could not resolve|name resolution|name or service not known|EAI_AGAIN|getaddrinfo|ENOTFOUND|dial tcp: lookup|failed to lookup|no address associated with hostname|network is unreachable|ENETUNREACH|failed to establish a new connection/i;
  return network || !isLookup.test(line)
    ? undefined
    : 'commands have no network. Call it again with `network: true`, which a person must approve.';
};

const ownLoopback: Cause = (line, { confinement: { network } }) =>
  network || !/refused/i.test(line) || !/127\.0\.0\.1|localhost|\[?::1\b/.test(line)
    ? undefined
    : 'it has its own loopback, without the services of this machine and of other commands. Start both in one line, or call it again with `network: true`, which a person must approve.';

const missingHome: Cause = (line, { isUnasked }) => {
  if (!isUnasked || !/no such file|ENOENT/i.test(line)) return undefined;
  const place = placeIn(line);
  const isAtHome = userHomes().some((home) => place === home || place?.startsWith(`${home}/`));
  return isAtHome
    ? `${place} is below the home folder, which is empty for commands that run unasked. Move the file into the workspace, add its folder to sandbox_shows, or call it again with \`requires_approval\`, ${outside}.`
    : undefined;
};

const secret: Cause = (line, { hidden }) => {
  if (!/denied|EACCES|permitted|EPERM/i.test(line)) return undefined;
  const name = hidden.find((path) => line.includes(path));
  return name === undefined
    ? undefined
    : `${visibleLine(name)} may hold secrets, so a command that runs unasked can't open it. Call it again with \`requires_approval\`.`;
};

const noRights: Cause = (line) =>
  /no new privileges|setuid root|effective uid is not 0|^sudo: .*(privilege|permitted)/i.test(line)
    ? `programs can't gain privileges, so sudo and the like do not work. Do it without them, ${outside}.`
    : undefined;

const services: Cause = (line) =>
  /docker daemon|docker\.sock|podman\.sock/i.test(line)
    ? `the sockets of services such as Docker are not available. Call it again with \`sandbox: "off"\`, which a person must approve.`
    : undefined;

const nested: Cause = (line) =>
  /no usable sandbox|unshare.*not permitted|creating new namespace failed|clone.*not permitted/i.test(line)
    ? `a sandbox can't contain another one. Switch off the sandbox of the program (\`--no-sandbox\`), ${outside}.`
    : undefined;

const causes: readonly Cause[] = [
  readOnly,
  noNetwork,
  ownLoopback,
  missingHome,
  secret,
  noRights,
  services,
  nested,
];

/** The path that an error line names: in quotes, or the first word with a slash. */
function placeIn(line: string): string | undefined {
  const quoted = /['"‘“`]([^'"’”`]*\/[^'"’”`]*)['"’”`]/.exec(line)?.[1];
  const path = quoted ?? /(?:^|[\s(])([\w.~-]*\/[^\s:'",)]+)/.exec(line.replace(/^\/bin\/sh: /, ''))?.[1];
  return path === undefined ? undefined : visibleLine(shorten(path));
}
