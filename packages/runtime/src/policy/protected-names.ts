// The one table of names that are more than content: files that programs execute automatically, that configure programs of people and
// agents, or that hold secrets. Edit tools ask before they change one, reading a secret needs approval, and an unasked command finds them
// read-only or empty. As in ignore files, a name without a slash matches a file or folder at any depth, with everything below it.
import { lazily } from '@codelab/protocol';
import { foldPath } from '../workspace/paths.ts';
import { pathTest } from './match-rule.ts';

const blanks = /\s+/;

// Editors and the containers and tasks they start.
const editors: readonly string[] = [
  ...`
    .vscode *.code-workspace .idea *.iml .fleet .zed .devcontainer .devcontainer.json .theia .vs .nova
    .exrc .nvimrc .nvim.lua .vimrc .lvimrc .dir-locals.el .dir-locals-2.el *.sublime-project .projectile
  `
    .trim()
    .split(blanks),
];

// Shells, debuggers, terminals.
const shells: readonly string[] = [
  ...`
    .envrc .direnvrc .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin
    .zlogout .kshrc .cshrc .tcshrc config.fish .inputrc .xinitrc .xprofile .xsession .xsessionrc
    .tmux.conf .screenrc .gdbinit .lldbinit .Rprofile .irbrc .pryrc .pythonrc .pdbrc .psqlrc .sqliterc
    .wgetrc .curlrc .ssh authorized_keys *.desktop .local/bin/** .config/** .cron crontab
    **/systemd/user/** Library/LaunchAgents/**
  `
    .trim()
    .split(blanks),
];

