// Files that decide what a tool runs or loads, by the tools that look at them: nearest to where the tool is started, or in every folder above.

import { isPassedBy } from '../disk.ts';
import { type Family, foldersUpward, joinPath } from '../step.ts';
import { printConftests } from './conftests.ts';
import { anyWord, printMentioned } from './mentioned-files.ts';

type Steering = {
  programs: string;
  /** In the folder it is started in. */
  here?: RegExp;
  /** In that folder and in each above it. */
  above?: RegExp;
  /** Anywhere below the folder it is started in. */
  deep?: RegExp;
  /** Files at fixed places below the folders above. */
  fixed?: readonly string[];
  /** Lines of these files that name a program, for people to see. */
  shown?: RegExp;
  /** What in these files names further ones that are run, besides those that they import. */
  named?: RegExp;
};

const code = String.raw`\.(?:[cm]?[jt]s|json)$`;

const table: readonly Steering[] = [
  {
    programs: 'pytest py.test',
    above: /^(?:conftest\.py|\.?pytest\.(?:ini|toml)|pyproject\.toml|tox\.ini|setup\.cfg)$/,
  },
  { programs: 'tox', above: /^(?:tox\.(?:ini|toml)|pyproject\.toml|setup\.cfg|setup\.py|conftest\.py)$/ },
  { programs: 'nox', here: /^(?:noxfile\.py|pyproject\.toml)$/ },
  {
    programs: 'ruff mypy black flake8 pylint poetry uv pip pip3 hatch pdm',
    above:
      /^(?:pyproject\.toml|setup\.(?:cfg|py)|mypy\.ini|\.?ruff\.toml|\.flake8|\.?pylintrc|uv\.toml|poetry\.toml)$/,
  },
  {
    programs: 'cargo',
    above: /^(?:Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?)$/,
    deep: /^(?:Cargo\.toml|build\.rs)$/,
    fixed: ['.cargo/config.toml', '.cargo/config'],
    named:
      /^[ \t]*(?:build|runner|linker|rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper)[ \t]*=[ \t]*\[?["']([^"']+)["']/gm,
    shown: /^[ \t]*(?:runner|linker|rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper|build)[ \t]*=.*$/gm,
  },
  { programs: 'go', above: /^go\.(?:mod|work)$/ },
  {
    programs: 'gradle gradlew',
    above: /^(?:build|settings|init)\.gradle(?:\.kts)?$|^gradle\.properties$/,
    fixed: [
      'gradle/wrapper/gradle-wrapper.properties',
      'gradle/wrapper/gradle-wrapper.jar',
      'gradle/libs.versions.toml',
    ],
  },
  {
    programs: 'mvn mvnw',
    above: /^pom\.xml$/,
    fixed: [
      '.mvn/maven.config',
      '.mvn/jvm.config',
      '.mvn/extensions.xml',
      '.mvn/wrapper/maven-wrapper.properties',
      '.mvn/wrapper/maven-wrapper.jar',
    ],
  },
  {
    programs: 'vitest vite',
    above: new RegExp(
      `^(?:vitest|vite)\\.(?:config|workspace|projects)${code}|^postcss\\.config|^\\.postcssrc`,
    ),
    named: anyWord,
  },
  {
    programs: 'jest',
    above: new RegExp(`^(?:jest|babel)\\.config${code}|^\\.babelrc`),
    named: anyWord,
  },
  {
    programs: 'mocha ava tap nyc c8 karma',
    above: /^\.(?:mocharc|taprc|nycrc|c8rc)|^ava\.config\.|^karma\.conf\.|^nyc\.config\./,
    named: anyWord,
  },
  { programs: 'eslint', above: /^eslint\.config\.|^\.eslintrc/, named: anyWord },
  {
    programs: 'prettier stylelint',
    above: /^(?:prettier|stylelint)\.config\.|^\.(?:prettier|stylelint)rc|^\.editorconfig$/,
    named: anyWord,
  },
  { programs: 'ts-node tsx', above: /^tsconfig.*\.json$/, named: anyWord },
  { programs: 'tsc', above: /^tsconfig.*\.json$/ },
  {
    programs: 'webpack rollup esbuild',
    above: new RegExp(`^(?:webpack|rollup|esbuild|babel)\\.config${code}|^\\.babelrc`),
  },
  {
    programs: 'playwright cypress',
    above: new RegExp(`^(?:playwright|cypress)\\.config${code}`),
    named: anyWord,
  },
  { programs: 'direnv', above: /^\.envrc$|^\.env$/ },
  { programs: 'turbo nx lerna', above: /^(?:turbo|nx|lerna|project|workspace)\.json$/ },
  { programs: 'deno', above: /^deno\.jsonc?$/ },
  { programs: 'rake', above: /^rakefile(?:\.rb)?$/i },
  { programs: 'bundle rspec', above: /^(?:Gemfile|gems\.rb|\.rspec)$/, fixed: ['.bundle/config'] },
  { programs: 'composer phpunit', here: /^(?:composer\.json|phpunit\.xml(?:\.dist)?)$/ },
  { programs: 'lint-staged commitlint', above: /^\.?(?:lint-?staged|commitlint)(?:rc|\.config)/ },
  {
    programs: 'docker docker-compose podman',
    here: /^(?:docker-)?compose(?:\.override)?\.ya?ml$|^(?:Dockerfile|Containerfile)/,
  },
  { programs: 'pre-commit', above: /^\.pre-commit-config\.yaml$/ },
  {
    programs: 'cmake ctest',
    above: /^(?:CMakeLists\.txt|CMakePresets\.json|CMakeUserPresets\.json|CTestTestfile\.cmake)$/,
  },
  { programs: 'ninja', here: /^build\.ninja$/ },
  { programs: 'ant', here: /^build\.xml$/ },
  { programs: 'mix', here: /^mix\.exs$/ },
  { programs: 'sbt', here: /^build\.sbt$/, fixed: ['project/build.properties', 'project/plugins.sbt'] },
];

const byProgram: ReadonlyMap<string, Steering> = new Map(
  table.flatMap((one) => one.programs.split(' ').map((name): [string, Steering] => [name, one])),
);

/** Whether it is one of the table. */
export function isSteered(...[args, step, name]: Parameters<Family>): boolean {
  const steering = byProgram.get(name);
  if (steering !== undefined) steer(steering, [args, step, name]);
  return steering !== undefined;
}

/** Of programs that are not in the table: `next.config.js`, `gulpfile.js`, `.taprc`. */
export function printUsual({ recorder, cwd }: Parameters<Family>[1], name: string): void {
  if (!/^[a-z][\w-]+$/.test(name)) return;
  const usual = new RegExp(`^\\.?${name}(?:file|rc|\\.conf(?:ig)?)?(?:\\.[\\w.]+)?$`, 'i');
  for (const folder of foldersUpward(cwd))
    for (const one of recorder.names(folder))
      if (usual.test(one) && /[.]|file$|rc$/i.test(one)) recorder.file(joinPath(folder, one));
}

function steer(steering: Steering, [args, step, name]: Parameters<Family>): void {
  const { recorder, cwd } = step;
  const { here, above, deep, fixed = [], shown } = steering;
  const printed: string[] = [];
  for (const folder of foldersUpward(cwd)) {
    const names = [...recorder.names(folder)].filter(
      (one) => above?.test(one) === true || (folder === cwd && here?.test(one) === true),
    );
    const further = fixed.filter((one) => recorder.names(folder).has(one.split('/', 1)[0] ?? ''));
    for (const path of [...names, ...further].map((one) => joinPath(folder, one))) {
      if (!recorder.file(path)) continue;
      printed.push(path);
      if (shown === undefined) continue;
      for (const [line] of recorder.peek(path)?.matchAll(shown) ?? [])
        recorder.run(`${path} sets`, line.trim());
    }
  }
  if (name === 'pytest' || name === 'py.test') printConftests(args, printed, step);
  if (deep !== undefined)
    printed.push(...findDeep(deep, printed, step).filter((path) => recorder.file(path)));
  for (const path of printed) printMentioned(path, steering.named, step);
  printNamed(args, step);
  if (name === 'go' && args[0] === 'generate')
    recorder.giveUp('Which lines of the sources it runs is not known.');
}

// What cargo builds into is full of folders; only where a manifest names it there may be packages in it.
function findDeep(
  deep: RegExp,
  printed: readonly string[],
  { recorder, cwd }: Parameters<Family>[1],
): string[] {
  const isNamed = printed.some((path) => /["'/]target["'/]/.test(recorder.peek(path) ?? ''));
  return recorder.find(cwd, deep, (folder) => isPassedBy(folder) || (folder === 'target' && !isNamed));
}

const naming =
  /^(?:-[cpfbIstrdC]|--(?:config|config-file|manifest-path|project|project-dir|build-file|init-script|settings|file|root|rootdir|rootDir|dir|cwd|directory|plugin))(?:=(.*))?$/;

/** A configuration or a plugin that is named; in another folder it would be steered by other files. */
function printNamed(args: Parameters<Family>[0], { recorder, cwd }: Parameters<Family>[1]): void {
  for (const [i, word] of args.entries()) {
    const [, letters = word, joined] = /^(-[cp])([^=-].*)$/.exec(word ?? '') ?? [];
    const found = naming.exec(letters ?? '');
    const value = found === null ? undefined : (joined ?? found[1] ?? args[i + 1]);
    const path = value === undefined ? undefined : recorder.resolve(cwd, value);
    if (path === undefined || recorder.file(path)) continue;
    recorder.file(`${path.replaceAll('.', '/')}.py`);
    if (recorder.names(path).size > 0 && path !== cwd)
      recorder.giveUp(`${word} makes it work in another folder.`);
  }
}
