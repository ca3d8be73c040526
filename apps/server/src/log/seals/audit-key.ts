// The Ed25519 key that signs seals: a JSON Web Key in a file that only its user can read, outside the state folder.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  sign,
  verify,
} from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { ensureFolder, randomId } from '@codelab/runtime';
import { signedBytes } from './seal.ts';

export type AuditKey = {
  /** 32 bytes as base64url. */
  publicKey: string;
  fingerprint: string;
  file: string;
  /** The signature of a seal's text, as base64. */
  sign(text: string): string;
};

const maxBytes = 4096;
const mayBeRead = 0o077;
const mayBeWritten = 0o022;

export function keyFile(folder: string): string {
  return join(folder, 'audit-ed25519.json');
}

/** Undefined when there is no key and none is to be made. A key that others could read or replace is refused. */
export function openAuditKey(folder: string, { make }: { make: boolean }): AuditKey | undefined {
  const file = keyFile(folder);
  try {
    const text = readPrivate(folder, file) ?? (make ? makeKey(folder, file) : undefined);
    return text === undefined ? undefined : keyOf(text, file);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(file, `can't be used (${why}). Name another folder in CODELAB_KEYS.`);
  }
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, signedBytes(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** In the style of OpenSSH, over the 32 bytes of the public key. */
export function fingerprintOf(publicKey: string): string {
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

function readPrivate(folder: string, file: string): string | undefined {
  checkFolder(folder);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxBytes) throw unusable(file, 'is no key file. Move it away.');
    if (process.platform !== 'win32') {
      if (stat.uid !== process.geteuid?.())
        throw unusable(
          file,
          'belongs to another user. Move it away, or name another folder in CODELAB_KEYS.',
        );
      if ((stat.mode & mayBeRead) !== 0)
        throw unusable(
          file,
          `can be used by others, who may have copied it. Move it away for a new one, or: chmod 600 ${file}`,
        );
    }
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

// A user who can write to the folder could replace the key.
function checkFolder(folder: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined || process.platform === 'win32') return;
  if (!stat.isDirectory()) throw unusable(folder, 'is no folder. Name another one in CODELAB_KEYS.');
  if (stat.uid !== process.geteuid?.())
    throw unusable(folder, 'belongs to another user. Name another folder in CODELAB_KEYS.');
  if ((stat.mode & mayBeWritten) !== 0)
    throw unusable(folder, `is writable for other users. Run: chmod 700 ${folder}`);
}

/** Two processes that make a key at the same time both use the key of the first. */
function makeKey(folder: string, file: string): string {
  ensureFolder(folder);
  checkFolder(folder);
  const { privateKey } = generateKeyPairSync('ed25519');
  const temp = `${file}.${randomId()}.tmp`;
  const fd = openSync(temp, 'wx', 0o600);
  try {
    writeSync(fd, `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`);
    fsyncSync(fd);
    linkSync(temp, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(fd);
    rmSync(temp, { force: true });
  }
  return readPrivate(folder, file) ?? '';
}

function keyOf(text: string, file: string): AuditKey {
  const jwk: JsonWebKey = JSON.parse(text);
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  if (privateKey.asymmetricKeyType !== 'ed25519' || jwk.x !== publicKey)
    throw unusable(file, 'holds no Ed25519 key. Move it away.');
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    file,
    sign: (seal) => sign(null, signedBytes(seal), privateKey).toString('base64'),
  };
}

function unusable(file: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `The audit key ${file} ${why}`, { path: file });
}
