// Programs that do more than read, grouped by effect, so that the approval can name it.
import { type Phrase, phrase, type Risk } from '@codelab/protocol';
import { alwaysAsks, asks, asksUnlessHeld, type Judgement } from '../judgement.ts';
import type { OptionTable } from '../options.ts';
import { judgeBuiltin } from './judge-builtin.ts';
import { isInterpreter, isPackageManager } from './judge-interpreter.ts';
import { writingPrograms } from './judge-writing.ts';
import { readingPrograms } from './reading-programs.ts';

type KnownProgram = { reason: Phrase; risk: Risk; mustAsk: boolean; sandboxHolds?: true };

export function findingOf({ reason, risk, mustAsk, sandboxHolds }: KnownProgram): Judgement {
  if (!mustAsk) return asks(reason, risk);
  return sandboxHolds === true ? asksUnlessHeld(reason, risk) : alwaysAsks(reason, risk);
}

const always = { mustAsk: true } as const;
/** A human is asked in every mode, unless the command runs in the sandbox. */
const heldBySandbox = { mustAsk: true, sandboxHolds: true } as const;

const groups: readonly [KnownProgram, string][] = [
  [
    { reason: phrase('program.gainsRights'), risk: 'critical', ...always },
    `sudo sudoedit doas su pkexec runuser setpriv chroot unshare nsenter capsh setcap newgrp sg login visudo passwd chpasswd useradd usermod
userdel groupadd gpasswd adduser deluser bwrap firejail machinectl systemd-run`,
  ],
  [
    {
      reason: phrase('program.containers'),
      risk: 'critical',
      ...always,
    },
    'docker podman nerdctl buildah lxc docker-compose',
  ],
  [
    { reason: phrase('program.changesMachine'), risk: 'critical', ...always },
    `mount umount insmod rmmod modprobe sysctl systemctl service launchctl crontab at batch shutdown reboot halt poweroff init telinit dd mkfs
mkswap swapon swapoff fdisk sfdisk parted wipefs losetup cryptsetup lvm iptables nft ufw ip ifconfig route update-alternatives ldconfig
hwclock timedatectl loginctl chsh chattr setfacl`,
  ],
  [
    { reason: phrase('program.installsPrograms'), risk: 'critical', ...always },
    'apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk brew port snap flatpak nix-env nix',
  ],
  [{ reason: phrase('program.processes'), risk: 'high', ...heldBySandbox }, 'kill pkill killall'],
  [
    { reason: phrase('program.processes'), risk: 'high', ...always },
    'killall5 skill snice fuser xkill renice reptyr',
  ],
  [
    { reason: phrase('program.network'), risk: 'high', ...always },
    `curl wget nc ncat netcat telnet ftp sftp scp ssh rsync socat nmap ping ping6 traceroute dig nslookup host whois aria2c axel lynx w3m links
elinks http https httpie xh mail sendmail mutt gh glab hub aws gcloud az gsutil heroku vercel netlify fly flyctl wrangler terraform
ansible ansible-playbook ssh-copy-id ssh-keyscan`,
  ],
  [
    {
      reason: phrase('program.database'),
      risk: 'high',
      ...always,
    },
    'psql pg_dump pg_restore mysql mysqldump mariadb mongo mongosh redis-cli',
  ],
  [{ reason: phrase('program.cluster'), risk: 'critical', ...always }, 'kubectl helm oc k9s'],
  [{ reason: phrase('program.keys'), risk: 'high', ...always }, 'openssl ssh-add ssh-agent ssh-keygen'],
  [{ reason: phrase('packages.downloads'), risk: 'high', ...always }, 'npx pnpx bunx uvx pipx'],
  [
    { reason: phrase('program.runsText'), risk: 'critical', ...always },
    `eval trap alias unalias enable bind fc coproc ld.so ld-linux.so ld-linux-x86-64.so.2 debugfs
cmd cmd.exe command.com powershell powershell.exe powershell_ise.exe pwsh.exe wsl wsl.exe bash.exe wscript wscript.exe cscript cscript.exe
mshta mshta.exe rundll32 rundll32.exe regsvr32 regsvr32.exe msiexec msiexec.exe wmic wmic.exe schtasks schtasks.exe reg reg.exe sc.exe
forfiles forfiles.exe explorer.exe wslview`,
  ],
  [
    { reason: phrase('program.runsText'), risk: 'critical', ...heldBySandbox },
    'let m4 ed ex dc bc expect osascript parallel sem run-parts',
  ],
  [
    { reason: phrase('builtin.changesShell'), risk: 'critical', ...heldBySandbox },
    'shopt complete compgen declare typeset readonly mapfile readarray',
  ],
  [
    { reason: phrase('program.editor'), risk: 'critical', ...heldBySandbox },
    'vi vim nvim view emacs nano pico less more man info most pg bat delta fzf',
  ],
  [
    { reason: phrase('program.terminal'), risk: 'critical', ...heldBySandbox },
    'tmux screen dtach script start-stop-daemon dbus-run-session xvfb-run open xdg-open',
  ],
  [
    { reason: phrase('program.steersAnother'), risk: 'critical', ...heldBySandbox },
    `watch strace ltrace gdb lldb valgrind perf rr logsave rlwrap unbuffer flock chrt taskset prlimit setarch linux32 linux64 i386 x86_64
faketime choom uclampset cpulimit entr inotifywait fswatch fakeroot proot catchsegv`,
  ],
  [
    { reason: phrase('program.runsRepository'), risk: 'high', mustAsk: false },
    `make gmake ninja cmake ctest cargo rustc go gofmt mvn mvnw gradle gradlew ant sbt lein mix rebar3 dotnet msbuild swift swiftc xcodebuild gcc g++
cc c++ clang clang++ ld javac java kotlinc scala scalac tsc tsx ts-node eslint prettier biome oxlint jest vitest mocha pytest tox nox
ruff mypy black flake8 pylint phpunit rspec rake bundle gem composer pip pip3 poetry uv conda deno bun npm yarn pnpm corepack
webpack vite rollup esbuild turbo nx lerna playwright cypress pre-commit husky just task source .`,
  ],
  [
    { reason: phrase('program.changesFiles'), risk: 'medium', mustAsk: false },
    `patch tar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z rar unrar cpio ar pax split csplit mkfifo mknod mktemp shred rename
iconv dos2unix unix2dos install ditto sponge setsid exec`,
  ],
];

