export { BaseToolExecutor, validateHere } from './base-tool-executor.ts';
export { CommandExecutor } from './command-executor.ts';
export { executeHere, type HereOptions } from './execute-here.ts';
export { FileSystemExecutor } from './file-system-executor.ts';
export { type JournalStore, openJournalStore } from './journal-store.ts';
export { type PathValidation, PathValidator } from './path-validator.ts';
export { type Decide, type ExecutorOptions, runPluginCall } from './run-plugin-call.ts';
export type { Fault, Validation } from './validation.ts';
