export { profileSource } from './agent/host-agents.ts';
export { type Composed, type ComposeOptions, compose } from './compose.ts';
export { changeConfigText, changeSetting, checkConfigText } from './config/change-config.ts';
export { Config } from './config/config.ts';
export { configKeys, type SettingSchema, schemaAt, unknownSetting } from './config/config-faults.ts';
export {
  type ConfigFile,
  type ConfigScope,
  configFiles,
  isInProject,
  settingsRoot,
} from './config/config-files.ts';
export { lineOf } from './config/jsonc-text.ts';
export { type LoadedConfig, loadConfig, loadModelConfig, userAnchors } from './config/load-config.ts';
export { type ModelChoice, readModelChoice } from './config/model-sources.ts';
export { dropRule, keepRule } from './config/rules-file.ts';
export {
  checkFolderOwner,
  defaultHome,
  isFilelessWorkspace,
  readKeysFile,
  setKey,
  workspaceConfigPath,
} from './config/state-file.ts';
export { type InstructionTrust, instructionTrust, setInstructionTrust, setTrust } from './config/trust.ts';
export { setWorkspaceMode, workspaceMode } from './config/workspace-mode.ts';
export { createSignInCode, hostNameOf } from './edge/auth/browser-files.ts';
export { type CopyResult, copySessions } from './log/copy-sessions.ts';
export { isOnNats, logFile, openStoredLog, type StoredLog } from './log/open-log.ts';
export { openAuditKey } from './log/seals/audit-key.ts';
export type { AnchorCheck } from './log/seals/compare-anchors.ts';
export type { Proof } from './log/seals/proof.ts';
export { readNote } from './log/seals/seal-note.ts';
export { checkSqlite } from './log/sqlite/database.ts';
export { openSqliteLog, type SqliteLog } from './log/sqlite/sqlite-log.ts';
export { markSession, type SessionMark, sessionMarks } from './sessions/session-marks.ts';