export const knownPrograms: ReadonlyMap<string, KnownProgram> = new Map(
  groups.flatMap(([program, names]) =>
    names.split(/\s+/).map((name): [string, KnownProgram] => [name, program]),
  ),
);

/** Whether a name is one that people and the tables take for a certain program. */
const others = new Set(['git', 'find', 'env', 'sed', 'gsed', 'awk', 'gawk', 'mawk', 'nawk']);

export function isKnownName(name: string): boolean {
  const isListed = [readingPrograms, writingPrograms, wrappers, knownPrograms].some((table) =>
    table.has(name),
  );
  return (
    isListed ||
    others.has(name) ||
    isInterpreter(name) ||
    isPackageManager(name) ||
    judgeBuiltin(name, []) !== undefined
  );
}

// Programs that start the command after them.
export type Wrapper = OptionTable & {
  /** The number of words that belong to the wrapper before the command: `timeout 5`. */
  before?: number;
  /** Adds no effect to the command. */
  isPlain: boolean;
};

const plainWrapper = (table: Omit<Wrapper, 'isPlain'> = {}): Wrapper => ({ ...table, isPlain: true });
const lastingWrapper = (table: Omit<Wrapper, 'isPlain'> = {}): Wrapper => ({ ...table, isPlain: false });

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  // On a terminal, nohup writes a file.
  ['nohup', lastingWrapper()],
  ['nice', plainWrapper({ values: 'n', longValues: 'adjustment', hasNumbers: true })],
  ['ionice', plainWrapper({ values: 'cn', flags: 't' })],
  [
    'timeout',
    plainWrapper({
      flags: 'fpv',
      values: 'ks',
      long: 'foreground preserve-status verbose',
      longValues: 'kill-after signal',
      before: 1,
    }),
  ],
  ['time', plainWrapper({ flags: 'pv' })],
  ['stdbuf', plainWrapper({ values: 'ioe', longValues: 'input output error' })],
  ['command', plainWrapper({ flags: 'p' })],
  ['builtin', plainWrapper()],
  ['setsid', lastingWrapper({ flags: 'cfw' })],
  ['exec', lastingWrapper({ flags: 'cl', values: 'a' })],
  ['busybox', lastingWrapper()],
  ['toybox', lastingWrapper()],
  ['sudo', lastingWrapper({ flags: 'AbEHiknPSs', values: 'CghpRrTtUuD' })],
  ['doas', lastingWrapper({ flags: 'Lns', values: 'Cu' })],
  ['pkexec', lastingWrapper({ longValues: 'user' })],
  ['chroot', lastingWrapper({ before: 1 })],
  ['unshare', lastingWrapper({ flags: 'mUrnpfi', long: 'map-root-user user net pid fork mount' })],
  ['flock', lastingWrapper({ flags: 'sxneo', values: 'wE', before: 1 })],
  ['taskset', lastingWrapper({ flags: 'ac', before: 1 })],
  ['chrt', lastingWrapper({ flags: 'fbrio', before: 1 })],
  ['setarch', lastingWrapper({ flags: 'R', before: 1 })],
  ['watch', lastingWrapper({ flags: 'bcdegtx', values: 'n' })],
  ['strace', lastingWrapper({ flags: 'fcCqtvx', values: 'eops' })],
  ['ltrace', lastingWrapper({ flags: 'fcS', values: 'eo' })],
  [
    'xargs',
    lastingWrapper({
      flags: '0rtpxo',
      values: 'ILnPsdE',
      paths: 'a',
      long: 'null no-run-if-empty verbose interactive exit',
      longValues: 'max-args max-procs delimiter',
      longPaths: 'arg-file',
    }),
  ],
]);
