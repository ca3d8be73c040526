// Files that decide what a tool runs or loads, by tool: the nearest one to the start folder, or those in every folder above.

import { isPassedBy } from '../disk.ts';
import { type Family, foldersUpward, joinPath } from '../step.ts';
import { printConftests } from './conftests.ts';
import { anyWord, printMentioned } from './mentioned-files.ts';

type Steering = {
  programs: string;
  /** In the folder the tool is started in. */
  here?: RegExp;
  /** In the start folder and in each folder above. */
  above?: RegExp;
  /** Anywhere below the start folder. */
  deep?: RegExp;
  /** At fixed paths below the folders above. */
  fixed?: readonly string[];
  /** Lines of these files that name a program, for the approval. */
  programLines?: RegExp;
  /** Matches further executed files in these files, besides imports. */
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
    programLines:
      /^[ \t]*(?:runner|linker|rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper|build)[ \t]*=.*$/gm,
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
  table.flatMap((steering) =>
    steering.programs.split(' ').map((name): [string, Steering] => [name, steering]),
  ),
);

/** Whether the program is in the table. */
export function isSteered(...[args, step, name]: Parameters<Family>): boolean {
  const steering = byProgram.get(name);
  if (steering !== undefined) steer(steering, [args, step, name]);
  return steering !== undefined;
}

/** For programs that are not in the table: `next.config.js`, `gulpfile.js`, `.taprc`. */
export function printUsual({ recorder, cwd }: Parameters<Family>[1], name: string): void {
  if (!/^[a-z][\w-]+$/.test(name)) return;
  const usual = new RegExp(`^\\.?${name}(?:file|rc|\\.conf(?:ig)?)?(?:\\.[\\w.]+)?$`, 'i');
  for (const folder of foldersUpward(cwd))
    for (const fileName of recorder.names(folder))
      if (usual.test(fileName) && /[.]|file$|rc$/i.test(fileName)) recorder.file(joinPath(folder, fileName));
}

function steer(steering: Steering, [args, step, name]: Parameters<Family>): void {
  const { recorder, cwd } = step;
  const { here, above, deep, fixed = [], programLines } = steering;
  const printed: string[] = [];
  for (const folder of foldersUpward(cwd)) {
    const names = [...recorder.names(folder)].filter(
      (fileName) => above?.test(fileName) === true || (folder === cwd && here?.test(fileName) === true),
    );
    const further = fixed.filter((fixedPath) => recorder.names(folder).has(fixedPath.split('/', 1)[0] ?? ''));
    for (const path of [...names, ...further].map((relative) => joinPath(folder, relative))) {
      if (!recorder.file(path)) continue;
      printed.push(path);
      if (programLines === undefined) continue;
      for (const [line] of recorder.peek(path)?.matchAll(programLines) ?? [])
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

// cargo's build folder has many folders; it holds packages only where a manifest names it.
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

/** A named configuration or plugin; started in another folder, the tool would read other settings files. */
function printNamed(args: Parameters<Family>[0], { recorder, cwd }: Parameters<Family>[1]): void {
  for (const [i, word] of args.entries()) {
    const [, letters = word, joined] = /^(-[cp])([^=-].*)$/.exec(word ?? '') ?? [];
    const match = naming.exec(letters ?? '');
    const value = match === null ? undefined : (joined ?? match[1] ?? args[i + 1]);
    const path = value === undefined ? undefined : recorder.resolve(cwd, value);
    if (path === undefined || recorder.file(path)) continue;
    recorder.file(`${path.replaceAll('.', '/')}.py`);
    if (recorder.names(path).size > 0 && path !== cwd)
      recorder.giveUp(`${word} makes it work in another folder.`);
  }
}