/** Executed by an editor, a shell, git, a build, a test runner or a scheduler: changing one decides what runs later. */
export const executed: readonly string[] = [
  ...editors,
  ...shells,
  // Git, hooks, and what runs them.
  ...`
    .gitattributes .gitmodules .gitconfig .husky .githooks .git-hooks .pre-commit-config.yaml
    .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.yml lefthook.yaml .lefthook.yml
    lefthook-local.yml lefthook-local.yaml lefthook.toml lefthook.json .lefthook.yaml .lefthook.toml .simple-git-hooks.*
    simple-git-hooks.* .huskyrc .huskyrc.* husky.config.* .yorkie .captainhook.json captainhook.json grumphp.yml .lintstagedrc .lintstagedrc.* lint-staged.config.* .overcommit.yml .hg
  `
    .trim()
    .split(blanks),
  // Continuous integration and deployment.
  ...`
    .github/** .gitlab-ci.yml .gitlab/** .circleci .travis.yml Jenkinsfile .drone.yml .woodpecker.yml
    .woodpecker .buildkite azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .appveyor.yml
    cloudbuild.yaml .forgejo .gitea Procfile Vagrantfile Dockerfile Dockerfile.* *.dockerfile
    Containerfile docker-compose*.yml docker-compose*.yaml compose.yml compose.yaml *.service *.timer
    Tiltfile Earthfile skaffold.yaml skaffold.yml docker-bake.hcl docker-bake.json **/.docker/config.json ansible.cfg
    Brewfile Dangerfile Dangerfile.* dangerfile.* fly.toml netlify.toml vercel.json wrangler.toml wrangler.json wrangler.jsonc
    serverless.yml serverless.yaml Pulumi.yaml cdk.json
  `
    .trim()
    .split(blanks),
  // Builds and task runners.
  ...`
    package.json Makefile makefile GNUmakefile *.mk justfile Justfile .justfile Taskfile.yml
    Taskfile.yaml Taskfile.dist.yml CMakeLists.txt CMakePresets.json configure.ac meson.build SConstruct
    wscript BUILD.bazel MODULE.bazel .bazelrc build.rs **/.cargo/config **/.cargo/config.toml
    build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew gradlew.bat
    gradle-wrapper.properties gradle-wrapper.jar pom.xml mvnw mvnw.cmd .mvn build.xml build.sbt build.sc
    project.clj Rakefile rakefile Gemfile *.gemspec Guardfile Capfile Podfile Fastfile Thorfile *.thor .rspec .rubocop.yml
    .simplecov Appfile Appraisals Berksfile Steepfile plugins.sbt **/project/*.sbt **/project/*.scala .scalafmt.conf .scalafix.conf Package.swift
    mix.exs rebar.config dune dune-project stack.yaml Setup.hs cabal.project composer.json *.csproj
    *.fsproj *.vbproj *.vcxproj *.sln *.props *.targets flake.nix shell.nix default.nix devbox.json
    gulpfile.* Gruntfile.* Jakefile turbo.json nx.json lerna.json
  `
    .trim()
    .split(blanks),
  // PHP.
  ...'phpunit.xml phpunit.xml.dist phpunit.dist.xml phpstan.neon phpstan.neon.dist psalm.xml .php-cs-fixer.php .php-cs-fixer.dist.php rector.php Envoy.blade.php deploy.php robo.yml RoboFile.php phpspec.yml behat.yml codeception.yml'.split(
    blanks,
  ),
  // Python and what pytest, pip and the interpreter load by themselves.
  ...`
    setup.py setup.cfg pyproject.toml conftest.py pytest.ini tox.ini noxfile.py fabfile.py dodo.py
    sitecustomize.py usercustomize.py *.pth tasks.py invoke.yaml .pylintrc pylintrc .flake8 mypy.ini .mypy.ini
    .pytest.ini .coveragerc .isort.cfg gunicorn.conf.py hatch_build.py pavement.py .pdm.toml alembic.ini
  `
    .trim()
    .split(blanks),
  // JavaScript tools whose settings are programs.
  ...`
    webpack.config.* vite.config.* vitest.config.* vitest.workspace.* jest.config.* jest.setup.*
    babel.config.* .babelrc .babelrc.* rollup.config.* rspack.config.* esbuild.config.* next.config.*
    nuxt.config.* astro.config.* svelte.config.* remix.config.* tailwind.config.* postcss.config.*
    .postcssrc .postcssrc.* eslint.config.* .eslintrc .eslintrc.* .prettierrc .prettierrc.*
    prettier.config.* .stylelintrc .stylelintrc.* stylelint.config.* .mocharc.* .mocharc ava.config.*
    karma.conf.* playwright.config.* cypress.config.* wdio.conf.* commitlint.config.* .commitlintrc
    .commitlintrc.* .releaserc .releaserc.* release.config.* tsup.config.* metro.config.* craco.config.*
    vue.config.* angular.json .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs .yarn tsconfig.json
    deno.json deno.jsonc bunfig.toml .nycrc .nycrc.* nyc.config.* .taprc .c8rc .c8rc.* .swcrc .storybook nodemon.json .nodemonrc
    knexfile.* hardhat.config.* truffle-config.* drizzle.config.* prisma.config.* ormconfig.* ecosystem.config.* jasmine.json
    .jasmine.json tsdown.config.* unbuild.config.* build.config.* snowpack.config.* gatsby-config.*
    gatsby-node.* docusaurus.config.* vitepress.config.* eleventy.config.* .eleventy.js quasar.config.* capacitor.config.*
    ember-cli-build.js .ember-cli stencil.config.* wxt.config.* plopfile.* .solcover.js graphql.config.* codegen.yml
    .dependency-cruiser.* knip.config.* sentry.*.config.* .parcelrc
  `
    .trim()
    .split(blanks),
];

// Instructions for agents, and the servers that agents start.
const agents: readonly string[] = [
  ...`
    .mcp.json mcp.json .cursor .cursorrules .claude CLAUDE.md CLAUDE.local.md AGENTS.md GEMINI.md .codex .gemini
    .windsurf .windsurfrules .clinerules .roo .continue .aider.conf.yml .goosehints .opencode opencode.json
  `
    .trim()
    .split(blanks),
];

