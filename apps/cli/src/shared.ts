// The modules that commands share. Every file that is loaded on demand imports this one, so that the bundler keeps the shared code
// in one file instead of one per combination of commands: each file costs half a millisecond at start-up (scripts/one-core.ts).
import './audit/find-sessions.ts';
import './command-line/define-command.ts';
import './command-line/process.ts';
import './run/headless-options.ts';
import './run/output.ts';
import './run/turn-options.ts';
import './terminal/open-terminal.ts';
import './tool-call/read-tool-call.ts';
import './undo/run-undo.ts';
import './build-output.ts';
import '@codelab/runtime';
import '@codelab/server';
import '@codelab/server/agent';
