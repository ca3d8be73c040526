// Where people keep what no command needs to see: keys, tokens, logins, browsers, histories. Names are relative to a user's home.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Keys and passwords.
const keys = [
  '.ssh',
  '.gnupg',
  '.pki',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.1password',
];
// Clouds, clusters, and sockets of container engines.
const clouds = [
  ...[
    '.aws',
    '.azure',
    '.azure-devops',
    '.kube',
    '.docker',
    '.dockercfg',
    '.colima',
    '.lima',
    '.rd',
    '.orbstack',
  ],
  ...[
    '.oci',
    '.bluemix',
    '.aliyun',
    '.fly',
    '.railway',
    '.supabase',
    '.terraform.d',
    '.terraformrc',
    '.pulumi',
  ],
  ...['.vault-token', '.minikube', '.helm', '.boto', '.s3cfg', '.mc', '.cloudflared', '.ngrok2', '.step'],
  ...[
    '.databrickscfg',
    '.snowsql',
    '.snowflake',
    '.kaggle',
    '.huggingface',
    '.cache/huggingface/token',
    '.netlify',
  ],
  ...[
    '.local/share/com.vercel.cli',
    '.local/share/heroku',
    '.local/share/containers/auth.json',
    '.rclone.conf',
  ],
];
// Logins of hosts, registries, databases.
const logins = [
  ...[
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.gem/credentials',
    '.bundle/config',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml', '.m2/settings-security.xml'],
  ...['.gradle/gradle.properties', '.composer/auth.json', '.nuget/NuGet/NuGet.Config', '.ivy2/.credentials'],
  ...[
    '.sbt/.credentials',
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
    '.dbt',
    '.jupyter',
    '.Xauthority',
    '.ICEauthority',
  ],
];
// Folders of other agents, mail programs, browsers and wallets.
const people = [
  ...['.claude', '.claude.json', '.codex', '.gemini', '.cursor', '.continue', '.copilot', '.aider.conf.yml'],
  ...[
    '.mozilla',
    '.thunderbird',
    '.cache/mozilla',
    '.cache/google-chrome',
    '.cache/chromium',
    '.var/app',
    'snap',
  ],
  ...['.bitcoin', '.ethereum', '.electrum', '.solana', '.local/share/TelegramDesktop', '.vscode-server/data'],
];
// Histories often contain secrets that were typed by mistake.
const histories = [
  ...[
    '.bash_history',
    '.zsh_history',
    '.zhistory',
    '.histfile',
    '.local/share/fish/fish_history',
    '.python_history',
  ],
  ...[
    '.node_repl_history',
    '.psql_history',
    '.mysql_history',
    '.sqlite_history',
    '.rediscli_history',
    '.lesshst',
  ],
];

// Nearly every program that logs in keeps its token in .config, so only entries known to be harmless are shown.
const settings = '.config';
const harmless = new Set(['git', 'go', 'pnpm', 'yarn', 'fontconfig', 'nix', 'user-dirs.dirs', 'locale.conf']);
const secretAllTheSame = ['.config/git/credentials'];

const namedPlaces = [...keys, ...clouds, ...logins, ...people, ...histories, ...secretAllTheSame];

// Sockets of services that run anything as root for every member of their group.
const services = ['/var/lib/incus', '/var/lib/lxd', '/var/snap/lxd'];

// Secrets of the machine: root may read them, so a command run by root could too.
const ofRoot = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/ssl/private', '/etc/letsencrypt'],
  ...['/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key', '/etc/ssh/ssh_host_ed25519_key'],
  ...[
    '/etc/kubernetes',
    '/etc/rancher',
    '/etc/wireguard',
    '/etc/NetworkManager/system-connections',
    '/var/lib/kubelet',
  ],
];

export function secretPlaces(home: string): string[] {
  // One directory listing instead of a hundred checks of names that mostly do not exist.
  const present = new Set(namesIn(home));
  const below = [...namedPlaces, ...harmful(home)]
    .filter((name) => present.has(name.split('/', 1)[0] ?? name))
    .map((name) => join(home, name));
  return [...below, ...services, ...(process.geteuid?.() === 0 ? ofRoot : [])];
}

// Settings of tools that some people keep a login in, and most do not.
const mixed = [
  ...[
    '.cargo/config.toml',
    '.cargo/config',
    '.gradle/init.gradle',
    '.gradle/init.gradle.kts',
    '.composer/config.json',
  ],
  ...[
    '.sbt/repositories',
    '.stack/config.yaml',
    '.ivy2/ivysettings.xml',
    '.npm-global/etc/npmrc',
    '.conda/.condarc',
  ],
];
const login = /token|passw|secret|credential|authorization|api.?key|:\/\/[^\s"'/]*@/i;

/** Settings below the home that an unasked command would use and that hold a login; one that can't be read counts as if. */
export function settingsWithLogins(home: string): string[] {
  const present = new Set(namesIn(home));
  const isThere = (name: string): boolean => present.has(name.split('/', 1)[0] ?? name);
  return mixed
    .filter((name) => isThere(name) && holdsLogin(join(home, name)))
    .map((name) => join(home, name));
}

function holdsLogin(path: string): boolean {
  try {
    return login.test(readFileSync(path, 'utf8'));
  } catch {
    return true;
  }
}

function harmful(home: string): string[] {
  return namesIn(join(home, settings))
    .filter((name) => !harmless.has(name))
    .map((name) => join(settings, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
