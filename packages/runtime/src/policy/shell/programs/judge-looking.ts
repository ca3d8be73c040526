// Programs that show information about themselves or the machine, as long as their words only ask for it.
import { type Phrase, phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import { allows, asks, type Judgement } from '../judgement.ts';

// Programs whose version option reads nothing in the workspace; others load a toolchain, a plugin or settings from there.
const ownVersion = new Set(
  `node python python3 perl ruby bash dash zsh git npm gcc g++ cc c++ clang clang++ make gmake cmake ninja rg grep jq java javac php lua curl
wget tmux screen tar zip unzip gzip xz zstd openssl ssh rsync psql mysql sqlite3 docker podman kubectl helm gh aws vim nvim emacs nano less
sed awk gawk find xargs sudo gdb lldb strace valgrind ffmpeg`.split(/\s+/),
);
// Programs that take one subcommand before `--help` and print its help; others pass such words on to the program they start.
const commanding = new Set(
  'cargo rustup go npm pip pip3 poetry uv bundle gem composer dotnet docker podman kubectl helm gh terraform conda'.split(
    ' ',
  ),
);

const ofWindows =
  /\.exe$|^(cmd|command\.com|wsl|wslview|powershell|pwsh|[wc]script|mshta|rundll32|regsvr32|msiexec|wmic|schtasks|reg|forfiles)$/;

/** Harmless where nothing can be written. */
export function readsSettings(reason: Phrase): Judgement {
  return { ...asks(reason, 'low'), onlyReads: true };
}

/** `isKnown`: the tables have the name; an unknown program may do anything with a word. */
export function judgeProbe(name: string, args: readonly Argument[], isKnown: boolean): Judgement | undefined {
  if (args.length === 0 || args.length > 2 || args.some(({ kind }) => kind !== 'exact')) return undefined;
  const [first = '', second] = args.map(({ value }) => value);
  const isVersion = second === undefined && isVersionWord(name, first);
  const isHelp = commanding.has(name) && /^[a-z][a-z-]*$/.test(first) && second === '--help';
  if (!isVersion && !isHelp) return undefined;
  if (ownVersion.has(name) && first !== 'version')
    return allows(phrase(isHelp || first === '--help' ? 'program.help' : 'program.version'));
  return isKnown && !ofWindows.test(name) ? readsSettings(phrase('program.versionBySettings')) : undefined;
}

function isVersionWord(name: string, word: string): boolean {
  if (word === '--version' || word === '--help') return name !== 'git' || word === '--version';
  if (word === '-V')
    return /^(python[\d.]*|tmux|ssh|gawk|cargo|rustc|ruff|uv|curl|wget|pip3?|clang|xz)$/.test(name);
  if (word === '-v') return /^(node|npm|yarn|pnpm|bun|perl|ruby|php|lua|docker|nvim|gcc|ffmpeg)$/.test(name);
  if (word === '-version') return /^(java|javac|scala|kotlinc|ffmpeg|ant)$/.test(name);
  return word === 'version' && commanding.has(name) && !/^(git|uv|poetry|conda)$/.test(name);
}

/** `each` must match every word; `first` must match the first operand with the options before it. */
type Words = { each: RegExp; first?: RegExp; starts?: RegExp };

const words = (each: string, options: Omit<Words, 'each'> = {}): Words => ({
  each: new RegExp(`^(?:${each})$`),
  ...options,
});

// An operand never begins like an option.
const plainWord = '\\w[\\w.@+:-]*';
const units = /^(status|is-active|is-enabled|is-failed|list-units|list-unit-files|list-timers)$/;
const containers =
  /^(ps|images|logs|info|port|version|(container|image|network|volume) ls|system df|stats --no-stream)( |$)/;

const lookers: ReadonlyMap<string, Words> = new Map([
  ['id', words(`-[ugGnrz]+|${plainWord}`)],
  ['groups', words(plainWord)],
  ['tty', words('-s')],
  ['locale', words('-[am]')],
  ['lscpu', words('-[aepJ]+')],
  ['lsblk', words('-[afldmpJ]+')],
  ['lsb_release', words('-[aidrcs]+')],
  ['sw_vers', words('-\\w+')],
  ['vmstat', words('-[asw]+|\\d+')],
  ['getconf', words('-a|[A-Z_]+')],
  ['nvidia-smi', words('-L')],
  ['ulimit', words('-[a-z]')],
  ['umask', words('-S')],
  ['jobs', words('-[lp]')],
  ['tput', words('cols|lines|colors')],
  ['cal', words('-?\\d+')],
  ['mount', words('(?!)')],
  ['hostnamectl', words('status')],
  ['timedatectl', words('status|show')],
  ['sysctl', words('-[aneN]+|[a-z][\\w.]*')],
  ['ifconfig', words('-a|[a-z][\\w.]*', { starts: /^[^ ]*$/ })],
  ['netstat', words('-[atulnpxrsie46vW]+')],
  [
    'ip',
    words(`-(4|6|s|j|c|o|d|br|brief|json|details)|${plainWord}`, {
      starts: /^(-\w+ )*(a|addr|address|l|link|r|route|n|neigh)( (s|show|list|ls)( dev)?( [\w.@]+)?)?$/,
    }),
  ],
  [
    'ss',
    words(
      '-[atulnpxwsmeior46HO]+|--(tcp|udp|listening|numeric|processes|all|summary)|state|listening|established|[sd]port|=|:\\w+|and|or',
    ),
  ],
  ['lsof', words(`-[nPtaRlUw]+|-[nPta]*[ipucs][:@\\w.,^-]*|[:@][\\w.:-]+|${plainWord}`)],
  ['top', words('-b|-n|-b?n?\\d+|-o|-[up]|[+%]?\\w+', { starts: /^-b ?-?n/ })],
  [
    'systemctl',
    words(`--(no-pager|user|all|failed|full)|-[la]|--(type|state)=\\w+|${plainWord}`, { first: units }),
  ],
  [
    'dpkg',
    words(`-[lsLS]|--(list|status|listfiles|search|print-architecture)|[\\w/*][\\w.+:*/-]*`, {
      starts: /^-/,
    }),
  ],
  ['rpm', words(`-q[ailcd]*|${plainWord}`, { starts: /^-q/ })],
  ['apt-cache', words(plainWord, { first: /^(policy|search|show|depends)$/ })],
  ['whereis', words(`-[bmsu]|${plainWord}`)],
  [
    'docker',
    words(
      `-[aqnt]+|--(all|quiet|no-trunc|timestamps|no-stream|tail|since|format|filter)|--(tail|since|filter|format)=[\\w.=:/{}]+|(table )?\\{\\{[^\\n]*|\\w[\\w.:/=-]*`,
      { starts: containers },
    ),
  ],
]);

// Programs that list things and may take their settings from the workspace.
const listers: ReadonlyMap<string, Words> = new Map([
  ...['pip', 'pip3'].map((name): [string, Words] => [
    name,
    words(`--format=\\w+|${plainWord}`, { first: /^(list|freeze|check|show)$/ }),
  ]),
  [
    'uv',
    words(`--format=\\w+|${plainWord}`, {
      starts: /^(pip (list|freeze|check|show)|python (list|find))( |$)/,
    }),
  ],
  ['gem', words(`--local|${plainWord}`, { first: /^list$/ })],
  ['conda', words('list|env|info', { starts: /^(list|env list|info)$/ })],
  [
    'rustup',
    words('show|toolchain|target|component|list|--installed', {
      starts: /^(show|(toolchain|target|component) list)( --installed)?$/,
    }),
  ],
  ['brew', words(`--prefix|${plainWord}`, { starts: /^(list|--prefix|leaves|config)( |$)/ })],
  ['go', words('env|[A-Z]+', { first: /^env$/ })],
  ['rustc', words('--print|[a-z][a-z-]*', { starts: /^--print [a-z-]+$/ })],
  ['npm', words('root|prefix|bin|-g')],
  ['pnpm', words('list|ls|root|--depth|--depth=\\d+|\\d+', { first: /^(list|ls|root)$/ })],
  [
    'docker',
    words(`-[aqnt]+|--(all|quiet|timestamps)|--tail=\\d+|${plainWord}`, {
      starts: /^compose (ps|images|logs|version|ls)( |$)/,
    }),
  ],
]);

/** Undefined when some word does more than ask for information: then other tables judge the program. */
export function judgeLooking(name: string, args: readonly Argument[]): Judgement | undefined {
  if (args.some(({ kind }) => kind !== 'exact')) return undefined;
  const words = args.map(({ value }) => value);
  if (name === 'pgrep') return isProcessSearch(words) ? allows(phrase('program.machine')) : undefined;
  if (allMatch(lookers.get(name), words)) return allows(phrase('program.machine'));
  if (allMatch(listers.get(name), words)) return readsSettings(phrase('program.listsBySettings'));
  return undefined;
}

function allMatch(table: Words | undefined, words: readonly string[]): boolean {
  if (table === undefined || !words.every((word) => table.each.test(word))) return false;
  if (table.starts !== undefined && !table.starts.test(words.join(' '))) return false;
  const first = words.find((word) => !word.startsWith('-'));
  return table.first === undefined || (first === undefined ? words.length > 0 : table.first.test(first));
}

/** `pgrep -fl TEXT`: the last word is text, and only a few options may stand before it. */
function isProcessSearch(words: readonly string[]): boolean {
  const text = words.at(-1) ?? '-';
  const options = words.slice(0, -1);
  const isKnown = (word: string, at: number): boolean =>
    /^-[afilnoxvcw]+$/.test(word) || word === '-u' || (options[at - 1] === '-u' && /^\w+$/.test(word));
  return !text.startsWith('-') && options.at(-1) !== '-u' && options.every(isKnown);
}
