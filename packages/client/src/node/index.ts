export { reapOrphans } from '@codelab/runtime';
export { type EditorFiles, type ProposedChange, proposeChange, throughEditor } from './editor-files.ts';
export { executeHere, type HereOptions } from './execute-here.ts';
export { type JournalStore, openJournalStore } from './journal-store.ts';
export { type LocalHostOptions, openLocalHost } from './local-host.ts';
export { type Fault, type PathValidation, PathValidator, type Validation } from './path-validator.ts';
export { type LocalDecision, type PluginCallOptions, runPluginCall, undoCall } from './run-plugin-call.ts';
export { BaseToolExecutor, CommandExecutor, FileSystemExecutor, validateHere } from './tool-executors.ts';
