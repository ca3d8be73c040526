export { profileSource } from './agent/profile-source.ts';
export { type Composed, type ComposeOptions, compose } from './compose.ts';
export { Config } from './config/config.ts';
export { configKeys, type SettingSchema, schemaAt, unknownSetting } from './config/config-faults.ts';
export {
  type ConfigFile,
  type ConfigScope,
  changeConfigText,
  changeSetting,
  checkConfigText,
  configFiles,
} from './config/config-files.ts';
export { lineOf } from './config/jsonc-text.ts';
export { type LoadedConfig, loadConfig, loadModelConfig, userAnchors } from './config/load-config.ts';
export { type ModelChoice, readModelChoice } from './config/model-sources.ts';
export { dropRule, keepRule } from './config/rules-file.ts';
export {
  checkOwner,
  defaultHome,
  isEmptyFolder,
  readKeysFile,
  setKey,
  workspaceConfigPath,
} from './config/state-file.ts';
export { type InstructionTrust, instructionTrust, setInstructionTrust, setTrust } from './config/trust.ts';
export { createSignInCode, hostNameOf } from './edge/auth/web-sessions.ts';
export { checkSqlite, logFile } from './log/open-database.ts';
export { openAuditKey } from './log/seals/audit-key.ts';
export type { AnchorCheck } from './log/seals/compare-anchors.ts';
export type { Proof } from './log/seals/proof.ts';
export { readNote } from './log/seals/seal-note.ts';
export { openSqliteLog, type SqliteLog } from './log/sqlite-log.ts';
