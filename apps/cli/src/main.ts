// `codelab`: finds the command, loads only that one, and ends with its exit code.
import { parseCommandLine } from './command-line/define-command.ts';
import { findCommand } from './find-command.ts';
import { hasUnwritten } from './output/write-text.ts';

process.exitCode = await main(process.argv.slice(2));
// Exits at once: leaving the log and other resources open costs nothing and loses nothing.
if (!hasUnwritten()) process.exit();

async function main(args: string[]): Promise<number> {
  try {
    if (args[0] === 'completion' && args[1] === 'words')
      return await (await import('./completion/complete.ts')).printCompletions(args.slice(3));
    const found = findCommand(args);
    if (found === undefined) return await (await import('./show-help.ts')).showHelp(args);
    const command = await found.load();
    return await command.run(parseCommandLine(command, found.args));
  } catch (error) {
    return (await import('./report-error.ts')).reportError(error, args);
  }
}
