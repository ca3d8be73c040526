// `codelab`: runs one command and ends with its exit code.
import { hasUnwritten } from './command-line/process.ts';
import { runCommand } from './run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2));
// Exits at once: leaving the log and other resources open costs nothing and loses nothing.
if (!hasUnwritten()) process.exit();
