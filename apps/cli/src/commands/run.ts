// `codelab run`: one turn without a screen.
import '../shared.ts';
import { existsSync } from 'node:fs';
import { visibleLine } from '@codelab/protocol';
import {
  composeOptions,
  defineCommand,
  nearestName,
  realRoot,
  UsageError,
} from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { headlessOptions } from '../run/headless-options.ts';
import type { CommandTurn } from '../run/own-command.ts';
import { turnOptions, worktreeOption } from '../run/turn-options.ts';

export const run = defineCommand({
  words: '[PROMPT] [-]',
  takes: { min: 0, max: 2 },
  about: `Runs one agent turn: it reads files, proposes changes and runs commands; anything risky needs your approval.
Standard input is appended to the prompt, or is the prompt if you pass none. @path in the prompt attaches that file.
Exit code 0 when the turn completed; other exit codes say why it did not (docs/headless.md).`,
  options: {
    ...turnOptions,
    session: {
      type: 'string',
      value: 'ID',
      summary: 'continue this session, or start one with this id (default: a new one)',
    },
    continue: { type: 'boolean', summary: 'continue the latest session of this workspace' },
    worktree: worktreeOption,
    ...headlessOptions,
    'print-schema': {
      type: 'string',
      value: 'FORM',
      choices: ['json', 'stream-json'],
      summary: 'print the JSON Schema of that output format and exit',
    },
  },
  examples: [
    'codelab run "What does this project do?"',
    'git diff | codelab run "Review this change" --output json',
    'codelab run "Fix the failing test" --approve all --max-turns 30 --timeout 10m',
    'codelab run "Add a login form" --approve all --worktree=login',
    'codelab run --approve all "replace foo by bar in a.txt" --model demo',
  ],
  async run({ words, options }) {
    const form = options['print-schema'];
    if (form !== undefined) return await printSchema(form);
    const { startRun } = await import('../run/start-run.ts');
    const { readPrompt } = await import('../run/read-prompt.ts');
    const { chooseSession } = await import('../run/choose-session.ts');
    return await startRun(options, async ({ signal, compose, messageOf, run }) => {
      const prompt = await readPrompt(words, signal);
      const command = prompt.text.startsWith('/') ? await readCommand(prompt.text, options) : undefined;
      const chosenMode = options.mode ?? command?.mode;
      const place = await sessionPlace(options);
      await using composed = await compose(
        composeOptions({ ...options, ...place, ...(chosenMode !== undefined && { mode: chosenMode }) }),
      );
      const { log, host } = composed;
      const sessionOptions = place === undefined ? options : place;
      const { profile, ...session } = await chooseSession(log, host.workspace.root.real, sessionOptions);
      return await run({
        composed,
        ...session,
        profile: options.profile ?? roleOf(command, profile),
        model: options.model ?? command?.model,
        message: messageOf(command?.text ?? prompt.text, 'codelab run', prompt.texts),
      });
    });
  },
});

type Place = { session: string; workspace: string };
type Wanted = { worktree?: string; session?: string; continue?: boolean; workspace?: string };

/** Of a session in a worktree, be it new or an earlier one; undefined for one in the workspace itself. */
async function sessionPlace(options: Wanted): Promise<Place | undefined> {
  if (options.worktree === undefined && options.session === undefined) return undefined;
  const { beginInWorktree, placeInWorktree } = await import('../worktrees/worktrees.ts');
  return (await beginInWorktree(options, 'codelab run')) ?? (await placeInWorktree(options.session));
}

/** A workspace's command does not replace the role of the session. */
function roleOf(command: CommandTurn | undefined, last: string | undefined): string | undefined {
  return command?.notice === undefined ? (command?.profile ?? last) : (last ?? command.profile);
}

async function printSchema(form: string): Promise<number> {
  const { runSchema } = await import('../run/run-schema.ts');
  const schema = runSchema(form === 'json' ? 'json' : 'stream-json');
  writeText(1, `${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}

/** A prompt that begins with a slash is one of the user's commands, unless it is an existing path. */
async function readCommand(
  prompt: string,
  { workspace, mode, profile }: { workspace?: string; mode?: string; profile?: string },
): Promise<CommandTurn | undefined> {
  const { readOwnCommand, splitCommand, commandNames } = await import('../run/own-command.ts');
  const ownCommand = splitCommand(prompt);
  const { home, mode: givenMode } = composeOptions({ ...(mode !== undefined && { mode }) });
  const places = { home, root: realRoot(workspace), mode: givenMode, profile };
  const command = await readOwnCommand(prompt, places);
  if (command?.notice !== undefined) writeText(2, `codelab: ${visibleLine(command.notice)}\n`);
  if (command !== undefined || ownCommand === undefined || existsSync(`/${ownCommand.name}`)) return command;
  const nearest = nearestName(ownCommand.name, commandNames(places));
  const hint =
    nearest === undefined ? 'Commands are files in .codelab/commands.' : `Did you mean /${nearest}?`;
  throw new UsageError(`There is no command /${ownCommand.name}. ${hint}`);
}
