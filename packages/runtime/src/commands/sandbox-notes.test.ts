import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxNotes } from './sandbox-notes.ts';

const confinement = { sandbox: 'bubblewrap', network: false } as const;
const unasked = { confinement, isUnasked: true, hidden: ['.env', 'certs/a.key'] };
const askedState = { confinement, isUnasked: false, hidden: [] };

const failed = (stderr: string): { stdout: string; stderr: string; exit_code: number } => ({
  stdout: '',
  stderr,
  exit_code: 1,
});

test('a workspace on a read-only file system is not blamed on the sandbox', () => {
  const state = { ...askedState, isWorkspaceReadOnly: () => true };
  expect(sandboxNotes(failed('touch: a.txt: Read-only file system'), state)).toEqual([
    'The file system of the workspace is read-only, also without the sandbox. Mount it writable, or work in a copy.',
  ]);
});

test.each([
  ["touch: cannot touch '/usr/x': Read-only file system", '/usr/x is read-only'],
  ['/bin/sh: 1: cannot create /etc/x: Read-only file system', '/etc/x is read-only'],
  ["OSError: [Errno 30] Read-only file system: '/home/u/.cache/x'", '/home/u/.cache/x is read-only'],
  [
    "npm error code EROFS\nnpm error EROFS: read-only file system, mkdir '/root/.npm'",
    'a place that it writes to is read-only',
  ],
  ['error: could not lock config file .git/config: Read-only file system', '.git/config is read-only'],
  ['curl: (6) Could not resolve host: example.org', 'commands have no network'],
  ['npm error errno EAI_AGAIN', 'commands have no network'],
  ['fatal: unable to access: Could not resolve host: github.com', 'commands have no network'],
  [
    'go: github.com/a/b: dial tcp: lookup proxy.golang.org: Temporary failure in name resolution',
    'commands have no network',
  ],
  ['socket.gaierror: [Errno -3] Temporary failure in name resolution', 'commands have no network'],
  ['curl: (7) Failed to connect to localhost port 3000: Connection refused', 'its own loopback'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432 (refused)', 'its own loopback'],
  [`cat: ${join(homedir(), '.foorc')}: No such file or directory`, 'is below the home'],
  ['error: open(".env"): Permission denied', '.env may hold secrets'],
  [
    'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.',
    "can't gain privileges",
  ],
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'services such as Docker'],
  ['[FATAL:zygote] No usable sandbox! Update your kernel', "a sandbox can't contain another one"],
])('%s', (stderr, expected) => {
  const [note = ''] = sandboxNotes(failed(stderr), unasked);
  expect(note).toContain(`Because of the sandbox: `);
  expect(note).toContain(expected);
  // Each note has a next step.
  expect(note).toMatch(/`requires_approval`|`network: true`|`sandbox: "off"`/);
});

test.each([
  'cat: nothing.txt: No such file or directory',
  'cat: /etc/nothing: No such file or directory',
  'bash: ./x.sh: Permission denied',
  'AssertionError: expected 1 to be 2',
  'connect ECONNREFUSED 10.0.0.7:5432',
])('%s is no fault of the sandbox', (stderr) => {
  expect(sandboxNotes(failed(stderr), unasked)).toEqual([]);
});

test('nothing is said of a command that succeeded, ran outside, or had what it lacks', () => {
  const line = 'curl: (6) Could not resolve host: example.org';
  expect(sandboxNotes({ ...failed(line), exit_code: 0 }, unasked)).toEqual([]);
  expect(
    sandboxNotes(failed(line), { ...askedState, confinement: { sandbox: 'none', network: true } }),
  ).toEqual([]);
  expect(
    sandboxNotes(failed(line), { ...askedState, confinement: { ...confinement, network: true } }),
  ).toEqual([]);
  expect(sandboxNotes(failed(`cat: ${homedir()}/.foorc: No such file or directory`), askedState)).toEqual([]);
});

test('what a command prints is made visible and cut, and a long output costs little', () => {
  const [note = ''] = sandboxNotes(
    failed(`touch: '/x\u202e${'y'.repeat(9000)}': Read-only file system`),
    unasked,
  );
  expect(note).not.toContain('\u202e');
  expect(note.length).toBeLessThan(1000);
  expect(sandboxNotes(failed('Read-only file system\n'.repeat(100_000)), unasked)).toHaveLength(1);
});
