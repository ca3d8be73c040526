// Which sandbox this machine has, what to do where it has none, and whether it reports who writes. Loaded on demand: most programs never
// need it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '@codelab/protocol';
import { isSwitchedOff } from '../platform/system.ts';
import { traceFault } from '../snapshot/write-trace.ts';

export async function sandboxHere(): Promise<Confinement> {
  const { confinementOf } = await import('./confine.ts');
  return confinementOf(false);
}

/** Why the better backend is not used here; undefined when it is. */
export async function betterSandbox({ sandbox }: Pick<Confinement, 'sandbox'>): Promise<string | undefined> {
  if (sandbox !== 'util-linux') return undefined;
  const { findBubblewrap } = await import('./backends/bubblewrap.ts');
  const bubblewrap = findBubblewrap();
  return 'why' in bubblewrap ? bubblewrap.why : undefined;
}

/** Why the writes of sandboxed commands are not traced here; undefined when they are. Detected by tracing a program that does nothing. */
export async function untracedReason(): Promise<string | undefined> {
  const { findSandbox } = await import('./backends/find-sandbox.ts');
  const { failureOf } = await import('./backends/system-program.ts');
  const { findTracer, traced } = await import('./backends/trace-writes.ts');
  const sandbox = findSandbox();
  if (sandbox.sandbox !== 'bubblewrap' && sandbox.sandbox !== 'util-linux')
    return 'no sandbox that can be traced';
  const program = sandbox.sandbox === 'bubblewrap' ? sandbox.by.path : sandbox.by.setpriv;
  const folder = makeFolder();
  if (folder === undefined) return `no folder can be made in ${tmpdir()}`;
  try {
    const report = join(folder, 'report');
    const argv = traced([program, '--version'], { report, root: folder });
    const tracer = findTracer();
    if (argv[0] === program)
      return 'why' in tracer ? tracer.why : `${sandbox.sandbox} does not work when it is traced`;
    return failureOf(argv) ?? traceFault(readFileSync(report, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'codelab-trace-'));
  } catch {
    return undefined;
  }
}

/** The next step on a machine without a sandbox, by the reason why there is none. */
export function sandboxAdvice({ why = '' }: Pick<Confinement, 'why'>): string {
  if (isSwitchedOff('sandbox')) return 'take `sandbox` out of CODELAB_WITHOUT';
  if (process.platform !== 'linux') return 'read each command before you approve it';
  if (setting('user/max_user_namespaces') === '0')
    return 'user namespaces are switched off: `sysctl -w user.max_user_namespaces=10000` as root';
  if (setting('kernel/unprivileged_userns_clone') === '0')
    return 'user namespaces are for root only: `sysctl -w kernel.unprivileged_userns_clone=1` as root';
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'AppArmor restricts user namespaces: install bubblewrap with its profile (`apt install bubblewrap apparmor-profiles`), or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` as root';
  if (isContainer())
    return 'the container forbids namespaces: start it with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, or with a seccomp profile that allows unshare, mount and pivot_root';
  if (why.includes('not installed'))
    return 'apt install bubblewrap, or util-linux 2.36 or later (dnf, pacman, apk: the same names)';
  return 'allow unprivileged user namespaces (docs/sandbox.md)';
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function isContainer(): boolean {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  try {
    return /^Seccomp:\t2$/m.test(readFileSync('/proc/self/status', 'utf8'));
  } catch {
    return false;
  }
}
