// The language servers that are known without configuration, as data: the files of each language, and the programs that serve it.

/** One program that serves a language. */
export type ServerProgram = {
  /** A bare name is searched on the PATH outside the workspace; a name with a slash is a path from the root of the workspace. */
  argv: readonly [string, ...string[]];
  /** The command that installs the program. */
  install: string;
  /** The program executes code of the project to analyse it, so it needs the sandbox or a user who names it in the configuration. */
  runsProjectCode?: true;
  /** The npm package that the program must belong to, and its lowest major version. */
  package?: { name: string; major: number };
  env?: Readonly<Record<string, string>>;
  initializationOptions?: unknown;
  /** Answers to `workspace/configuration`, by section. */
  settings?: Readonly<Record<string, unknown>>;
};

export type ServerLanguage = {
  name: string;
  /** The protocol's language id, by file extension. */
  extensions: Readonly<Record<string, string>>;
  /** The first one that is installed is used. */
  programs: readonly [ServerProgram, ...ServerProgram[]];
};

const extracted = 'npm install -g vscode-langservers-extracted';
/** Without settings these servers fail silently and find nothing. */
const styles = { validate: true, lint: {} };

export const builtInLanguages: readonly ServerLanguage[] = [
  {
    name: 'sh',
    extensions: { '.sh': 'shellscript', '.bash': 'shellscript', '.ksh': 'shellscript' },
    programs: [
      {
        argv: ['bash-language-server', 'start'],
        install: 'npm install -g bash-language-server',
      },
    ],
  },
  {
    name: 'py',
    extensions: { '.py': 'python', '.pyi': 'python' },
    programs: [
      {
        argv: ['pylsp'],
        install: "pipx install 'python-lsp-server[all]'",
        // rope would keep its index in the workspace.
        settings: { pylsp: { plugins: { rope_autoimport: { enabled: false } } } },
      },
      {
        argv: ['pyright-langserver', '--stdio'],
        install: 'npm install -g pyright',
        settings: { python: { analysis: { diagnosticMode: 'openFilesOnly' } } },
      },
      {
        argv: ['basedpyright-langserver', '--stdio'],
        install: 'npm install -g basedpyright',
        settings: { basedpyright: { analysis: { diagnosticMode: 'openFilesOnly' } } },
      },
    ],
  },
  {
    name: 'ts',
    extensions: {
      '.ts': 'typescript',
      '.mts': 'typescript',
      '.cts': 'typescript',
      '.tsx': 'typescriptreact',
      '.js': 'javascript',
      '.mjs': 'javascript',
      '.cjs': 'javascript',
      '.jsx': 'javascriptreact',
    },
    programs: [
      {
        argv: ['tsc', '--lsp', '--stdio'],
        install: 'npm install -g typescript@latest',
        package: { name: 'typescript', major: 7 },
      },
      { argv: ['tsgo', '--lsp', '--stdio'], install: 'npm install -g @typescript/native-preview' },
      {
        argv: ['typescript-language-server', '--stdio'],
        install: 'npm install -g typescript-language-server typescript@6',
        // The server loads the compiler and the plugins of the workspace.
        runsProjectCode: true,
        initializationOptions: { disableAutomaticTypingAcquisition: true },
      },
    ],
  },
  {
    name: 'go',
    extensions: { '.go': 'go' },
    programs: [
      {
        argv: ['gopls'],
        install: 'go install golang.org/x/tools/gopls@latest',
        runsProjectCode: true,
        env: { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' },
      },
    ],
  },
  {
    name: 'rust',
    extensions: { '.rs': 'rust' },
    programs: [
      {
        argv: ['rust-analyzer'],
        install: 'rustup component add rust-analyzer',
        runsProjectCode: true,
        initializationOptions: {
          cargo: { buildScripts: { enable: false } },
          procMacro: { enable: false },
          checkOnSave: false,
        },
      },
    ],
  },
  {
    name: 'c',
    extensions: {
      '.c': 'c',
      '.h': 'c',
      '.cc': 'cpp',
      '.cpp': 'cpp',
      '.cxx': 'cpp',
      '.hh': 'cpp',
      '.hpp': 'cpp',
    },
    programs: [{ argv: ['clangd', '--background-index=false'], install: 'apt install clangd' }],
  },
  {
    name: 'json',
    extensions: { '.json': 'json', '.jsonc': 'jsonc' },
    programs: [
      {
        argv: ['vscode-json-language-server', '--stdio'],
        install: extracted,
        settings: { json: { validate: { enable: true } } },
      },
    ],
  },
  {
    name: 'css',
    extensions: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    programs: [
      {
        argv: ['vscode-css-language-server', '--stdio'],
        install: extracted,
        settings: { css: styles, scss: styles, less: styles },
      },
    ],
  },
  {
    name: 'html',
    extensions: { '.html': 'html', '.htm': 'html' },
    programs: [
      {
        argv: ['vscode-html-language-server', '--stdio'],
        install: extracted,
        settings: { html: { validate: { scripts: true, styles: true } }, css: styles, javascript: {} },
      },
    ],
  },
];
