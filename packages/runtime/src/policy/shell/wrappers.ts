// Programs that start the command that follows them.
import type { OptionTable } from './options.ts';

export type Wrapper = OptionTable & {
  /** Words of its own before the command: `timeout 5`. */
  before?: number;
  /** Adds nothing to what the command does. */
  isPlain: boolean;
};

const plain = (table: Omit<Wrapper, 'isPlain'> = {}): Wrapper => ({ ...table, isPlain: true });
const felt = (table: Omit<Wrapper, 'isPlain'> = {}): Wrapper => ({ ...table, isPlain: false });

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  // With a terminal it writes a file.
  ['nohup', felt()],
  ['nice', plain({ values: 'n', longValues: 'adjustment', hasNumbers: true })],
  ['ionice', plain({ values: 'cn', flags: 't' })],
  [
    'timeout',
    plain({
      flags: 'fpv',
      values: 'ks',
      long: 'foreground preserve-status verbose',
      longValues: 'kill-after signal',
      before: 1,
    }),
  ],
  ['time', plain({ flags: 'pv' })],
  ['stdbuf', plain({ values: 'ioe', longValues: 'input output error' })],
  ['command', plain({ flags: 'p' })],
  ['builtin', plain()],
  ['setsid', felt({ flags: 'cfw' })],
  ['exec', felt({ flags: 'cl', values: 'a' })],
  ['busybox', felt()],
  ['toybox', felt()],
  ['sudo', felt({ flags: 'AbEHiknPSs', values: 'CghpRrTtUuD' })],
  ['doas', felt({ flags: 'Lns', values: 'Cu' })],
  ['pkexec', felt({ longValues: 'user' })],
  ['chroot', felt({ before: 1 })],
  ['unshare', felt({ flags: 'mUrnpfi', long: 'map-root-user user net pid fork mount' })],
  ['flock', felt({ flags: 'sxneo', values: 'wE', before: 1 })],
  ['taskset', felt({ flags: 'ac', before: 1 })],
  ['chrt', felt({ flags: 'fbrio', before: 1 })],
  ['setarch', felt({ flags: 'R', before: 1 })],
  ['watch', felt({ flags: 'bcdegtx', values: 'n' })],
  ['strace', felt({ flags: 'fcCqtvx', values: 'eops' })],
  ['ltrace', felt({ flags: 'fcS', values: 'eo' })],
  [
    'xargs',
    felt({
      flags: '0rtpxo',
      values: 'ILnPsdE',
      paths: 'a',
      long: 'null no-run-if-empty verbose interactive exit',
      longValues: 'max-args max-procs max-lines replace delimiter',
      longPaths: 'arg-file',
    }),
  ],
]);
