// What CodeLab makes use of when it is there.
import { findRipgrep } from '@codelab/runtime';
import type { Program } from './check-program.ts';

const install =
  process.platform === 'darwin'
    ? 'brew install'
    : process.platform === 'win32'
      ? 'winget install'
      : 'apt install';

// The one that search uses: it comes with the package and is on no PATH.
const ripgrep = (await findRipgrep(process.cwd())) ?? 'rg';

export const programs: readonly Program[] = [
  {
    name: 'git',
    command: ['git', '--version'],
    purpose: 'tells what can be brought back',
    get: `${install} git`,
  },
  { name: 'ripgrep', command: [ripgrep, '--version'], purpose: 'fast search', get: `${install} ripgrep` },
  {
    name: 'bash-language-server',
    command: ['bash-language-server', '--version'],
    purpose: 'diagnostics for shell scripts',
    get: 'npm install -g bash-language-server',
  },
  {
    name: 'pylsp',
    command: ['pylsp', '--version'],
    purpose: 'diagnostics for Python',
    get: 'pipx install python-lsp-server',
  },
  {
    name: 'tsc --lsp',
    command: ['tsc', '--version'],
    accepts: /Version ([7-9]|\d\d)/,
    purpose: 'diagnostics for TypeScript',
    get: 'npm install -g typescript (7 or newer)',
  },
];
