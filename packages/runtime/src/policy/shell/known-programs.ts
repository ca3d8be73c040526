// Programs that do more than read, by what they do, so that people are told why they are asked.
import type { Risk } from '@codelab/protocol';
import { asks, asksUnlessHeld, type Finding, insists } from './finding.ts';
import { judgeBuiltin } from './judge-builtin.ts';
import { isInterpreter, isPackageManager } from './judge-interpreter.ts';
import { writingPrograms } from './judge-writing.ts';
import { readingPrograms } from './reading-programs.ts';
import { wrappers } from './wrappers.ts';

type KnownProgram = { reason: string; risk: Risk; mustAsk: boolean; sandboxHolds?: true };

export function findingOf({ reason, risk, mustAsk, sandboxHolds }: KnownProgram): Finding {
  if (!mustAsk) return asks(reason, risk);
  return sandboxHolds === true ? asksUnlessHeld(reason, risk) : insists(reason, risk);
}

const groups: readonly [KnownProgram, string][] = [
  [
    { reason: 'Gains more rights than the line has.', risk: 'critical', mustAsk: true },
    `sudo sudoedit doas su pkexec runuser setpriv chroot unshare nsenter capsh setcap newgrp sg login visudo passwd chpasswd useradd usermod
userdel groupadd gpasswd adduser deluser docker podman nerdctl buildah lxc kubectl bwrap firejail machinectl systemd-run`,
  ],
  [
    { reason: 'Changes the machine itself.', risk: 'critical', mustAsk: true },
    `mount umount insmod rmmod modprobe sysctl systemctl service launchctl crontab at batch shutdown reboot halt poweroff init telinit dd mkfs
mkswap swapon swapoff fdisk sfdisk parted wipefs losetup cryptsetup lvm iptables nft ufw ip ifconfig route apt apt-get aptitude dpkg
dnf yum rpm zypper pacman apk brew port snap flatpak nix-env nix update-alternatives ldconfig hwclock timedatectl loginctl chsh`,
  ],
  [{ reason: 'Ends or disturbs other processes.', risk: 'high', mustAsk: true, sandboxHolds: true }, 'kill'],
  [
    { reason: 'Ends or disturbs other processes.', risk: 'high', mustAsk: true },
    'killall killall5 pkill skill snice fuser xkill renice reptyr',
  ],
  [
    {
      reason: 'Reaches another machine, and only a human can grant the network.',
      risk: 'high',
      mustAsk: true,
    },
    `curl wget nc ncat netcat telnet ftp sftp scp ssh rsync socat nmap ping ping6 traceroute dig nslookup host whois aria2c axel lynx w3m links
elinks http https httpie xh mail sendmail mutt gh glab hub aws gcloud az gsutil heroku vercel netlify fly flyctl wrangler terraform
ansible ansible-playbook psql mysql mongo mongosh redis-cli openssl ssh-add ssh-agent ssh-keygen ssh-keyscan ssh-copy-id npx pnpx bunx`,
  ],
  [
    { reason: 'Runs the text it is given as code.', risk: 'critical', mustAsk: true },
    `eval trap alias unalias enable bind fc coproc ld.so ld-linux.so ld-linux-x86-64.so.2 debugfs chattr setfacl
cmd cmd.exe command.com powershell powershell.exe powershell_ise.exe pwsh.exe wsl wsl.exe bash.exe wscript wscript.exe cscript cscript.exe
mshta mshta.exe rundll32 rundll32.exe regsvr32 regsvr32.exe msiexec msiexec.exe wmic wmic.exe schtasks schtasks.exe reg reg.exe sc.exe
forfiles forfiles.exe explorer.exe wslview`,
  ],
  [
    { reason: 'Runs the text it is given as code.', risk: 'critical', mustAsk: true, sandboxHolds: true },
    `shopt complete compgen let declare typeset readonly mapfile readarray parallel watch script
expect tmux screen dtach strace ltrace gdb lldb valgrind perf rr m4 ed ex vi vim nvim view emacs
nano pico less more man info most pg bat delta fzf dc bc osascript open xdg-open run-parts start-stop-daemon
logsave rlwrap unbuffer flock chrt taskset prlimit setarch linux32 linux64 i386 x86_64 faketime
dbus-run-session xvfb-run choom uclampset cpulimit entr inotifywait fswatch fakeroot proot catchsegv sem`,
  ],
  [
    { reason: 'Runs code from this repository.', risk: 'high', mustAsk: false },
    `make gmake ninja cmake ctest cargo rustc go gofmt mvn mvnw gradle gradlew ant sbt lein mix rebar3 dotnet msbuild swift swiftc xcodebuild gcc g++
cc c++ clang clang++ ld javac java kotlinc scala scalac tsc tsx ts-node eslint prettier biome oxlint jest vitest mocha pytest tox nox
ruff mypy black flake8 pylint phpunit rspec rake bundle gem composer pip pip3 pipx poetry uv conda deno bun npm yarn pnpm corepack
webpack vite rollup esbuild turbo nx lerna playwright cypress pre-commit husky just task source .`,
  ],
  [
    { reason: 'Changes files.', risk: 'medium', mustAsk: false },
    `patch tar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z rar unrar cpio ar pax split csplit mkfifo mknod mktemp shred rename
iconv dos2unix unix2dos install ditto sponge xargs setsid exec`,
  ],
];

export const knownPrograms: ReadonlyMap<string, KnownProgram> = new Map(
  groups.flatMap(([known, names]) => names.split(/\s+/).map((name): [string, KnownProgram] => [name, known])),
);

/** Is a name one that people and the tables take for a certain program? */
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