/** Files that name the programs, registries and servers which package managers, version managers and agents trust. */
export const configuring: readonly string[] = [
  ...agents,
  ...`
    .npmrc .yarnrc .yarnrc.yml pnpm-workspace.yaml .condarc pip.conf uv.toml .bundle .gemrc
    .tool-versions .mise.toml mise.toml .asdfrc .nvmrc .node-version .python-version .ruby-version
    rust-toolchain rust-toolchain.toml global.json NuGet.Config nuget.config
  `
    .trim()
    .split(blanks),
];

/** Secrets: a reader of such a file can act as its owner. Without `.git`, which tools never write to. */
export const secretFiles: readonly string[] = [
  ...`
    .env .env.* *.env .flaskenv *.pem *.key *.p12 *.pfx *.jks *.keystore *.ppk *.kdbx *.kdb *.agekey
    *.asc.key id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .ssh .gnupg .aws .azure .kube
    kubeconfig .dockercfg .npmrc .yarnrc.yml .netrc _netrc .git-credentials .pypirc .pgpass .my.cnf
    .mylogin.cnf .htpasswd .s3cfg .boto .vault-token .terraformrc *.tfvars *.tfstate *.tfstate.backup
    credentials.json credentials.toml client_secret*.json service-account*.json secrets.json secrets.yml
    secrets.yaml secrets.toml master.key .rclone.conf rclone.conf .databrickscfg wp-config.php auth.json
    .bash_history .zsh_history .psql_history
  `
    .trim()
    .split(blanks),
];

export const secretNames: readonly string[] = [...secretFiles, '.git'];

/** Edit tools ask about these in every mode, and unasked commands can't change them. */
export const protectedNames: readonly string[] = [...new Set([...executed, ...configuring, ...secretFiles])];

/** The tests of all functions below, compiled when a command is judged: most calls need none of them. */
const tests = lazily(() => {
  const patterns = [...protectedNames, '.codelab'].map((pattern) => pattern.toLowerCase());
  const deep = patterns.filter((pattern) => pattern.includes('/'));
  const folders = deep.flatMap((pattern) => {
    const names = pattern.split('/').slice(0, -1);
    return names.map((_name, at) => names.slice(0, at + 1).join('/')).filter((prefix) => prefix !== '**');
  });
  // Names that builds never create, so they are no by-product anywhere.
  const neverBuilt = [...editors, ...shells, ...agents].filter((name) => !name.includes('/'));
  return {
    fitsName: pathTest(patterns.filter((pattern) => !pattern.includes('/'))),
    fitsPath: pathTest(deep),
    fitsFolder: pathTest(folders),
    fitsNeverBuilt: pathTest(neverBuilt.map((name) => name.toLowerCase())),
    // A name that each pattern requires: most paths contain none and are never matched against the patterns.
    needed: deep.map((pattern) => pattern.split('/').find((name) => !name.includes('*')) ?? ''),
  };
});

const isPlain = /^[\x20-\x7e]*$/;

function mayFit(path: string): boolean {
  if (!isPlain.test(path)) return true;
  const lower = path.toLowerCase();
  return tests().needed.some((name) => lower.includes(name));
}

/**
 * Whether an unasked command must not leave the path changed: protected names, git's own files, and our own settings. As in rules, every
 * name on the path counts, under every spelling that some file system treats as the same.
 */
export function isProtectedPath(path: string): boolean {
  if (path.split('/').some(isProtectedName)) return true;
  return path.includes('/') && mayFit(path) && tests().fitsPath(foldPath(path));
}

/** Whether the last name of a path is one that builds never create. */
export function isNeverBuilt(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isProtectedName(name) && tests().fitsNeverBuilt(foldPath(name));
}

/** Whether a folder's path protects some or all of its files: a link in its place would bring such files along. */
export function isProtectedFolder(path: string): boolean {
  return tests().fitsFolder(foldPath(path));
}

// The same names recur: a tree of many files has few different ones.
const cache = new Map<string, boolean>();
const maxKnown = 20_000;

function isProtectedName(name: string): boolean {
  const answer = cache.get(name) ?? tests().fitsName(foldPath(name));
  if (cache.size >= maxKnown) cache.clear();
  cache.set(name, answer);
  return answer;
}
