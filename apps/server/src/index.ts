export { profileSource } from './agent/profile-source.ts';
export { type Composed, type ComposeOptions, compose } from './compose.ts';
export { Config } from './config/config.ts';
export { defaultHome } from './config/default-home.ts';
export { type LoadedConfig, loadConfig, workspaceConfigPath } from './config/load-config.ts';
export { dropRule, keepRule } from './config/rules-file.ts';
export { setTrust } from './config/trust-file.ts';
export { logFile } from './log/log-file.ts';
export { openSqliteLog, type SqliteLog } from './log/sqlite-log.ts';
