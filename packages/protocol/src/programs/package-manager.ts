// The programs that a package manager would start besides its own: `npm exec -- curl` is curl. Programs started by a package's scripts are
// not covered.
import { ToolError } from '../errors.ts';
import { lazily } from '../input.ts';

type Manager = {
  /** Options that take the next word, and options that take none. Of any other it is not known: both readings are checked. */
  valued: ReadonlySet<string>;
  flags?: ReadonlySet<string>;
  /** The commands of the manager itself, where any other word may be a program of the system. */
  commands?: ReadonlySet<string>;
};

type Argv = readonly [program: string, ...args: string[]];

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const managers = lazily(
  (): ReadonlyMap<string, Manager> =>
    new Map([
      ['npm', { valued: words('-C --prefix -w --workspace --loglevel --registry --cache --userconfig') }],
      ['yarn', { valued: words('--cwd --modules-folder --cache-folder --registry --mutex') }],
      [
        'pnpm',
        {
          valued: words(
            '-C --dir -F --filter --filter-prod --workspace-concurrency --reporter --loglevel --store-dir',
          ),
          flags: words(
            '-r --recursive -w --workspace-root -s --silent --parallel --stream --if-present --no-bail',
          ),
          commands:
            words(`access add adduser approve-builds audit bin bugs c cache cat-file cat-index ci config create dedupe deploy
        deprecate dist-tag dlx docs doctor edit env exec fetch find-hash get help i ignored-builds import info init install
        install-test it la licenses link list ll ln login logout ls m multi outdated owner pack patch patch-commit patch-remove
        ping pkg prefix profile prune publish rb rebuild recursive remove repo restart rm root run run-script search self-update
        server set setup show start stop store t team test token tst un uninstall unlink unpublish up update upgrade v version
        view whoami why`),
        },
      ],
    ]),
);

// Options with which a manager starts a program that is not its own, or a text as code.
const startingOption =
  /^(-c|--call|--shell-mode|--script-shell|--shell|--node-options|--editor|--viewer|--git)(=|$)/;
const exec = lazily((): Manager => ({ valued: words('-p --package') }));

/** The programs with their arguments; throws COMMAND_NOT_ALLOWED where the words do not show them. */
export function startedBy(program: string, args: readonly string[]): Argv[] {
  const manager = managers().get(program);
  if (manager === undefined) return [];
  const end = args.indexOf('--');
  const option = args.find((arg, i) => (end < 0 || i < end) && startingOption.test(arg));
  if (option !== undefined)
    throw notAllowed(program, `${option} starts another program or runs a text as code`);
  return commandsIn(args, manager).flatMap(([command, ...rest]) => {
    if (manager.commands?.has(command) === false)
      throw notAllowed(
        program,
        `where the package has no script ${command} it starts a program of that name; say ${program} run ${command}`,
      );
    return startedByCommand(program, command, rest);
  });
}

function startedByCommand(program: string, command: string, rest: readonly string[]): Argv[] {
  switch (command) {
    case 'exec':
    case 'exe':
    case 'x':
    case 'dlx': {
      const commands = commandsIn(rest, exec());
      if (commands.length === 0) throw notAllowed(program, `${command} without a program starts a shell`);
      return commands;
    }
    case 'explore':
      return commandsIn(rest.slice(1), exec());
    case 'node':
      return program === 'yarn' ? [[command, ...rest]] : [];
    case 'recursive':
    case 'multi':
    case 'm':
      return program === 'pnpm' ? startedBy(program, rest) : [];
    case 'workspace':
      return startedBy(program, rest.slice(1));
    case 'workspaces': {
      const at = rest.findIndex((word) => word === 'foreach' || word === 'run');
      return at < 0 ? [] : startedBy(program, rest.slice(at + 1));
    }
    default:
      return [];
  }
}

/**
 * The command with its arguments: from the first word, and also from the next one after an option that may have taken the first as its
 * value.
 */
function commandsIn(args: readonly string[], { valued, flags }: Manager): Argv[] {
  const commands: Argv[] = [];
  for (const [at, word] of args.entries()) {
    if (word.startsWith('-')) continue;
    const before = args[at - 1];
    if (before !== undefined && valued.has(before)) continue;
    commands.push([word, ...args.slice(at + 1)]);
    const mayBeValue =
      before?.startsWith('-') && before !== '--' && !before.includes('=') && !flags?.has(before);
    if (mayBeValue !== true) break;
  }
  return commands;
}

function notAllowed(program: string, reason: string): ToolError {
  return new ToolError('COMMAND_NOT_ALLOWED', `${program} may not run this way: ${reason}.`, { program });
}
