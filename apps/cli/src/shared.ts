// What the commands share, named in one place. Every file that is loaded on demand imports this, so that the bundler keeps it
// all in one file instead of one per combination of commands: each file costs half a millisecond at start-up.
import '@codelab/dialects';
import '@codelab/runtime';
import '@codelab/server';
import './command-line/choose-dialect.ts';
import './command-line/choose-profile.ts';
import './command-line/common-options.ts';
import './command-line/compose-options.ts';
import './command-line/define-command.ts';
import './command-line/real-root.ts';
import './command-line/usage-error.ts';
import './output/write-text.ts';
import './tool-call/interruption.ts';
import './tool-call/read-json-text.ts';
import './undo/run-take-back.ts';
import './undo/take-back-options.ts';
