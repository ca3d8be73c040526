// Known arguments of programs with subcommands, such as git and cargo.
import { type KnownArguments, scriptArguments } from './known-arguments.ts';

// Commands that replace, move or delete files of the working tree are not listed: with other words they reach other files.
const git: Record<string, KnownArguments> = {
  add: { flags: 'AuvN', long: 'all update verbose intent-to-add no-all' },
  commit: {
    flags: 'aqs',
    values: 'm',
    long: 'all quiet signoff allow-empty no-edit amend no-status',
    longValues: 'message author date',
    texts: 'm message',
    inRule: 'amend allow-empty',
  },
  checkout: { flags: 'q', values: 'b', long: 'quiet', inRule: 'b', needs: 'b', operands: 'none' },
  switch: {
    flags: 'q',
    values: 'c',
    long: 'quiet',
    longValues: 'create',
    inRule: 'c create',
    needs: 'c create',
    operands: 'none',
  },
  branch: { flags: 'q', long: 'quiet' },
  rm: { flags: 'rqn', long: 'cached quiet', inRule: 'cached r n', needs: 'cached' },
  restore: { flags: 'Sq', long: 'staged quiet', inRule: 'S staged', needs: 'S staged' },
  tag: { flags: 'a', values: 'm', longValues: 'message', texts: 'm message' },
};

const libtest: KnownArguments = {
  flags: 'q',
  long: 'nocapture no-capture exact ignored include-ignored show-output list quiet',
  longValues: 'test-threads skip format color',
  words: 'test-threads format color',
};

const cargo: KnownArguments = {
  flags: 'qvr',
  values: 'pjF',
  long: 'quiet verbose release all workspace all-targets all-features no-default-features lib bins tests examples benches doc no-run no-fail-fast offline locked frozen no-deps keep-going document-private-items',
  longValues:
    'package bin test example bench features exclude jobs message-format profile color edges depth invert',
  words:
    'p j F package bin test example bench features exclude jobs message-format profile color edges depth invert',
};

const lints: KnownArguments = { values: 'DWA', words: 'D W A', operands: 'none' };

// Programs whose first word is a subcommand.
const subcommands: Record<string, Record<string, KnownArguments>> = {
  git,
  cargo: {
    ...Object.fromEntries('build check bench doc tree'.split(' ').map((name) => [name, cargo])),
    test: { ...cargo, after: libtest },
    bench: { ...cargo, after: libtest },
    nextest: { ...cargo, operands: /^(run|[\w:]+)$/, after: libtest },
    clippy: { ...cargo, after: lints },
    fmt: {
      ...cargo,
      long: 'all check quiet',
      inRule: 'check',
      after: { flags: 'l', long: 'check', inRule: 'check', operands: 'none' },
    },
    run: { ...cargo, fixed: 'p package bin example', operands: 'inRule', after: 'any' },
    metadata: { ...cargo, longValues: 'format-version' },
  },
  playwright: { test: scriptArguments },
  vitest: { run: scriptArguments, related: scriptArguments, '': scriptArguments },
  ruff: {
    check: {
      flags: 'q',
      long: 'fix diff quiet statistics no-cache',
      longValues: 'select ignore output-format',
      words: 'select ignore output-format',
      inRule: 'fix diff',
    },
    format: { flags: 'q', long: 'check diff quiet', inRule: 'check diff' },
  },
  biome: {
    check: { long: 'write fix no-errors-on-unmatched', inRule: 'write fix' },
    lint: { long: 'write fix', inRule: 'write fix' },
    format: { long: 'write fix', inRule: 'write fix' },
  },
  dotnet: Object.fromEntries(
    'build test run'.split(' ').map((name) => [
      name,
      {
        values: 'cvf',
        long: 'no-build no-restore nologo',
        longValues: 'configuration verbosity framework filter project',
        words: 'c v f configuration verbosity framework',
        fixed: 'project',
        operands: 'inRule' as const,
        ...(name === 'run' && { after: 'any' as const }),
      },
    ]),
  ),
  swift: {
    build: { flags: 'v', values: 'c', words: 'c', operands: 'none' },
    test: { flags: 'v', long: 'parallel', longValues: 'filter', operands: 'none' },
  },
  mix: {
    test: { long: 'trace stale failed', longValues: 'only seed', words: 'seed' },
    compile: { operands: 'none' },
  },
  'golangci-lint': {
    run: { flags: 'v', long: 'fix', inRule: 'fix', longValues: 'timeout', words: 'timeout' },
  },
};

export function subcommandsOf(program: string): Record<string, KnownArguments> | undefined {
  return Object.hasOwn(subcommands, program) ? subcommands[program] : undefined;
}
